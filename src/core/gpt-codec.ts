import { crc32 } from './crc32.ts';
import { StorageError } from './errors.ts';
import { FIRST_USABLE_LBA, lastUsableLba, SECTOR_BYTES, type Gpt, type GptPartition } from './gpt.ts';
import { decodeGuid, encodeGuid, GUID_BYTES } from './guid.ts';

/** Protective MBR, header and entries at the start of a disk. */
export const GPT_PRIMARY_BYTES = 34 * 512;
/** Entries and header at the very end of a disk. */
export const GPT_BACKUP_BYTES = 33 * 512;

const SECTOR = 512;
const ENTRY_BYTES = 128;
const ENTRY_COUNT = 128;
const ENTRIES_BYTES = ENTRY_BYTES * ENTRY_COUNT;
const HEADER_BYTES = 92;
const NAME_UNITS = 36;
const REVISION = 0x00010000;
const PROTECTIVE_TYPE = 0xee;
const SIGNATURE = new TextEncoder().encode('EFI PART');

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
