import { StorageError, throwIfAborted } from '../core/errors.ts';
import type { HostStorage } from '../core/ports/host-storage.ts';
import type { JournalRecord } from './journal.ts';
import { parentOf, pathState } from './paths.ts';
import { anotherVolumeAt, isSameVolume } from './staged-volume.ts';

/**
 * Makes the pod's link: one host call when nothing is at the path. What is there is looked at before anything is
 * removed: our own link is kept, a live link to anything else and a full folder stay untouched, an empty folder
 * or a link that leads nowhere makes room.
 */
export async function linkTarget(
  host: HostStorage,
  record: JournalRecord,
  path: string,
  signal: AbortSignal,
): Promise<void> {
  const source = record.stagingPath ?? '';
  try {
    await host.files.createSymlink(source, path, signal);
    return;
  } catch (error) {
    const state = await pathState(host.files, path, signal);
    if (state === 'live') {
      await requireOurs(host, record, path, signal);
      return;
    }
    if (state === 'plain') await removeLinkOrEmptyFolder(host, path, signal);
    else await makeParent(host, path, error, signal);
  }
  await host.files.createSymlink(source, path, signal);
}

/**
 * Removes a link, or an empty folder; `failed-precondition` for anything else, which stays (law 4). One host call.
 * Fine when nothing is there.
 */
export async function removeLinkOrEmptyFolder(
  host: HostStorage,
  path: string,
  signal: AbortSignal,
): Promise<void> {
  try {
    await host.files.rmdir(path, false, signal);
  } catch (error) {
    throwIfAborted(signal, `removing ${path}`);
    if (!(await host.files.pathExists(path, signal))) return;
    throw new StorageError(
      'failed-precondition',
      `${path} is neither a link nor an empty folder, so it was not removed and nothing in it was touched: ` +
        'see what it holds, move that away, and try again',
      { cause: error },
    );
  }
}

/** A live link is ours only when the host follows it to our volume. */
export async function requireOurs(
  host: HostStorage,
  record: JournalRecord,
  path: string,
  signal: AbortSignal,
): Promise<void> {
  const { targetPathLookup } = await host.capabilities(signal);
  if (!targetPathLookup) {
    throw new StorageError(
      'failed-precondition',
      `${path} is a link and this host cannot tell where it leads, so it was left as it is: remove it and try again`,
    );
  }
  const volume = await host.volumes.getVolumeIdFromTargetPath(path, signal).catch(async (error: unknown) => {
    throwIfAborted(signal, `removing ${path}`);
    // Nothing of ours is mounted any more, so a link of ours leads to the empty folder where it was.
    const isMounted =
      record.phase === 'staged' && (await pathState(host.files, record.stagingPath ?? '', signal)) === 'live';
    if (isMounted) throw error;
    return undefined;
  });
  if (volume === undefined || isSameVolume(volume, record.hostVolumeId)) return;
  throw anotherVolumeAt(path, volume, `volume ${record.volumeId} is ${record.hostVolumeId}`);
}

/** Nothing is at the path and still no link can be made: most likely its folder is not there. */
async function makeParent(
  host: HostStorage,
  path: string,
  error: unknown,
  signal: AbortSignal,
): Promise<void> {
  const parent = parentOf(path);
  if (parent === undefined || (await host.files.pathExists(parent, signal))) throw error;
  await host.files.mkdir(parent, signal);
}
