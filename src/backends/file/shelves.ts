import { join } from 'node:path';
import type { SnapshotId, VolumeId } from '../../core/ids.ts';
import { DiskShelf } from './disk-shelf.ts';
import type { ShelfDeps } from './load-entries.ts';
import { decodeSnapshotRecord, encodeSnapshotRecord, type SnapshotRecord } from './snapshot-record.ts';
import { decodeVolumeRecord, encodeVolumeRecord, type VolumeRecord } from './volume-record.ts';

export const VOLUMES_FOLDER = 'volumes';
const SNAPSHOTS_FOLDER = 'snapshots';

/** The two shelves of a pool. */
export interface Shelves {
  readonly volumes: DiskShelf<VolumeId, VolumeRecord>;
  readonly snapshots: DiskShelf<SnapshotId, SnapshotRecord>;
}

export async function openShelves(deps: ShelfDeps, poolDir: string): Promise<Shelves> {
  return {
    volumes: await DiskShelf.open<VolumeId, VolumeRecord>(deps, {
      path: join(poolDir, VOLUMES_FOLDER),
      kind: 'volume',
      encode: encodeVolumeRecord,
      decode: decodeVolumeRecord,
    }),
    snapshots: await DiskShelf.open<SnapshotId, SnapshotRecord>(deps, {
      path: join(poolDir, SNAPSHOTS_FOLDER),
      kind: 'snapshot',
      encode: encodeSnapshotRecord,
      decode: decodeSnapshotRecord,
    }),
  };
}

/**
 * What the records promise: every volume its full size, every snapshot what it holds, because it never changes
 * and that is the most it can cost when its source is overwritten.
 */
export function promisedBytes({ volumes, snapshots }: Shelves): bigint {
  return (
    sumOver(volumes, ({ capacityBytes }) => capacityBytes) +
    sumOver(snapshots, ({ allocatedBytes }) => allocatedBytes)
  );
}

function sumOver<Id extends string, DiskRecord extends { readonly id: Id }>(
  shelf: DiskShelf<Id, DiskRecord>,
  bytesOf: (record: DiskRecord) => bigint,
): bigint {
  let sum = 0n;
  for (const entry of shelf.entries()) {
    sum += entry.state === 'sound' ? bytesOf(entry.record) : entry.damage.sizeBytes;
  }
  return sum;
}
