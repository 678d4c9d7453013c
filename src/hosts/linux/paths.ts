import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { StorageError } from '../../core/errors.ts';
import { attempt } from '../../core/platform-errors.ts';
import { isErrno } from '../../util/record-file.ts';

/** Refuses what is no absolute path: it would be taken from wherever the driver was started, or for an option. */
export function requireAbsolute(path: string): void {
  if (isAbsolute(path) && !path.includes('\0')) return;
  throw new StorageError('invalid-argument', `"${path}" is not an absolute path`);
}

/**
 * The path as the mount table spells it. Only its folder is resolved: the last component may be a link that is
 * meant itself, or a mount whose file system has died and cannot be looked at.
 */
export async function mountPathOf(path: string): Promise<string> {
  requireAbsolute(path);
  const plain = join(path, '.').replace(/(?<=.)\/+$/, '');
  if (plain === '/') return plain;
  return attempt(`look at ${path}`, async () => join(await realpath(dirname(plain)), basename(plain)));
}

/** False for a mount whose FUSE process has died: the path is there, and every look at it fails. */
export async function isAlive(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (isDeadMount(error)) return false;
    throw error;
  }
}

export const isDeadMount = (error: unknown): boolean =>
  isErrno(error, 'ENOTCONN') || isErrno(error, 'EIO') || isErrno(error, 'ESHUTDOWN');
