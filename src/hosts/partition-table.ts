import type { FileHandle } from 'node:fs/promises';
import {
  decodeBackupGpt,
  decodeGpt,
  encodeGpt,
  GPT_BACKUP_BYTES,
  GPT_PRIMARY_BYTES,
} from '../core/gpt-codec.ts';
import type { Gpt } from '../core/gpt.ts';
import { withFile } from '../util/with-file.ts';
import { writeFully } from '../util/write-fully.ts';

/**
 * What the partition table of a disk is. `half-written`: only the backup is whole, as after a crash between the two
 * writes of `writeTable`. `raw`: nothing that anyone would take for a table. `foreign`: something else.
 */
export type TableState =
  | { readonly kind: 'gpt' | 'half-written'; readonly gpt: Gpt }
  | { readonly kind: 'raw' }
  | { readonly kind: 'foreign'; readonly found: string };

/** Reads the table of a disk or image. While a disk is online this must be its loop device, never the image. */
export async function readTable(path: string, diskBytes: bigint): Promise<TableState> {
  return withFile(path, 'r', async (file) => {
    const primary = await readAt(file, 0n, GPT_PRIMARY_BYTES);
    const gpt = decodeGpt(primary, diskBytes);
    if (gpt !== undefined) return { kind: 'gpt', gpt };
    const backup = decodeBackupGpt(
      await readAt(file, (diskBytes / 512n) * 512n - BigInt(GPT_BACKUP_BYTES), GPT_BACKUP_BYTES),
      diskBytes,
    );
    const marks = marksOf(primary);
    if (backup !== undefined && (marks.gpt || isZero(primary))) return { kind: 'half-written', gpt: backup };
    if (marks.gpt) return { kind: 'foreign', found: 'a damaged GUID partition table without a backup' };
    if (marks.mbr)
      return { kind: 'foreign', found: 'a master boot record or a file system on the whole disk' };
    return { kind: 'raw' };
  });
}

/** The backup first: whoever finds a whole primary may rely on both. Returns when both are on the medium. */
export async function writeTable(path: string, gpt: Gpt, diskBytes: bigint): Promise<void> {
  const { primary, backup, backupOffset } = encodeGpt(gpt, diskBytes);
  await withFile(path, 'r+', async (file) => {
    await writeFully(file, backup, Number(backupOffset));
    await file.sync();
    await writeFully(file, primary, 0);
    await file.sync();
  });
}

/** Reads the start of a device or image; shorter at its end. */
export async function readStart(path: string, length: number): Promise<Uint8Array> {
  return withFile(path, 'r', (file) => readAt(file, 0n, length));
}

async function readAt(file: FileHandle, offset: bigint, length: number): Promise<Uint8Array> {
  if (offset < 0n) return new Uint8Array();
  const bytes = new Uint8Array(length);
  const { bytesRead } = await file.read(bytes, 0, length, Number(offset));
  return bytes.subarray(0, bytesRead);
}

/** Traces of a table: a header's signature or a protective record, and the signature of any boot record. */
function marksOf(start: Uint8Array): { readonly gpt: boolean; readonly mbr: boolean } {
  const mbr = start[510] === 0x55 && start[511] === 0xaa;
  const header = new TextDecoder('latin1').decode(start.subarray(512, 520)) === 'EFI PART';
  return { mbr, gpt: header || (mbr && start[450] === 0xee) };
}

const isZero = (bytes: Uint8Array): boolean => bytes.every((byte) => byte === 0);
