import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { imageSizeOf } from './image-reader.ts';

const run = promisify(execFile);
const PROGRESS_EVERY_MS = 5_000;

/** Told now and then how many bytes of data have been copied. */
export type CopyProgress = (copiedBytes: bigint) => void;

/**
 * Copies a file's data and leaves its holes as they are. `cp` finds the holes (SEEK_HOLE), which Node cannot, and
 * keeps the event loop free. Aborting kills it and leaves a part of the target for the caller to remove.
 */
export async function copySparse(
  source: string,
  target: string,
  progress: CopyProgress,
  signal: AbortSignal,
): Promise<void> {
  const timer = setInterval(() => {
    void reportProgress(target, progress);
  }, PROGRESS_EVERY_MS);
  try {
    await run('cp', ['--reflink=never', '--sparse=always', '--', source, target], { signal });
  } finally {
    clearInterval(timer);
  }
}

async function reportProgress(target: string, progress: CopyProgress): Promise<void> {
  try {
    progress(imageSizeOf(await stat(target, { bigint: true })).allocatedBytes);
  } catch {
    // Not there yet, or gone again: there is nothing to report.
  }
}
