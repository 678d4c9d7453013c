import { type FileHandle, open, stat } from 'node:fs/promises';
import type { DiskContent } from '../../core/content-state.ts';
import { type ByteReader, examineDisk } from '../../core/disk-content.ts';
import { isErrno } from '../../util/record-file.ts';

/** Unit of `blocks` in a stat, whatever the file system's own block size. */
const STAT_BLOCK_BYTES = 512n;

export interface ImageSize {
  readonly sizeBytes: bigint;
  /** What the file system holds for it; the rest are holes. */
  readonly allocatedBytes: bigint;
}

export const imageSizeOf = (stat: { readonly size: bigint; readonly blocks: bigint }): ImageSize => ({
  sizeBytes: stat.size,
  allocatedBytes: stat.blocks * STAT_BLOCK_BYTES,
});

/** Zero when there is no image: its condition is told when someone asks for the disk. */
export async function sizeOfImage(path: string): Promise<ImageSize> {
  try {
    return imageSizeOf(await stat(path, { bigint: true }));
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return { sizeBytes: 0n, allocatedBytes: 0n };
    throw error;
  }
}

/** What the bytes of an image say right now (law 1). */
export async function examineImage(path: string): Promise<DiskContent> {
  const file = await open(path, 'r');
  try {
    const { sizeBytes, allocatedBytes } = imageSizeOf(await file.stat({ bigint: true }));
    return await examineDisk(readerOf(file), { diskBytes: sizeBytes, allocatedBytes });
  } finally {
    await file.close();
  }
}

const readerOf = (file: FileHandle): ByteReader => ({
  async read(offset, length) {
    const bytes = new Uint8Array(length);
    for (let filled = 0; filled < length;) {
      const { bytesRead } = await file.read(bytes, filled, length - filled, Number(offset) + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return bytes;
  },
});
