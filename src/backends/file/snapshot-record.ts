import { asSnapshotId, asVolumeId } from '../../core/ids.ts';
import type { DiskSnapshot } from '../../core/ports/disk-backend.ts';
import { RECORD_SCHEMA, RecordFields } from './record-fields.ts';

/** What the pool remembers of a snapshot: `snapshots/<id>/record.json`. */
export interface SnapshotRecord extends Omit<DiskSnapshot, 'readyToUse'> {
  /** Bytes its image holds: the most it can ever take from the pool, however much its source changes. */
  readonly allocatedBytes: bigint;
}

export function encodeSnapshotRecord(record: SnapshotRecord): unknown {
  return {
    schema: RECORD_SCHEMA,
    id: record.id,
    name: record.name,
    sourceVolumeId: record.sourceVolumeId,
    sizeBytes: record.sizeBytes.toString(),
    allocatedBytes: record.allocatedBytes.toString(),
    createdAt: record.createdAt.toISOString(),
  };
}

/** `data-loss` for anything but a whole record of this release. */
export function decodeSnapshotRecord(value: unknown): SnapshotRecord {
  const fields = new RecordFields(value);
  return {
    id: asSnapshotId(fields.text('id')),
    name: fields.text('name'),
    sourceVolumeId: asVolumeId(fields.text('sourceVolumeId')),
    sizeBytes: fields.bytes('sizeBytes'),
    allocatedBytes: fields.bytes('allocatedBytes'),
    createdAt: fields.time('createdAt'),
  };
}
