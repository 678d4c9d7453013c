import { MIB } from './capacity.ts';
import type { DiskContent } from './content-state.ts';
import { hasMark, partitionTypeName, recognise, SIGNATURE_BYTES } from './disk-signatures.ts';
import { decodeBackupGpt, decodeGpt, GPT_BACKUP_BYTES, GPT_PRIMARY_BYTES } from './gpt-codec.ts';
import {
  BASIC_DATA_PARTITION_TYPE,
  basicPartition,
  type Gpt,
  type GptPartition,
  partitionBytes,
  RESERVED_PARTITION_TYPE,
  SECTOR_BYTES,
} from './gpt.ts';
import { BOOT_SECTOR_BYTES, decodeNtfsBootSector } from './ntfs-boot-sector.ts';

/** Reads a disk. Gives exactly `length` bytes; what lies past the end of the disk is zero. */
export interface ByteReader {
  read(offset: bigint, length: number): Promise<Uint8Array>;
}

export interface DiskSizes {
  readonly diskBytes: bigint;
  /** What the storage really holds for this disk: a sparse disk that nobody wrote to has almost nothing. */
  readonly allocatedBytes: bigint;
}

/** A disk with more than this was written to beyond a partition table, wherever that may be. */
const MOST_BYTES_OF_A_BLANK_DISK = 4n * MIB;
/** How much of each end of the disk and of its partitions must be zero. */
const EDGE_BYTES = Number(MIB);

/**
 * What the bytes of a disk say (law 1), on the side of caution: `blank` only when everything that was looked at
 * is zero but for a partition table of ours, and hardly anything was ever written. Our own half-made disks
 * (no table, one copy of it, both copies, no file system yet) are blank, so that a crash between partition and
 * format can be mended. What cannot be told is `foreign`.
 */
export async function examineDisk(reader: ByteReader, sizes: DiskSizes): Promise<DiskContent> {
  if (sizes.diskBytes < MIB) return foreign(`only ${sizes.diskBytes} bytes, too little for a disk of ours`);
  const disk = { reader, ...sizes };
  const start = await reader.read(0n, GPT_PRIMARY_BYTES);
  const table = decodeGpt(start, sizes.diskBytes);
  if (table !== undefined) {
    if (mbrPartitions(start) > 1)
      return foreign('a GUID partition table with an MBR partition table beside it');
    return examinePartitions(disk, table, GPT_PRIMARY_BYTES);
  }
  const end = await reader.read(sizes.diskBytes - BigInt(GPT_BACKUP_BYTES), GPT_BACKUP_BYTES);
  const backup = decodeBackupGpt(end, sizes.diskBytes);
  if (backup !== undefined && isZero(start)) return examinePartitions(disk, backup, 0);
  return examineUnpartitioned(disk, start);
}

interface Disk extends DiskSizes {
  readonly reader: ByteReader;
}

async function examinePartitions(disk: Disk, table: Gpt, primaryBytes: number): Promise<DiskContent> {
  if (!isOurs(table)) return foreign(`a GUID partition table with ${describePartitions(table)}`);
  const basic = basicPartition(table);
  if (basic !== undefined) {
    const at = basic.firstLba * SECTOR_BYTES;
    const bytes = await disk.reader.read(at, SIGNATURE_BYTES);
    const ntfs = decodeNtfsBootSector(bytes.subarray(0, BOOT_SECTOR_BYTES));
    if (ntfs !== undefined) return ntfsAt(at, ntfs.fileSystemBytes);
    const name = recognise(bytes);
    if (name !== undefined) return foreign(`${name} at byte ${at}`);
  }
  return blankUnlessWritten(disk, table.partitions, primaryBytes);
}

async function examineUnpartitioned(disk: Disk, start: Uint8Array): Promise<DiskContent> {
  const name = recognise(await disk.reader.read(0n, SIGNATURE_BYTES));
  if (name !== undefined) return foreign(`${name} on the whole disk, without a partition table`);
  if (hasMark(start, Number(SECTOR_BYTES), 'EFI PART')) return foreign('a damaged GUID partition table');
  if (mbrPartitions(start) > 0) return foreign('an MBR partition table');
  return blankUnlessWritten(disk, [], 0);
}

/** Partitions of the kinds Windows makes on our disks, at most one of each. */
function isOurs({ partitions }: Gpt): boolean {
  const types = partitions.map(({ typeGuid }) => typeGuid);
  const known = types.every((type) => type === RESERVED_PARTITION_TYPE || type === BASIC_DATA_PARTITION_TYPE);
  return known && new Set(types).size === types.length;
}

async function blankUnlessWritten(
  disk: Disk,
  partitions: readonly GptPartition[],
  primaryBytes: number,
): Promise<DiskContent> {
  const spans = [
    { from: BigInt(primaryBytes), to: await endBeforeBackup(disk) },
    ...partitions.map((partition) => ({
      from: partition.firstLba * SECTOR_BYTES,
      to: partition.firstLba * SECTOR_BYTES + partitionBytes(partition),
    })),
  ];
  for (const edge of spans.flatMap(edgesOf)) {
    const at = firstNonZero(await disk.reader.read(edge.offset, edge.length));
    if (at !== -1) return foreign(`unknown data at byte ${edge.offset + BigInt(at)}`);
  }
  if (disk.allocatedBytes > MOST_BYTES_OF_A_BLANK_DISK) {
    return foreign(`unknown data: ${disk.allocatedBytes} bytes were written, no file system is recognised`);
  }
  const found = partitions.length === 0 ? 'no data' : 'an empty partition table and no data';
  return { state: 'blank', found, fileSystemBytes: 0n };
}

/** Where the disk ends for data: before the backup table, if one stands at the end. */
async function endBeforeBackup({ reader, diskBytes }: Disk): Promise<bigint> {
  const at = diskBytes - BigInt(GPT_BACKUP_BYTES);
  return decodeBackupGpt(await reader.read(at, GPT_BACKUP_BYTES), diskBytes) === undefined ? diskBytes : at;
}

function edgesOf({ from, to }: { readonly from: bigint; readonly to: bigint }): readonly Edge[] {
  const length = to - from < MIB ? Number(to - from) : EDGE_BYTES;
  return [
    { offset: from, length },
    { offset: to - BigInt(length), length },
  ];
}

interface Edge {
  readonly offset: bigint;
  readonly length: number;
}

function ntfsAt(offset: bigint, fileSystemBytes: bigint): DiskContent {
  return {
    state: 'ntfs',
    found: `an NTFS file system of ${fileSystemBytes} bytes at byte ${offset}`,
    fileSystemBytes,
  };
}

const foreign = (found: string): DiskContent => ({ state: 'foreign', found, fileSystemBytes: 0n });

function describePartitions({ partitions }: Gpt): string {
  const names = partitions.map(({ typeGuid }) => partitionTypeName(typeGuid));
  return `${partitions.length} partitions (${names.join(', ')})`;
}

/** How many of the four entries of a master boot record are in use; the one that protects a GPT is one of them. */
function mbrPartitions(start: Uint8Array): number {
  if (start[510] !== 0x55 || start[511] !== 0xaa) return 0;
  return [446, 462, 478, 494].filter((entry) => start[entry + 4] !== 0).length;
}

const isZero = (bytes: Uint8Array): boolean => firstNonZero(bytes) === -1;

function firstNonZero(bytes: Uint8Array): number {
  for (let at = 0; at < bytes.length; at++) if (bytes[at] !== 0) return at;
  return -1;
}
