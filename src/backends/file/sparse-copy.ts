import { spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { StorageError } from '../../core/errors.ts';
import { isErrno } from '../../util/record-file.ts';
import { imageSizeOf } from './image-reader.ts';

const PROGRESS_EVERY_MS = 5_000;

/** Told now and then how many bytes of data have been copied. */
export type CopyProgress = (copiedBytes: bigint) => void;

/**
 * Copies a file's data and leaves its holes as they are. `cp` finds the holes (SEEK_HOLE), which Node cannot, and
 * keeps the event loop free. Nothing stops it but the end of this process (law 6): a copy of a large disk takes longer
 * than any caller waits, and one that began anew at each repeat would never be done.
 */
export async function copySparse(source: string, target: string, progress: CopyProgress): Promise<void> {
  const timer = setInterval(() => {
    void reportProgress(target, progress);
  }, PROGRESS_EVERY_MS).unref();
  try {
    await runWithUs('cp', ['--reflink=never', '--sparse=always', '--', source, target]);
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

/**
 * Runs a tool to its end, or to ours: it neither keeps this process alive, which would hold up a driver that was told
 * to stop, nor outlives it, however that ends: the kernel kills it then, before the next driver cleans up. It has a
 * session of its own, so that Ctrl-C in the driver's terminal leaves it the time to drain.
 */
function runWithUs(command: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('setpriv', ['--pdeathsig', 'KILL', command, ...args], {
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
    });
    child.unref();
    const stderr: Readable & { unref?(): void } = child.stderr; // A socket, says Node's manual.
    stderr.unref?.();
    let complaint = '';
    stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text));
    child.once('error', (cause) => {
      reject(isErrno(cause, 'ENOENT') ? notInstalled(cause) : cause);
    });
    child.once('close', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`${command} failed (${code ?? signal ?? 'unknown'}): ${complaint.trim()}`));
    });
  });
}

const notInstalled = (cause: Error): StorageError =>
  new StorageError('unavailable', 'cannot run setpriv to copy a disk: install util-linux', { cause });
