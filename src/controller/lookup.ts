import { StorageError } from '../core/errors.ts';
import { asSnapshotId, asVolumeId, isMadeId, type SnapshotId, type VolumeId } from '../core/ids.ts';
import type { DiskBackend, DiskSnapshot, DiskVolume } from '../core/ports/disk-backend.ts';

/** The id of a volume; `not-found` for one we never made, which is not even looked for. */
export function madeVolumeId(id: string): VolumeId {
  if (!isMadeId(id)) throw noSuch('volume', id);
  return asVolumeId(id);
}

/** The volume; `not-found` when there is none. */
export async function requireVolume(
  backend: DiskBackend,
  id: string,
  signal: AbortSignal,
): Promise<DiskVolume> {
  const volume = await backend.getVolume(madeVolumeId(id), signal);
  if (volume === undefined) throw noSuch('volume', id);
  return volume;
}

/** The id of a snapshot; `not-found` for one we never made, which is not even looked for. */
export function madeSnapshotId(id: string): SnapshotId {
  if (!isMadeId(id)) throw noSuch('snapshot', id);
  return asSnapshotId(id);
}

/** The snapshot; `undefined` when there is none. */
export async function findSnapshot(
  backend: DiskBackend,
  id: string,
  signal: AbortSignal,
): Promise<DiskSnapshot | undefined> {
  return isMadeId(id) ? backend.getSnapshot(asSnapshotId(id), signal) : undefined;
}

/** The snapshot; `not-found` when there is none. */
export async function requireSnapshot(
  backend: DiskBackend,
  id: string,
  signal: AbortSignal,
): Promise<DiskSnapshot> {
  const snapshot = await findSnapshot(backend, id, signal);
  if (snapshot === undefined) throw noSuch('snapshot', id);
  return snapshot;
}

function noSuch(kind: 'volume' | 'snapshot', id: string): StorageError {
  return new StorageError(
    'not-found',
    `there is no ${kind} "${id}" in this pool: it was deleted, or made by another driver`,
  );
}
