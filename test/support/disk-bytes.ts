import { randomUUID } from 'node:crypto';
import { encodeGpt } from '../../src/core/gpt-codec.ts';
import { basicPartition, type Gpt, partitionBytes, SECTOR_BYTES, windowsLayout } from '../../src/core/gpt.ts';
import { encodeNtfsBootSector } from '../../src/core/ntfs-boot-sector.ts';

/** Bytes to be written somewhere on a disk. */
export interface DiskPatch {
  readonly offset: bigint;
  readonly bytes: Uint8Array;
}

export const newGuid = (): string => randomUUID();

/** A partition table as the node writes it. */
export function tablePatches(table: Gpt, diskBytes: bigint): readonly DiskPatch[] {
  const { primary, backup, backupOffset } = encodeGpt(table, diskBytes);
  return [
    { offset: 0n, bytes: primary },
    { offset: backupOffset, bytes: backup },
  ];
}

/** A disk with our layout and an NTFS file system that fills it. */
export function ntfsDisk(diskBytes: bigint): {
  readonly table: Gpt;
  readonly patches: readonly DiskPatch[];
  /** Where the volume begins, and the size its boot sector tells. */
  readonly dataOffset: bigint;
  readonly fileSystemBytes: bigint;
} {
  const table = windowsLayout(diskBytes, newGuid);
  const basic = basicPartition(table);
  if (basic === undefined) throw new Error('the layout has a basic partition');
  const volumeBytes = partitionBytes(basic);
  const dataOffset = basic.firstLba * SECTOR_BYTES;
  const boot = encodeNtfsBootSector({ volumeBytes, firstLba: basic.firstLba, serial: 0x1234n });
  return {
    table,
    patches: [...tablePatches(table, diskBytes), { offset: dataOffset, bytes: boot }],
    dataOffset,
    fileSystemBytes: volumeBytes - SECTOR_BYTES,
  };
}
