import type { FileHandle } from 'node:fs/promises';

/**
 * Writes all of `bytes` at a place of a file. One write(2) may stop short without an error, on a file system that
 * becomes full for one; only the next one says why.
 */
export async function writeFully(
  file: Pick<FileHandle, 'write'>,
  bytes: Uint8Array,
  position: number,
): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done);
    if (bytesWritten === 0) throw new Error(`nothing was written at byte ${position + done}`);
    done += bytesWritten;
  }
}
