import { messageOf, StorageError } from './errors.ts';
import type { StorageErrorCode } from './errors.ts';

/** What a person does about the errors a file system really gives. */
const KNOWN: ReadonlyMap<string, readonly [StorageErrorCode, string]> = new Map([
  // Never `not-found` or `already-exists`: those are said of volumes and disks, and repeats rely on them.
  ['ENOENT', ['failed-precondition', 'it is not there']],
  [
    'EEXIST',
    ['failed-precondition', 'something is there already: look at it, remove it when it is not needed'],
  ],
  ['ENOTDIR', ['failed-precondition', 'it is not a directory: look at it, remove it when it is not needed']],
  ['ENOTEMPTY', ['failed-precondition', 'the directory is not empty: look at what is in it']],
  ['EBUSY', ['failed-precondition', 'it is in use: end the processes that have it open']],
  ['ENOSPC', ['resource-exhausted', 'the file system is full: free space or grow it']],
  ['EDQUOT', ['resource-exhausted', 'the quota of the file system is used up: raise it']],
  ['EFBIG', ['out-of-range', 'the file system cannot hold a file of this size: use xfs for large disks']],
  ['EROFS', ['unavailable', 'the file system is read-only: look for disk errors in the kernel log']],
  ['EIO', ['unavailable', 'the disk below failed: look in the kernel log']],
  ['EACCES', ['unavailable', 'permission denied: run the driver as the owner of the folder']],
  ['EPERM', ['unavailable', 'not permitted: run the driver as the owner of the folder']],
  ['ABORT_ERR', ['cancelled', 'the caller cancelled or its deadline passed']],
]);

/** Runs steps on the file system and turns what it throws into a `StorageError` that says what was tried. */
export async function attempt<Result>(trying: string, steps: () => Promise<Result>): Promise<Result> {
  try {
    return await steps();
  } catch (error) {
    if (error instanceof StorageError) throw error;
    const known = KNOWN.get(codeOf(error));
    throw new StorageError(known?.[0] ?? 'internal', `cannot ${trying}: ${known?.[1] ?? messageOf(error)}`, {
      cause: error,
    });
  }
}

/** The system's code of whatever was thrown, be it an `Error` of this realm or not; '' when there is none. */
function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}
