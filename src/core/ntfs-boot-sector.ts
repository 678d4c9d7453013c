import { StorageError } from './errors.ts';

/**
 * The first sector of an NTFS volume: what Windows, Linux and our own content check read to see that a partition
 * holds NTFS and how large that file system is. Field names follow Microsoft's description of the NTFS BPB.
 */
export const BOOT_SECTOR_BYTES = 512;

const SECTOR_BYTES = 512n;
const OEM_ID = 'NTFS    ';
const FIELD = {
  jump: 0x00,
  oemId: 0x03,
  bytesPerSector: 0x0b,
  sectorsPerCluster: 0x0d,
  mediaDescriptor: 0x15,
  sectorsPerTrack: 0x18,
  heads: 0x1a,
  hiddenSectors: 0x1c,
  driveNumber: 0x24,
  totalSectors: 0x28,
  mftCluster: 0x30,
  mftMirrorCluster: 0x38,
  clustersPerRecord: 0x40,
  clustersPerIndex: 0x44,
  serialNumber: 0x48,
  signature: 0x1fe,
} as const;
const SIGNATURE = 0xaa55;
/** NTFS counts clusters in 32 bits. */
const MAX_CLUSTERS = 0xffff_ffffn;

export interface NtfsGeometry {
  /** Size of the partition. Its last sector holds the copy of the boot sector and is not part of the file system. */
  readonly volumeBytes: bigint;
  /** Sector of the disk at which the partition starts. */
  readonly firstLba: bigint;
  /** 64 random bits. */
  readonly serial: bigint;
}

/** A boot sector that a fresh quick format leaves: 512-byte sectors, 4 KiB clusters (larger above 16 TiB). */
export function encodeNtfsBootSector({ volumeBytes, firstLba, serial }: NtfsGeometry): Uint8Array {
  const totalSectors = volumeBytes / SECTOR_BYTES - 1n;
  const sectorsPerCluster = clusterSectorsFor(totalSectors);
  const clusters = totalSectors / BigInt(sectorsPerCluster);

  const sector = new Uint8Array(BOOT_SECTOR_BYTES);
  const view = new DataView(sector.buffer);
  sector.set([0xeb, 0x52, 0x90], FIELD.jump);
  sector.set(new TextEncoder().encode(OEM_ID), FIELD.oemId);
  view.setUint16(FIELD.bytesPerSector, Number(SECTOR_BYTES), true);
  view.setUint8(FIELD.sectorsPerCluster, sectorsPerCluster);
  view.setUint8(FIELD.mediaDescriptor, 0xf8);
  view.setUint16(FIELD.sectorsPerTrack, 63, true);
  view.setUint16(FIELD.heads, 255, true);
  view.setUint32(FIELD.hiddenSectors, Number(BigInt.asUintN(32, firstLba)), true);
  view.setUint32(FIELD.driveNumber, 0x0080_0080, true);
  view.setBigUint64(FIELD.totalSectors, totalSectors, true);
  view.setBigUint64(FIELD.mftCluster, 4n, true);
  view.setBigUint64(FIELD.mftMirrorCluster, clusters / 2n, true);
  view.setInt8(FIELD.clustersPerRecord, -10); // 2^10 bytes
  view.setInt8(FIELD.clustersPerIndex, 1);
  view.setBigUint64(FIELD.serialNumber, BigInt.asUintN(64, serial), true);
  view.setUint16(FIELD.signature, SIGNATURE, true);
  return sector;
}

/** What a boot sector says of its file system. */
export interface NtfsBootSector {
  readonly fileSystemBytes: bigint;
  readonly serial: bigint;
}

/** `undefined` when these bytes are no NTFS boot sector. */
export function decodeNtfsBootSector(sector: Uint8Array): NtfsBootSector | undefined {
  if (sector.length < BOOT_SECTOR_BYTES) return undefined;
  const view = new DataView(sector.buffer, sector.byteOffset, BOOT_SECTOR_BYTES);
  const bytesPerSector = view.getUint16(FIELD.bytesPerSector, true);
  const totalSectors = view.getBigUint64(FIELD.totalSectors, true);
  const valid =
    view.getUint16(FIELD.signature, true) === SIGNATURE &&
    isOemId(sector.subarray(FIELD.oemId, FIELD.oemId + OEM_ID.length)) &&
    isPowerOfTwo(bytesPerSector) &&
    bytesPerSector >= 256 &&
    bytesPerSector <= 4096 &&
    isClusterSize(view.getUint8(FIELD.sectorsPerCluster)) &&
    totalSectors > 0n;
  if (!valid) return undefined;
  return {
    fileSystemBytes: totalSectors * BigInt(bytesPerSector),
    serial: view.getBigUint64(FIELD.serialNumber, true),
  };
}

function clusterSectorsFor(totalSectors: bigint): number {
  if (totalSectors < 1n) {
    throw new StorageError('invalid-argument', 'an NTFS volume needs at least two sectors');
  }
  let sectors = 8;
  while (totalSectors / BigInt(sectors) > MAX_CLUSTERS) sectors *= 2;
  if (sectors > 128) {
    throw new StorageError(
      'out-of-range',
      `an NTFS volume of ${totalSectors * SECTOR_BYTES} bytes needs clusters above 64 KiB: keep it below 256 TiB`,
    );
  }
  return sectors;
}

function isOemId(bytes: Uint8Array): boolean {
  return bytes.every((byte, index) => byte === OEM_ID.charCodeAt(index));
}

/** A power of two, or, for clusters above 64 KiB, 256 minus its exponent. */
function isClusterSize(value: number): boolean {
  return isPowerOfTwo(value) || value >= 0xf4;
}

function isPowerOfTwo(value: number): boolean {
  return value > 0 && (value & (value - 1)) === 0;
}
