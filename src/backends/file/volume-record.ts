import { asSnapshotId, asVolumeId } from '../../core/ids.ts';
import type { ContentSource, DiskVolume } from '../../core/ports/disk-backend.ts';
import { RECORD_SCHEMA, RecordFields, unreadable } from './record-fields.ts';

/** What the pool remembers of a volume: `volumes/<id>/record.json`. */
export type VolumeRecord = Omit<DiskVolume, 'attachedTo' | 'condition'>;

export function encodeVolumeRecord(record: VolumeRecord): unknown {
  return {
    schema: RECORD_SCHEMA,
    id: record.id,
    name: record.name,
    capacityBytes: record.capacityBytes.toString(),
    source: record.source,
    parameters: record.parameters,
    serialNumber: record.serialNumber,
    page83: record.page83,
    createdAt: record.createdAt.toISOString(),
  };
}

/** `data-loss` for anything but a whole record of this release. */
export function decodeVolumeRecord(value: unknown): VolumeRecord {
  const fields = new RecordFields(value);
  const source = decodeSource(fields.optional('source'));
  return {
    id: asVolumeId(fields.text('id')),
    name: fields.text('name'),
    capacityBytes: fields.bytes('capacityBytes'),
    ...(source === undefined ? {} : { source }),
    parameters: fields.texts('parameters'),
    serialNumber: fields.text('serialNumber'),
    page83: fields.text('page83'),
    createdAt: fields.time('createdAt'),
  };
}

function decodeSource(fields: RecordFields | undefined): ContentSource | undefined {
  if (fields === undefined) return undefined;
  const kind = fields.text('kind');
  if (kind === 'snapshot') return { kind, snapshotId: asSnapshotId(fields.text('snapshotId')) };
  if (kind === 'volume') return { kind, volumeId: asVolumeId(fields.text('volumeId')) };
  throw unreadable(`source.kind is "${kind}"`);
}
