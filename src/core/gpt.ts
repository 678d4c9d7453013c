import { crc32 } from './crc32.ts';
import { StorageError } from './errors.ts';
import { decodeGuid, encodeGuid, GUID_BYTES } from './guid.ts';

/**
 * The GUID partition table of a disk with 512-byte sectors (UEFI specification 2.10, chapter 5), as bytes and back.
 * Pure: whoever calls it reads and writes the disk. GUIDs are lower case; LBAs are sector numbers, both inclusive.
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
/** Protective MBR, header and entries at the start of a disk. */
export const GPT_PRIMARY_BYTES = 34 * 512;
/** Entries and header at the very end of a disk. */
export const GPT_BACKUP_BYTES = 33 * 512;

export const RESERVED_PARTITION_TYPE = 'e3c9e316-0b5c-4db8-817d-f92df00215ae';
export const BASIC_DATA_PARTITION_TYPE = 'ebd0a0a2-b9e5-4433-87c0-68b6b72699c7';
/** 16 MiB: where Windows starts the first basic-data partition. */
export const BASIC_PARTITION_FIRST_LBA = 32768n;

const SECTOR = 512;
const ENTRY_BYTES = 128;
const ENTRY_COUNT = 128;
const ENTRIES_BYTES = ENTRY_BYTES * ENTRY_COUNT;
const HEADER_BYTES = 92;
const NAME_UNITS = 36;
const FIRST_USABLE_LBA = 34n;
const REVISION = 0x00010000;
const PROTECTIVE_TYPE = 0xee;
const SIGNATURE = new TextEncoder().encode('EFI PART');

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

/** Both copies of the table: `primary` belongs at byte 0, `backup` at `backupOffset`. Write the backup first. */
export function encodeGpt(
  gpt: Gpt,
  diskBytes: bigint,
): { readonly primary: Uint8Array; readonly backup: Uint8Array; readonly backupOffset: bigint } {
  const sectors = diskBytes / SECTOR_BYTES;
  const last = lastUsableLba(diskBytes);
  requireFit(gpt, last);
  const entries = encodeEntries(gpt.partitions);
  const common = { diskGuid: gpt.diskGuid, lastUsableLba: last, entriesCrc: crc32(entries) };
  const primary = new Uint8Array(GPT_PRIMARY_BYTES);
  primary.set(protectiveMbr(sectors));
  primary.set(encodeHeader({ ...common, ownLba: 1n, otherLba: sectors - 1n, entriesLba: 2n }), SECTOR);
  primary.set(entries, 2 * SECTOR);
  const backup = new Uint8Array(GPT_BACKUP_BYTES);
  backup.set(entries);
  backup.set(
    encodeHeader({ ...common, ownLba: sectors - 1n, otherLba: 1n, entriesLba: last + 1n }),
    ENTRIES_BYTES,
  );
  return { primary, backup, backupOffset: (last + 1n) * SECTOR_BYTES };
}

/**
 * The table in the first `GPT_PRIMARY_BYTES` of a disk; `undefined` when these bytes are no valid GPT for a disk of
 * that size. The backup may stand elsewhere than at the end: that is how a grown disk looks. Never throws.
 */
export function decodeGpt(primary: Uint8Array, diskBytes: bigint): Gpt | undefined {
  return hasProtectiveMbr(primary) ? decodeTable(primary, SECTOR, 0n, diskBytes) : undefined;
}

/** The table in the last `GPT_BACKUP_BYTES` of a disk, as `decodeGpt`. */
export function decodeBackupGpt(backup: Uint8Array, diskBytes: bigint): Gpt | undefined {
  if (backup.length < GPT_BACKUP_BYTES) return undefined;
  return decodeTable(backup, ENTRIES_BYTES, lastUsableLba(diskBytes) + 1n, diskBytes);
}

function lastUsableLba(diskBytes: bigint): bigint {
  return diskBytes / SECTOR_BYTES - 34n;
}

function requireFit({ partitions }: Gpt, last: bigint): void {
  const misfit = partitions.find(
    ({ firstLba, lastLba }) => firstLba < FIRST_USABLE_LBA || lastLba > last || firstLba > lastLba,
  );
  if (misfit === undefined && partitions.length <= ENTRY_COUNT) return;
  throw new StorageError(
    'failed-precondition',
    misfit === undefined
      ? `cannot write a partition table of ${partitions.length} partitions: it has room for ${ENTRY_COUNT}`
      : `cannot write a partition table: "${misfit.name}" at sectors ${misfit.firstLba} to ${misfit.lastLba} ` +
          `does not fit between ${FIRST_USABLE_LBA} and ${last}`,
  );
}

function protectiveMbr(sectors: bigint): Uint8Array {
  const mbr = new Uint8Array(SECTOR);
  const view = new DataView(mbr.buffer);
  mbr.set([0, 0, 2, 0, PROTECTIVE_TYPE, 0xff, 0xff, 0xff], 446);
  view.setUint32(454, 1, true);
  view.setUint32(458, sectors - 1n < 0xffffffffn ? Number(sectors - 1n) : 0xffffffff, true);
  mbr.set([0x55, 0xaa], 510);
  return mbr;
}

function hasProtectiveMbr(disk: Uint8Array): boolean {
  if (disk[510] !== 0x55 || disk[511] !== 0xaa) return false;
  return [446, 462, 478, 494].some((record) => disk[record + 4] === PROTECTIVE_TYPE);
}

interface Header {
  readonly diskGuid: string;
  readonly lastUsableLba: bigint;
  readonly entriesCrc: number;
  readonly ownLba: bigint;
  readonly otherLba: bigint;
  readonly entriesLba: bigint;
}

function encodeHeader(header: Header): Uint8Array {
  const bytes = new Uint8Array(SECTOR);
  const view = new DataView(bytes.buffer);
  bytes.set(SIGNATURE);
  view.setUint32(8, REVISION, true);
  view.setUint32(12, HEADER_BYTES, true);
  view.setBigUint64(24, header.ownLba, true);
  view.setBigUint64(32, header.otherLba, true);
  view.setBigUint64(40, FIRST_USABLE_LBA, true);
  view.setBigUint64(48, header.lastUsableLba, true);
  bytes.set(encodeGuid(header.diskGuid), 56);
  view.setBigUint64(72, header.entriesLba, true);
  view.setUint32(80, ENTRY_COUNT, true);
  view.setUint32(84, ENTRY_BYTES, true);
  view.setUint32(88, header.entriesCrc, true);
  view.setUint32(16, crc32(bytes.subarray(0, HEADER_BYTES)), true);
  return bytes;
}

function encodeEntries(partitions: readonly GptPartition[]): Uint8Array {
  const bytes = new Uint8Array(ENTRIES_BYTES);
  const view = new DataView(bytes.buffer);
  partitions.forEach((partition, index) => {
    const at = index * ENTRY_BYTES;
    bytes.set(encodeGuid(partition.typeGuid), at);
    bytes.set(encodeGuid(partition.uniqueGuid), at + 16);
    view.setBigUint64(at + 32, partition.firstLba, true);
    view.setBigUint64(at + 40, partition.lastLba, true);
    view.setBigUint64(at + 48, partition.attributes, true);
    for (let unit = 0; unit < Math.min(partition.name.length, NAME_UNITS); unit++) {
      view.setUint16(at + 56 + unit * 2, partition.name.charCodeAt(unit), true);
    }
  });
  return bytes;
}

/** Reads the header at `headerAt` of `bytes`, which begin at sector `baseLba` of the disk, and its entries. */
function decodeTable(
  bytes: Uint8Array,
  headerAt: number,
  baseLba: bigint,
  diskBytes: bigint,
): Gpt | undefined {
  const sector = bytes.subarray(headerAt, headerAt + SECTOR);
  if (!isSoundHeader(sector)) return undefined;
  const header = viewOf(sector);
  const firstUsable = header.getBigUint64(40, true);
  const lastUsable = header.getBigUint64(48, true);
  const sectors = diskBytes / SECTOR_BYTES;
  if (header.getBigUint64(24, true) !== baseLba + BigInt(headerAt / SECTOR)) return undefined;
  if (lastUsable >= sectors) return undefined;
  const entries = entriesOf(header, bytes, baseLba);
  if (entries === undefined) return undefined;
  const size = header.getUint32(84, true);
  const partitions: GptPartition[] = [];
  for (let at = 0; at < entries.length; at += size) {
    const partition = decodeEntry(entries.subarray(at, at + size));
    if (partition === undefined) continue;
    if (partition.firstLba < firstUsable || partition.lastLba > lastUsable) return undefined;
    if (partition.firstLba > partition.lastLba) return undefined;
    partitions.push(partition);
  }
  return { diskGuid: decodeGuid(sector.subarray(56, 72)), partitions };
}

function isSoundHeader(sector: Uint8Array): boolean {
  if (sector.length < SECTOR || !SIGNATURE.every((byte, index) => sector[index] === byte)) return false;
  const view = viewOf(sector);
  const size = view.getUint32(12, true);
  if (size < HEADER_BYTES || size > SECTOR) return false;
  const checked = Uint8Array.from(sector.subarray(0, size)); // not slice(): a Buffer's is no copy
  checked.fill(0, 16, 20);
  return crc32(checked) === view.getUint32(16, true) && sector.subarray(size).every((byte) => byte === 0);
}

/** The checked array of entries that a header points to; `undefined` when it is not within `bytes` or damaged. */
function entriesOf(header: DataView, bytes: Uint8Array, baseLba: bigint): Uint8Array | undefined {
  const size = header.getUint32(84, true);
  const start = (header.getBigUint64(72, true) - baseLba) * SECTOR_BYTES;
  const end = start + BigInt(header.getUint32(80, true)) * BigInt(size);
  if (size < ENTRY_BYTES || start < 0n || end > BigInt(bytes.length)) return undefined;
  const entries = bytes.subarray(Number(start), Number(end));
  return crc32(entries) === header.getUint32(88, true) ? entries : undefined;
}

function decodeEntry(entry: Uint8Array): GptPartition | undefined {
  if (entry.subarray(0, GUID_BYTES).every((byte) => byte === 0)) return undefined;
  const view = viewOf(entry);
  const units = Array.from({ length: NAME_UNITS }, (_, unit) => view.getUint16(56 + unit * 2, true));
  const end = units.indexOf(0);
  return {
    typeGuid: decodeGuid(entry.subarray(0, 16)),
    uniqueGuid: decodeGuid(entry.subarray(16, 32)),
    firstLba: view.getBigUint64(32, true),
    lastLba: view.getBigUint64(40, true),
    attributes: view.getBigUint64(48, true),
    name: String.fromCharCode(...(end === -1 ? units : units.slice(0, end))),
  };
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
