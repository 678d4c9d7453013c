import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  decodeSnapshotRecord,
  encodeSnapshotRecord,
  type SnapshotRecord,
} from '../../../src/backends/file/snapshot-record.ts';
import {
  decodeVolumeRecord,
  encodeVolumeRecord,
  type VolumeRecord,
} from '../../../src/backends/file/volume-record.ts';
import { asSnapshotId, asVolumeId } from '../../../src/core/ids.ts';
import type { ContentSource } from '../../../src/core/ports/disk-backend.ts';

const text = fc.string({ minLength: 1, unit: 'grapheme' });
const bytes = fc.bigInt({ min: 0n, max: 2n ** 62n });
const time = fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('2200-01-01') });
const key = text.filter((name) => name !== '__proto__');

const source: fc.Arbitrary<ContentSource> = fc.oneof(
  text.map((id) => ({ kind: 'snapshot' as const, snapshotId: asSnapshotId(id) })),
  text.map((id) => ({ kind: 'volume' as const, volumeId: asVolumeId(id) })),
);

const volume: fc.Arbitrary<VolumeRecord> = fc.record(
  {
    id: text.map(asVolumeId),
    name: text,
    capacityBytes: bytes,
    source,
    parameters: fc.dictionary(key, fc.string(), { noNullPrototype: true }),
    serialNumber: text,
    page83: text,
    createdAt: time,
  },
  { requiredKeys: ['id', 'name', 'capacityBytes', 'parameters', 'serialNumber', 'page83', 'createdAt'] },
);

const snapshot: fc.Arbitrary<SnapshotRecord> = fc.record({
  id: text.map(asSnapshotId),
  name: text,
  sourceVolumeId: text.map(asVolumeId),
  sizeBytes: bytes,
  allocatedBytes: bytes,
  createdAt: time,
});

const onDisk = (record: unknown): unknown => JSON.parse(JSON.stringify(record)) as unknown;

describe('law 8: a record', () => {
  it('comes back from disk as it was', () => {
    fc.assert(
      fc.property(volume, snapshot, (one, other) => {
        expect(decodeVolumeRecord(onDisk(encodeVolumeRecord(one)))).toEqual(one);
        expect(decodeSnapshotRecord(onDisk(encodeSnapshotRecord(other)))).toEqual(other);
      }),
    );
  });

  it('is never guessed: without any one of its fields, or with anything else in it, it is unreadable', () => {
    const anything = fc.oneof(
      fc.constant(undefined),
      fc.integer(),
      fc.constant(null),
      fc.constant([]),
      fc.constant(''),
    );
    fc.assert(
      fc.property(volume, snapshot, fc.nat(), anything, (one, other, pick, spoilt) => {
        for (const [encoded, decode] of [
          [encodeVolumeRecord(one), decodeVolumeRecord],
          [encodeSnapshotRecord(other), decodeSnapshotRecord],
        ] as const) {
          const fields = Object.entries(onDisk(encoded) as object).filter(([name]) => name !== 'source');
          const [spoiltKey, good] = fields[pick % fields.length] ?? [''];
          if (spoilt === good) continue;
          const record = { ...Object.fromEntries(fields), [spoiltKey]: spoilt };
          expect(() => decode(onDisk(record))).toThrow(expect.objectContaining({ code: 'data-loss' }));
        }
      }),
    );
  });

  it('is never guessed: any value is read whole or refused as data-loss', () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.anything()), (value) => {
        for (const decode of [decodeVolumeRecord, decodeSnapshotRecord]) {
          expect(() => decode(value)).toThrow(expect.objectContaining({ code: 'data-loss' }));
        }
      }),
    );
  });

  it('is never guessed: cut off anywhere it is no record', () => {
    fc.assert(
      fc.property(volume, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (one, where) => {
        const whole = JSON.stringify(encodeVolumeRecord(one));
        const part = whole.slice(0, Math.floor(whole.length * where));
        expect(() => decodeVolumeRecord(JSON.parse(part))).toThrow();
      }),
    );
  });
});
