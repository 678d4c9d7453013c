import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs `work` in a new folder and removes that afterwards, also when it fails. */
export async function inTempFolder<Result>(work: (path: string) => Promise<Result>): Promise<Result> {
  const path = await makeTempFolder();
  try {
    return await work(path);
  } finally {
    await rm(path, { recursive: true, force: true });
  }
}

/** For suites that make it in a hook and remove it in another. */
export const makeTempFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'csi-ntfs-'));
