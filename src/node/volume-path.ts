import { StorageError } from '../core/errors.ts';
import type { VolumeId } from '../core/ids.ts';
import { recordOf, type JournalRecord } from './journal.ts';
import type { NodeDeps } from './node-deps.ts';
import { isAbsolutePath, isSamePath, pathState } from './paths.ts';
import { isSameVolume } from './staged-volume.ts';

type Deps = Pick<NodeDeps, 'host' | 'journal'>;

/** The record of a volume that is staged on this node; `not-found` otherwise. */
export async function requireStagedRecord({ journal }: Deps, volumeId: VolumeId): Promise<JournalRecord> {
  const record = recordOf(await journal.read(volumeId));
  if (record?.phase === 'staged') return record;
  throw new StorageError(
    'not-found',
    `volume ${volumeId} is not staged on this node: call NodeStageVolume first`,
  );
}

/** Whether the journal says that the volume is staged or published at this path. No host call. */
export const isJournalledPath = (record: JournalRecord, path: string): boolean =>
  isSamePath(record.stagingPath ?? '', path) ||
  record.targets.some((target) => isSamePath(target.path, path));

/**
 * Throws `not-found` unless the host follows this path to our volume. One host call. A host that cannot follow it says
 * whether it leads anywhere, and the journal to what.
 */
export async function requirePathOfVolume(
  { host }: Pick<Deps, 'host'>,
  record: JournalRecord,
  path: string,
  signal: AbortSignal,
): Promise<void> {
  if (!isAbsolutePath(path)) throw notThere(record, path, 'that is no absolute path');
  const { targetPathLookup } = await host.capabilities(signal);
  if (!targetPathLookup) {
    if (!isJournalledPath(record, path)) throw notThere(record, path, 'the journal does not know that path');
    if ((await pathState(host.files, path, signal)) === 'live') return;
    throw notThere(record, path, 'nothing is mounted there');
  }
  const volume = await host.volumes.getVolumeIdFromTargetPath(path, signal).catch(async (error: unknown) => {
    const state = await pathState(host.files, path, signal);
    if (state === 'live') throw error;
    throw notThere(
      record,
      path,
      state === 'missing' ? 'nothing is there' : 'nothing is mounted there',
      error,
    );
  });
  if (!isSameVolume(volume, record.hostVolumeId)) throw notThere(record, path, `the path leads to ${volume}`);
}

function notThere(record: JournalRecord, path: string, found: string, cause?: unknown): StorageError {
  return new StorageError(
    'not-found',
    `volume ${record.volumeId} (${record.hostVolumeId}) is not at ${path}: ${found}; it is staged at ${record.stagingPath ?? '(nowhere)'}`,
    { cause },
  );
}
