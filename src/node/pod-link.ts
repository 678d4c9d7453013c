import { StorageError, throwIfAborted } from '../core/errors.ts';
import type { HostStorage } from '../core/ports/host-storage.ts';
import type { JournalRecord } from './journal.ts';
import type { NodeDeps } from './node-deps.ts';
import { parentOf, pathState } from './paths.ts';
import { anotherVolumeAt, isSameVolume, requireUnclaimed } from './staged-volume.ts';

/**
 * Makes the pod's link: one host call when nothing is at the path. What is there is looked at before anything is
 * removed: our own link is kept, a live link to anything else and a full folder stay untouched, an empty folder
 * or a link that leads nowhere makes room. Where the host cannot tell where a link leads, only one made by this very
 * call is proven: a link that is there makes room too, unless it is another volume's of ours.
 */
export async function linkTarget(
  { host, journal }: Pick<NodeDeps, 'host' | 'journal'>,
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
      if ((await host.capabilities(signal)).targetPathLookup) {
        await requireOurs(host, record, path, signal);
        return;
      }
      await requireUnclaimed(journal, record.volumeId, { path });
    }
    if (state === 'missing') await makeParent(host, path, error, signal);
    else await removeLinkOrEmptyFolder(host, path, signal);
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

/** A live link is ours only when the host follows it to our volume. For hosts that can. */
export async function requireOurs(
  host: HostStorage,
  record: JournalRecord,
  path: string,
  signal: AbortSignal,
): Promise<void> {
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
