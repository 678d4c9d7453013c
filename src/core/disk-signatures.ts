/**
 * What blkid and Windows look at to tell what a disk or partition holds: a mark at a fixed place. Used only to
 * refuse and to say why (law 1): a missing entry makes a message poorer, never a disk formattable.
 */
interface Signature {
  readonly name: string;
  readonly offset: number;
  /** Text or bytes to be found there. */
  readonly mark: string | readonly number[];
}

const SIGNATURES: readonly Signature[] = [
  { name: 'an NTFS file system', offset: 3, mark: 'NTFS    ' },
  { name: 'an exFAT file system', offset: 3, mark: 'EXFAT   ' },
  { name: 'a ReFS file system', offset: 3, mark: 'ReFS\0\0\0\0' },
  { name: 'a BitLocker volume', offset: 3, mark: '-FVE-FS-' },
  { name: 'a FAT32 file system', offset: 0x52, mark: 'FAT32   ' },
  { name: 'a FAT16 file system', offset: 0x36, mark: 'FAT16   ' },
  { name: 'a FAT12 file system', offset: 0x36, mark: 'FAT12   ' },
  { name: 'an XFS file system', offset: 0, mark: 'XFSB' },
  { name: 'a Btrfs file system', offset: 0x10040, mark: '_BHRfS_M' },
  { name: 'an F2FS file system', offset: 0x400, mark: [0x10, 0x20, 0xf5, 0xf2] },
  { name: 'a LUKS encrypted volume', offset: 0, mark: [0x4c, 0x55, 0x4b, 0x53, 0xba, 0xbe] },
  ...[0, 512, 1024, 1536].map((offset) => ({ name: 'an LVM physical volume', offset, mark: 'LABELONE' })),
  { name: 'Linux swap space', offset: 4086, mark: 'SWAPSPACE2' },
  { name: 'Linux swap space', offset: 4086, mark: 'SWAP-SPACE' },
  { name: 'a Linux RAID member', offset: 0, mark: [0xfc, 0x4e, 0x2b, 0xa9] },
  { name: 'a Linux RAID member', offset: 4096, mark: [0xfc, 0x4e, 0x2b, 0xa9] },
  { name: 'a SquashFS image', offset: 0, mark: 'hsqs' },
  { name: 'an ISO 9660 image', offset: 0x8001, mark: 'CD001' },
  { name: 'a Ceph OSD', offset: 0, mark: 'bluestore block device' },
];

/** Enough of the start of a disk or partition to see every mark. */
export const SIGNATURE_BYTES = 256 * 1024;

/** Names what begins at the start of `bytes`; `undefined` when nothing is known. */
export function recognise(bytes: Uint8Array): string | undefined {
  const found = SIGNATURES.find(({ offset, mark }) => hasMark(bytes, offset, mark));
  return found?.name ?? extFileSystem(bytes) ?? zfsPool(bytes);
}

/** Whether a text or bytes stand at a place. */
export function hasMark(bytes: Uint8Array, offset: number, mark: string | readonly number[]): boolean {
  const wanted = typeof mark === 'string' ? new TextEncoder().encode(mark) : Uint8Array.from(mark);
  return wanted.every((byte, index) => bytes[offset + index] === byte);
}

const EXT_SUPERBLOCK = 0x400;
const EXT_MAGIC = [0x53, 0xef];
const EXT_HAS_JOURNAL = 0x4;
/** Extents, 64-bit, flex_bg: what ext3 does not know. */
const EXT4_INCOMPATIBLE = 0x40 | 0x80 | 0x200;

function extFileSystem(bytes: Uint8Array): string | undefined {
  if (!hasMark(bytes, EXT_SUPERBLOCK + 0x38, EXT_MAGIC)) return undefined;
  const compatible = bytes[EXT_SUPERBLOCK + 0x5c] ?? 0;
  const incompatible = (bytes[EXT_SUPERBLOCK + 0x60] ?? 0) | ((bytes[EXT_SUPERBLOCK + 0x61] ?? 0) << 8);
  if ((incompatible & EXT4_INCOMPATIBLE) !== 0) return 'an ext4 file system';
  return (compatible & EXT_HAS_JOURNAL) !== 0 ? 'an ext3 file system' : 'an ext2 file system';
}

const ZFS_UBERBLOCKS = 128 * 1024;
const ZFS_UBERBLOCK_STEP = 1024;
const ZFS_MAGIC = [0x0c, 0xb1, 0xba, 0x00];

function zfsPool(bytes: Uint8Array): string | undefined {
  for (let at = ZFS_UBERBLOCKS; at < SIGNATURE_BYTES; at += ZFS_UBERBLOCK_STEP) {
    if (hasMark(bytes, at, ZFS_MAGIC)) return 'a ZFS pool member';
  }
  return undefined;
}

const PARTITION_TYPES: ReadonlyMap<string, string> = new Map([
  ['e3c9e316-0b5c-4db8-817d-f92df00215ae', 'Microsoft reserved'],
  ['ebd0a0a2-b9e5-4433-87c0-68b6b72699c7', 'basic data'],
  ['c12a7328-f81f-11d2-ba4b-00a0c93ec93b', 'EFI system'],
  ['de94bba4-06d1-4d40-a16a-bfd50179d6ac', 'Windows recovery'],
  ['5808c8aa-7e8f-42e0-85d2-e1e90434cfb3', 'Windows dynamic disk metadata'],
  ['af9b60a0-1431-4f62-bc68-3311714a69ad', 'Windows dynamic disk data'],
  ['e75caf8f-f680-4cee-afa3-b001e56efc2d', 'Windows Storage Spaces'],
  ['0fc63daf-8483-4772-8e79-3d69d8477de4', 'Linux data'],
  ['0657fd6d-a4ab-43c4-84e5-0933c84b4f4f', 'Linux swap'],
  ['e6d6d379-f507-44c2-a23c-238f2a3df928', 'Linux LVM'],
  ['a19d880f-05fc-4d3b-a006-743f0f84911e', 'Linux RAID'],
]);

/** The name people know a GPT partition type by, or its GUID. */
export const partitionTypeName = (typeGuid: string): string => PARTITION_TYPES.get(typeGuid) ?? typeGuid;
