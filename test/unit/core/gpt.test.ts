import { describe, expect, it } from '@jest/globals';
import { MIB } from '../../../src/core/capacity.ts';
import { crc32 } from '../../../src/core/crc32.ts';
import {
  decodeBackupGpt,
  decodeGpt,
  encodeGpt,
  GPT_BACKUP_BYTES,
  GPT_PRIMARY_BYTES,
} from '../../../src/core/gpt-codec.ts';
import {
  BASIC_DATA_PARTITION_TYPE,
  basicPartition,
  growBasicPartition,
  partitionBytes,
  windowsLayout,
  withNewGuids,
} from '../../../src/core/gpt.ts';
import type { Gpt } from '../../../src/core/gpt.ts';
import { decodeGuid, encodeGuid } from '../../../src/core/guid.ts';

const GIB = 1024n * MIB;

function countingGuids(): () => string {
  let count = 0;
  return () => `00000000-0000-4000-8000-${String(++count).padStart(12, '0')}`;
}

const sample = (): Gpt => windowsLayout(GIB, countingGuids());

describe('crc32', () => {
  it.each([
    ['', 0],
    ['123456789', 0xcbf43926],
  ])('of "%s" is %d, as published', (text, expected) => {
    expect(crc32(new TextEncoder().encode(text))).toBe(expected);
  });
});

describe('GUID', () => {
  it('stands mixed-endian on disk', () => {
    const bytes = encodeGuid('E3C9E316-0B5C-4DB8-817D-F92DF00215AE');
    expect(Buffer.from(bytes).toString('hex')).toBe('16e3c9e35c0bb84d817df92df00215ae');
    expect(decodeGuid(bytes)).toBe('e3c9e316-0b5c-4db8-817d-f92df00215ae');
  });

  it('refuses a text that is no GUID', () => {
    expect(() => encodeGuid('not-a-guid')).toThrow('is not a GUID');
  });
});

describe('windowsLayout', () => {
  it.each([
    [GIB, 1056947712n],
    [2n * GIB, 2130689536n],
  ])('of a disk of %d bytes has the data partition Windows makes: %d bytes', (disk, expected) => {
    const basic = basicPartition(windowsLayout(disk, countingGuids()));
    expect(basic && partitionBytes(basic)).toBe(expected);
    expect(expected).toBe(disk - 16n * MIB - 33n * 512n);
  });

  it('puts the reserved partition at LBA 34 and the data at 16 MiB', () => {
    const [reserved, basic] = sample().partitions;
    expect([reserved?.firstLba, reserved?.lastLba]).toEqual([34n, 34n + 32734n - 1n]);
    expect(basic?.firstLba).toBe(32768n);
  });

  it('refuses a disk that would have no room for data', () => {
    expect(() => windowsLayout(16n * MIB, countingGuids())).toThrow(
      'cannot partition a disk of 16777216 bytes',
    );
  });
});

describe('encodeGpt', () => {
  it('is read back from either end of the disk', () => {
    const gpt = sample();
    const { primary, backup, backupOffset } = encodeGpt(gpt, GIB);
    expect([primary.length, backup.length]).toEqual([GPT_PRIMARY_BYTES, GPT_BACKUP_BYTES]);
    expect(backupOffset).toBe(GIB - BigInt(GPT_BACKUP_BYTES));
    expect(decodeGpt(primary, GIB)).toEqual(gpt);
    expect(decodeBackupGpt(backup, GIB)).toEqual(gpt);
  });

  it('refuses a partition that does not fit the disk', () => {
    expect(() => encodeGpt(sample(), GIB - MIB)).toThrow('does not fit');
  });

  it('uses whole sectors of a disk that ends within one', () => {
    const gpt = windowsLayout(GIB + 100n, countingGuids());
    expect(encodeGpt(gpt, GIB + 100n).backupOffset).toBe(GIB - BigInt(GPT_BACKUP_BYTES));
  });
});

describe('decodeGpt', () => {
  const { primary, backup } = encodeGpt(sample(), GIB);

  it.each([
    ['zeros', new Uint8Array(GPT_PRIMARY_BYTES)],
    ['no bytes', new Uint8Array()],
    ['a table cut short', primary.subarray(0, 1024)],
    ['a table without protective MBR', new Uint8Array([...new Uint8Array(512), ...primary.subarray(512)])],
  ])('sees no table in %s', (_what, bytes) => {
    expect(decodeGpt(bytes, GIB)).toBeUndefined();
  });

  it('sees no table that reaches beyond the end of the disk', () => {
    expect(decodeGpt(primary, GIB / 2n)).toBeUndefined();
  });

  it('sees the table of a disk that has grown, its backup left behind', () => {
    expect(decodeGpt(primary, 2n * GIB)).toEqual(sample());
    expect(decodeBackupGpt(backup, 2n * GIB)).toBeUndefined();
  });

  it('reads a Buffer, and leaves it as it was', () => {
    const buffer = Buffer.from(primary);
    expect(decodeGpt(buffer, GIB)).toEqual(sample());
    expect(buffer.equals(primary)).toBe(true);
  });

  it('reads bytes that are a window into a larger buffer', () => {
    const buffer = new Uint8Array(GPT_PRIMARY_BYTES + 7);
    buffer.set(primary, 7);
    expect(decodeGpt(buffer.subarray(7), GIB)).toEqual(sample());
  });
});

describe('growBasicPartition', () => {
  it('stretches the data partition to the end and keeps every name', () => {
    const grown = growBasicPartition(sample(), 2n * GIB);
    expect(basicPartition(grown)?.lastLba).toBe((2n * GIB) / 512n - 34n);
    expect(grown.partitions.map(({ uniqueGuid }) => uniqueGuid)).toEqual(
      sample().partitions.map(({ uniqueGuid }) => uniqueGuid),
    );
  });

  it('never shrinks', () => {
    expect(growBasicPartition(sample(), GIB / 2n)).toEqual(sample());
  });

  it('stops before the next partition', () => {
    const [reserved, basic] = sample().partitions;
    if (reserved === undefined || basic === undefined) throw new Error('the layout has two partitions');
    const gpt = {
      ...sample(),
      partitions: [
        { ...reserved, firstLba: 4000n, lastLba: 5000n },
        { ...basic, firstLba: 34n, lastLba: 100n },
      ],
    };
    expect(basicPartition(growBasicPartition(gpt, GIB))?.lastLba).toBe(3999n);
  });

  it('leaves a table without data partition as it is', () => {
    const gpt = { ...sample(), partitions: [] };
    expect(growBasicPartition(gpt, 2n * GIB)).toBe(gpt);
  });
});

describe('withNewGuids', () => {
  it('renames disk and partitions, never their types', () => {
    let next = 0x100;
    const clone = withNewGuids(
      sample(),
      () => `00000000-0000-4000-8000-${(next++).toString(16).padStart(12, '0')}`,
    );
    const names = (gpt: Gpt): readonly string[] => [gpt.diskGuid, ...gpt.partitions.map((p) => p.uniqueGuid)];
    expect(names(clone).filter((name) => names(sample()).includes(name))).toEqual([]);
    expect(basicPartition(clone)?.typeGuid).toBe(BASIC_DATA_PARTITION_TYPE);
    expect(clone.partitions.map((p) => [p.firstLba, p.lastLba])).toEqual(
      sample().partitions.map((p) => [p.firstLba, p.lastLba]),
    );
  });
});
