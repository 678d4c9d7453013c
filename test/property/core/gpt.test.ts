import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  decodeBackupGpt,
  decodeGpt,
  encodeGpt,
  GPT_BACKUP_BYTES,
  GPT_PRIMARY_BYTES,
} from '../../../src/core/gpt-codec.ts';
import { windowsLayout } from '../../../src/core/gpt.ts';
import type { Gpt } from '../../../src/core/gpt.ts';

const GIB = 1024n ** 3n;
const guid = fc.uuid();

/** A table that fits `diskBytes`: any number of partitions, in any order, not overlapping. */
const gptFor = (diskBytes: bigint): fc.Arbitrary<Gpt> => {
  const last = diskBytes / 512n - 34n;
  const partition = fc
    .tuple(fc.bigInt({ min: 34n, max: last }), fc.bigInt({ min: 34n, max: last }))
    .chain(([a, b]) =>
      fc.record({
        typeGuid: guid,
        uniqueGuid: guid,
        firstLba: fc.constant(a < b ? a : b),
        lastLba: fc.constant(a < b ? b : a),
        name: fc
          .string({ unit: 'grapheme', maxLength: 8 })
          .map((name) => name.replaceAll('\0', '').slice(0, 36)),
        attributes: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
      }),
    );
  return fc.record({ diskGuid: guid, partitions: fc.array(partition, { maxLength: 128 }) });
};

const diskBytes = fc.bigInt({ min: 40n * 1024n ** 2n, max: 64n * 1024n * GIB });

describe('GPT', () => {
  it('is read back as written, from both ends of the disk', () => {
    fc.assert(
      fc.property(
        diskBytes.chain((size) => fc.tuple(fc.constant(size), gptFor(size))),
        ([size, gpt]) => {
          const { primary, backup } = encodeGpt(gpt, size);
          return equal(decodeGpt(primary, size), gpt) && equal(decodeBackupGpt(backup, size), gpt);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('notices any flipped bit in header or entries of either copy', () => {
    const gpt = windowsLayout(GIB, guids());
    const { primary, backup } = encodeGpt(gpt, GIB);
    fc.assert(
      fc.property(
        fc.integer({ min: 512, max: GPT_PRIMARY_BYTES - 1 }),
        fc.integer({ min: 0, max: GPT_BACKUP_BYTES - 1 }),
        fc.integer({ min: 0, max: 7 }),
        (primaryAt, backupAt, bit) =>
          decodeGpt(flipped(primary, primaryAt, bit), GIB) === undefined &&
          decodeBackupGpt(flipped(backup, backupAt, bit), GIB) === undefined,
      ),
      { numRuns: 400 },
    );
  });

  it('notices every flipped bit of a header', () => {
    const { primary } = encodeGpt(windowsLayout(GIB, guids()), GIB);
    const missed = Array.from({ length: 512 * 8 }, (_, at) => at).filter(
      (at) => decodeGpt(flipped(primary, 512 + (at >> 3), at & 7), GIB) !== undefined,
    );
    expect(missed).toEqual([]);
  });

  it('never throws on any bytes, for any size of disk', () => {
    const { primary } = encodeGpt(windowsLayout(GIB, guids()), GIB);
    const damaged = fc
      .tuple(fc.uint8Array({ maxLength: 600 }), fc.integer({ min: 0, max: GPT_PRIMARY_BYTES }))
      .map(([patch, at]) => {
        const bytes = primary.slice();
        bytes.set(patch.subarray(0, bytes.length - at), at);
        return bytes;
      });
    fc.assert(
      fc.property(
        fc.oneof(fc.uint8Array({ maxLength: 20_000 }), damaged),
        fc.bigInt({ min: -1n, max: 2n ** 63n }),
        (bytes, size) => {
          decodeGpt(bytes, size);
          decodeBackupGpt(bytes, size);
        },
      ),
      { numRuns: 400 },
    );
  });
});

function flipped(bytes: Uint8Array, at: number, bit: number): Uint8Array {
  const copy = bytes.slice();
  copy[at] = (copy[at] ?? 0) ^ (1 << bit);
  return copy;
}

function guids(): () => string {
  let count = 0;
  return () => `aaaaaaaa-0000-4000-8000-${String(++count).padStart(12, '0')}`;
}

function equal(found: Gpt | undefined, expected: Gpt): boolean {
  const plain = (gpt: Gpt | undefined): string =>
    JSON.stringify(gpt, (_key, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));
  return (
    found !== undefined &&
    plain({ diskGuid: found.diskGuid, partitions: found.partitions.map(ordered) }) ===
      plain({ diskGuid: expected.diskGuid, partitions: expected.partitions.map(ordered) })
  );
}

function ordered(partition: Gpt['partitions'][number]): Gpt['partitions'][number] {
  const { typeGuid, uniqueGuid, firstLba, lastLba, name, attributes } = partition;
  return { typeGuid, uniqueGuid, firstLba, lastLba, name, attributes };
}
