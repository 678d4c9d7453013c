import { describe, expect, it } from '@jest/globals';
import { MIB } from '../../../src/core/capacity.ts';
import type { DiskContent } from '../../../src/core/content-state.ts';
import { examineDisk } from '../../../src/core/disk-content.ts';
import { BASIC_DATA_PARTITION_TYPE, type Gpt, windowsLayout } from '../../../src/core/gpt.ts';
import { type DiskPatch, newGuid, ntfsDisk, tablePatches } from '../../support/disk-bytes.ts';
import { SparseBytes } from '../../support/sparse-bytes.ts';

const SIZE = 128n * MIB;
const DATA = 16n * MIB;

const text = (offset: bigint, letters: string): DiskPatch => ({
  offset,
  bytes: new TextEncoder().encode(letters),
});
const bytes = (offset: bigint, ...values: number[]): DiskPatch => ({
  offset,
  bytes: Uint8Array.from(values),
});

function examine(patches: readonly DiskPatch[], diskBytes = SIZE, allocatedBytes = 0n): Promise<DiskContent> {
  const disk = new SparseBytes();
  for (const patch of patches) disk.write(patch.offset, patch.bytes);
  const least = disk.allocatedBytes;
  return examineDisk(disk, { diskBytes, allocatedBytes: allocatedBytes > least ? allocatedBytes : least });
}

const OURS = windowsLayout(SIZE, newGuid);
const [PRIMARY, BACKUP] = tablePatches(OURS, SIZE) as [DiskPatch, DiskPatch];
const withPartitions = (partitions: Gpt['partitions']): readonly DiskPatch[] =>
  tablePatches({ ...OURS, partitions }, SIZE);
const [RESERVED, BASIC] = OURS.partitions as [Gpt['partitions'][0], Gpt['partitions'][0]];
const LINUX = '0fc63daf-8483-4772-8e79-3d69d8477de4';

describe('law 1: a disk is blank', () => {
  it.each<[string, readonly DiskPatch[]]>([
    ['when nothing was ever written', []],
    ['with our table and no file system', [PRIMARY, BACKUP]],
    ['with only the first copy of our table', [PRIMARY]],
    ['with only the backup of our table', [BACKUP]],
    ['with the reserved partition alone', withPartitions([RESERVED])],
    ['with an empty table', withPartitions([])],
  ])('%s', async (_when, patches) => {
    expect(await examine(patches)).toMatchObject({ state: 'blank', fileSystemBytes: 0n });
  });

  it('with our table, after it was grown', async () => {
    expect(await examine([PRIMARY, BACKUP], 2n * SIZE)).toMatchObject({ state: 'blank' });
    expect(await examine([PRIMARY, BACKUP], SIZE + MIB)).toMatchObject({ state: 'blank' });
  });
});

describe('an NTFS volume in our partition', () => {
  it('is found with its size', async () => {
    const { patches, fileSystemBytes } = ntfsDisk(SIZE);
    expect(await examine(patches)).toEqual({
      state: 'ntfs',
      fileSystemBytes,
      found: `an NTFS file system of ${fileSystemBytes} bytes at byte ${DATA}`,
    });
  });

  it('is found on a grown disk, whatever else is in the data', async () => {
    const { patches, fileSystemBytes } = ntfsDisk(SIZE);
    const more = [...patches, text(DATA + 5n * MIB, 'XFSB'), bytes(DATA + MIB - 1n, 1)];
    expect(await examine(more, 2n * SIZE, 90n * MIB)).toMatchObject({ state: 'ntfs', fileSystemBytes });
  });
});

const MARKS: readonly (readonly [string, (at: bigint) => readonly DiskPatch[]])[] = [
  ['ext2', (at) => [bytes(at + 0x438n, 0x53, 0xef)]],
  ['ext3', (at) => [bytes(at + 0x438n, 0x53, 0xef), bytes(at + 0x45cn, 4)]],
  ['ext4', (at) => [bytes(at + 0x438n, 0x53, 0xef), bytes(at + 0x45cn, 4), bytes(at + 0x460n, 0xc2, 2)]],
  ['XFS', (at) => [text(at, 'XFSB')]],
  ['Btrfs', (at) => [text(at + 0x10040n, '_BHRfS_M')]],
  ['F2FS', (at) => [bytes(at + 0x400n, 0x10, 0x20, 0xf5, 0xf2)]],
  ['LUKS', (at) => [bytes(at, 0x4c, 0x55, 0x4b, 0x53, 0xba, 0xbe)]],
  ['LVM', (at) => [text(at + 512n, 'LABELONE')]],
  ['swap', (at) => [text(at + 4086n, 'SWAPSPACE2')]],
  ['exFAT', (at) => [text(at + 3n, 'EXFAT   ')]],
  ['FAT32', (at) => [text(at + 0x52n, 'FAT32   ')]],
  ['FAT16', (at) => [text(at + 0x36n, 'FAT16   ')]],
  ['FAT12', (at) => [text(at + 0x36n, 'FAT12   ')]],
  ['ReFS', (at) => [text(at + 3n, 'ReFS')]],
  ['BitLocker', (at) => [text(at + 3n, '-FVE-FS-')]],
  ['RAID', (at) => [bytes(at + 4096n, 0xfc, 0x4e, 0x2b, 0xa9)]],
  ['ZFS', (at) => [bytes(at + 131072n + 4096n, 0x0c, 0xb1, 0xba, 0x00)]],
  ['SquashFS', (at) => [text(at, 'hsqs')]],
  ['ISO 9660', (at) => [text(at + 0x8001n, 'CD001')]],
  ['Ceph', (at) => [text(at, 'bluestore block device')]],
];

describe('law 1: what else a disk holds is foreign, and named', () => {
  it.each(MARKS)('%s on the whole disk', async (name, patches) => {
    const content = await examine(patches(0n));
    expect(content).toMatchObject({ state: 'foreign', fileSystemBytes: 0n });
    expect(content.found).toContain(name);
    expect(content.found).toContain('whole disk');
  });

  it.each(MARKS)('%s in our partition', async (name, patches) => {
    const content = await examine([PRIMARY, BACKUP, ...patches(DATA)]);
    expect(content.state).toBe('foreign');
    expect(content.found).toContain(name);
    expect(content.found).toContain(`byte ${DATA}`);
  });

  const bootSector = ntfsDisk(SIZE).patches.slice(2);
  it.each<[string, readonly DiskPatch[], string]>([
    [
      'NTFS on the whole disk',
      bootSector.map((patch) => ({ ...patch, offset: 0n })),
      'an NTFS file system on the whole disk',
    ],
    [
      'an NTFS mark without a sound boot sector',
      [PRIMARY, BACKUP, text(DATA + 3n, 'NTFS    ')],
      'an NTFS file system',
    ],
    ['an MBR', [bytes(450n, 0x83), bytes(510n, 0x55, 0xaa)], 'an MBR partition table'],
    ['a GPT with an MBR beside it', [PRIMARY, BACKUP, bytes(466n, 0x83)], 'an MBR partition table beside it'],
    ['a damaged GPT', [PRIMARY, BACKUP, bytes(600n, 1)], 'a damaged GUID partition table'],
    [
      'a GPT of Linux',
      withPartitions([{ ...BASIC, typeGuid: LINUX }]),
      'a GUID partition table with 1 partitions (Linux data)',
    ],
    [
      'a partition beside ours',
      withPartitions([
        RESERVED,
        { ...BASIC, lastLba: 100_000n },
        { ...BASIC, typeGuid: LINUX, firstLba: 100_001n },
      ]),
      'Microsoft reserved, basic data, Linux data',
    ],
    [
      'two basic partitions',
      withPartitions([
        { ...BASIC, lastLba: 100_000n },
        { ...BASIC, typeGuid: BASIC_DATA_PARTITION_TYPE, firstLba: 100_001n },
      ]),
      '2 partitions (basic data, basic data)',
    ],
    ['a stray byte at the start', [bytes(5000n, 1)], 'unknown data at byte 5000'],
    ['a stray byte at the end', [bytes(SIZE - 1n, 1)], `unknown data at byte ${SIZE - 1n}`],
    ['a stray byte after our table', [PRIMARY, BACKUP, bytes(17408n, 1)], 'unknown data at byte 17408'],
    ['a stray byte before the backup table', [PRIMARY, BACKUP, bytes(BACKUP.offset - 1n, 1)], 'unknown data'],
    ['a stray byte in the reserved partition', [PRIMARY, BACKUP, bytes(DATA - 1n, 1)], 'unknown data'],
    ['a stray byte in our partition', [PRIMARY, BACKUP, bytes(DATA + MIB - 1n, 1)], 'unknown data'],
    ['a stray byte and only the backup table', [BACKUP, bytes(0n, 1)], 'unknown data at byte 0'],
  ])('%s', async (_what, patches, found) => {
    const content = await examine(patches);
    expect(content).toMatchObject({ state: 'foreign', fileSystemBytes: 0n });
    expect(content.found).toContain(found);
  });

  it.each([[[]], [[PRIMARY, BACKUP]]])(
    'data somewhere in the middle, seen by what is allocated',
    async (patches) => {
      expect(await examine(patches, SIZE, 4n * MIB)).toMatchObject({ state: 'blank' });
      const content = await examine(patches, SIZE, 4n * MIB + 4096n);
      expect(content).toMatchObject({ state: 'foreign', found: expect.stringContaining('unknown data') });
    },
  );

  it.each([0n, 511n, MIB - 1n])('a disk of %s bytes, too small to be ours', async (diskBytes) => {
    expect(await examine([], diskBytes)).toMatchObject({ state: 'foreign' });
  });
});
