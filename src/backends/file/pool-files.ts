import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { decodeGpt, encodeGpt, GPT_PRIMARY_BYTES } from '../../core/gpt-codec.ts';
import { withNewGuids } from '../../core/gpt.ts';
import { syncFolder, writeRecord } from '../../util/record-file.ts';
import { writeFully } from '../../util/write-fully.ts';
import { copySparse } from './sparse-copy.ts';
import type { CopyProgress } from './sparse-copy.ts';

/**
 * Every step that changes a pool. Each one is durable when it returns, unless it says otherwise, and a crash may
 * come before, after or, where that shows, within any of them: the tests let it.
 */
export interface PoolFiles {
  /** Not durable until its parent is. */
  makeFolder(path: string): Promise<void>;
  /** A sparse image that reads as zero. */
  createImage(path: string, bytes: bigint): Promise<void>;
  /** Larger; what is added reads as zero. */
  growImage(path: string, bytes: bigint): Promise<void>;
  /** Shares the blocks of a file: instant, and a point in time even while it is written. Not durable. */
  cloneImage(source: string, target: string): Promise<void>;
  /** Copies the data of a file nobody writes, holes stay holes; may take hours. Not durable. */
  copyImage(source: string, target: string, progress: CopyProgress): Promise<void>;
  /** Makes what was cloned or copied durable as it is. */
  syncImage(path: string): Promise<void>;
  /** Makes a clone a disk of its own: its size, and new GUIDs if it has a GPT. */
  makeOwnDisk(path: string, bytes: bigint): Promise<void>;
  writeRecord(path: string, record: unknown): Promise<void>;
  /** Atomic; not durable until the parent is. */
  moveFolder(from: string, to: string): Promise<void>;
  /** With all that is in it; not durable. */
  removeFolder(path: string): Promise<void>;
  syncFolder(path: string): Promise<void>;
}

export const poolFiles: PoolFiles = {
  async makeFolder(path) {
    await mkdir(path, { mode: 0o700 });
  },
  createImage(path, bytes) {
    return withFile(path, 'wx', async (file) => {
      await file.truncate(Number(bytes));
      await file.sync();
    });
  },
  growImage(path, bytes) {
    return withFile(path, 'r+', async (file) => {
      await file.truncate(Number(bytes));
      await file.sync();
    });
  },
  async cloneImage(source, target) {
    await withFile(source, 'r', (file) => file.sync());
    await copyFile(source, target, constants.COPYFILE_FICLONE_FORCE);
  },
  copyImage: copySparse,
  syncImage(path) {
    return withFile(path, 'r', (file) => file.sync());
  },
  makeOwnDisk(path, bytes) {
    return withFile(path, 'r+', async (file) => {
      await file.truncate(Number(bytes));
      await renewGuids(file, bytes);
      await file.sync();
    });
  },
  writeRecord,
  moveFolder: rename,
  removeFolder(path) {
    return rm(path, { recursive: true, force: true });
  },
  syncFolder,
};

/**
 * Windows takes two disks with one GUID for one disk seen twice and keeps the second offline. The backup table
 * goes to where the disk now ends.
 */
async function renewGuids(file: FileHandle, diskBytes: bigint): Promise<void> {
  const start = new Uint8Array(GPT_PRIMARY_BYTES);
  await file.read(start, 0, start.length, 0);
  const table = decodeGpt(start, diskBytes);
  if (table === undefined) return;
  const { primary, backup, backupOffset } = encodeGpt(withNewGuids(table, randomUUID), diskBytes);
  await writeFully(file, backup, Number(backupOffset));
  await writeFully(file, primary, 0);
}

async function withFile(
  path: string,
  flags: 'r' | 'r+' | 'wx',
  work: (file: FileHandle) => Promise<void>,
): Promise<void> {
  const file = await open(path, flags, 0o600);
  try {
    await work(file);
  } finally {
    await file.close();
  }
}
