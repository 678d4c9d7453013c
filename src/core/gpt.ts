import { StorageError } from './errors.ts';

/**
 * The GUID partition table of a disk with 512-byte sectors (UEFI specification 2.10, chapter 5): what is in it, and how
 * Windows lays it out. `gpt-codec.ts` has its bytes. GUIDs are lower case; LBAs are sector numbers, both inclusive.
 */
export interface Gpt {
  readonly diskGuid: string;
  /** In the order of the table. */
  readonly partitions: readonly GptPartition[];
}

export interface GptPartition {
  readonly typeGuid: string;
  readonly uniqueGuid: string;
  readonly firstLba: bigint;
  readonly lastLba: bigint;
  /** At most 36 UTF-16 units. */
  readonly name: string;
  readonly attributes: bigint;
}

export const SECTOR_BYTES = 512n;

export const RESERVED_PARTITION_TYPE = 'e3c9e316-0b5c-4db8-817d-f92df00215ae';
export const BASIC_DATA_PARTITION_TYPE = 'ebd0a0a2-b9e5-4433-87c0-68b6b72699c7';
/** 16 MiB: where Windows starts the first basic-data partition. */
export const BASIC_PARTITION_FIRST_LBA = 32768n;

/** Behind the protective MBR, the header and the entries. */
export const FIRST_USABLE_LBA = 34n;

/**
 * The table Windows writes: a reserved partition up to 16 MiB and one basic-data partition over the rest, so that
 * the partition is 16 MiB and 33 sectors smaller than the disk. `failed-precondition` when nothing would be left.
 */
export function windowsLayout(diskBytes: bigint, nextGuid: () => string): Gpt {
  const lastLba = lastUsableLba(diskBytes);
  if (lastLba < BASIC_PARTITION_FIRST_LBA) {
    throw new StorageError(
      'failed-precondition',
      `cannot partition a disk of ${diskBytes} bytes: Windows' reserved partition alone takes 16 MiB`,
    );
  }
  return {
    diskGuid: nextGuid().toLowerCase(),
    partitions: [
      {
        typeGuid: RESERVED_PARTITION_TYPE,
        uniqueGuid: nextGuid().toLowerCase(),
        firstLba: FIRST_USABLE_LBA,
        lastLba: BASIC_PARTITION_FIRST_LBA - 1n,
        name: 'Microsoft reserved partition',
        attributes: 0n,
      },
      {
        typeGuid: BASIC_DATA_PARTITION_TYPE,
        uniqueGuid: nextGuid().toLowerCase(),
        firstLba: BASIC_PARTITION_FIRST_LBA,
        lastLba,
        name: 'Basic data partition',
        attributes: 0n,
      },
    ],
  };
}

/** The first basic-data partition: the one that holds the volume. */
export function basicPartition(gpt: Gpt): GptPartition | undefined {
  return gpt.partitions.find(({ typeGuid }) => typeGuid === BASIC_DATA_PARTITION_TYPE);
}

/** Bytes from the first to the last sector of a partition. */
export function partitionBytes(partition: GptPartition): bigint {
  return (partition.lastLba - partition.firstLba + 1n) * SECTOR_BYTES;
}

/** The same table with the basic-data partition stretched to the next partition or the end of the disk; it never shrinks. */
export function growBasicPartition(gpt: Gpt, diskBytes: bigint): Gpt {
  const basic = basicPartition(gpt);
  if (basic === undefined) return gpt;
  const limit = gpt.partitions
    .filter(({ firstLba }) => firstLba > basic.lastLba)
    .reduce((least, { firstLba }) => (firstLba <= least ? firstLba - 1n : least), lastUsableLba(diskBytes));
  if (limit <= basic.lastLba) return gpt;
  const grown = { ...basic, lastLba: limit };
  return { ...gpt, partitions: gpt.partitions.map((partition) => (partition === basic ? grown : partition)) };
}

/** The same layout under new names: a cloned disk must not be taken for its source. */
export function withNewGuids(gpt: Gpt, nextGuid: () => string): Gpt {
  return {
    diskGuid: nextGuid().toLowerCase(),
    partitions: gpt.partitions.map((partition) => ({ ...partition, uniqueGuid: nextGuid().toLowerCase() })),
  };
}

/** The last sector that a partition may have: behind it stands the backup of the table. */
export function lastUsableLba(diskBytes: bigint): bigint {
  return diskBytes / SECTOR_BYTES - 34n;
}
