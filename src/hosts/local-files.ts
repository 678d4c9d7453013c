import { lstat, mkdir, readdir, rmdir, stat, symlink, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { StorageError, throwIfAborted } from '../core/errors.ts';
import { attempt } from '../core/platform-errors.ts';
import type { HostFiles } from '../core/ports/host-storage.ts';
import { isErrno } from '../util/record-file.ts';

/** How a host mounts volumes at directories, where that is not done with links. */
export interface MountPoints {
  /** Whether a volume is mounted right at this directory. */
  isMountPoint(path: string): Promise<boolean>;
  /** Unmounts what is mounted there, which leaves the empty directory. */
  removeMountPoint(path: string): Promise<void>;
}

/** A host whose mount points are links. */
const LINKS_ONLY: MountPoints = {
  isMountPoint: () => Promise.resolve(false),
  removeMountPoint: () => Promise.resolve(),
};

/** The paths of the machine this process runs on. */
export function localFiles(mounts: MountPoints = LINKS_ONLY): HostFiles {
  return {
    pathExists: (path) => attempt(`look for ${path}`, () => exists(path)),
    mkdir: (path, signal) => mutate(`make the directory ${path}`, signal, () => makeDirectory(path)),
    rmdir: (path, force, signal) =>
      mutate(`remove ${path}`, signal, () => (force ? removeTree(path, mounts) : removeOne(path, mounts))),
    rmdirContents: (path, signal) =>
      mutate(`empty the directory ${path}`, signal, () => removeContents(path, mounts)),
    createSymlink: (source, target, signal) =>
      mutate(`link ${target} to ${source}`, signal, () => symlink(source, target, 'dir')),
    isSymlink: (path) => attempt(`look at ${path}`, () => isLiveLink(path, mounts)),
  };
}

async function mutate(trying: string, signal: AbortSignal, steps: () => Promise<void>): Promise<void> {
  throwIfAborted(signal, trying);
  await attempt(trying, steps);
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (isErrno(error, 'ENOENT') || isErrno(error, 'ENOTDIR')) return false;
    throw error;
  }
}

async function makeDirectory(path: string): Promise<void> {
  await mkdir(path, { recursive: true });
}

async function isLiveLink(path: string, mounts: MountPoints): Promise<boolean> {
  const found = await lstat(path);
  if (!found.isSymbolicLink()) return found.isDirectory() && mounts.isMountPoint(path);
  try {
    await stat(path);
    return true;
  } catch {
    return false;
  }
}

/** Files are no links, no mount points and no directories: whoever wants one gone has to force it (law 4). */
async function removeOne(path: string, mounts: MountPoints): Promise<void> {
  const found = await lstat(path);
  if (found.isSymbolicLink()) return unlink(path);
  if (found.isDirectory() && (await mounts.isMountPoint(path))) await mounts.removeMountPoint(path);
  await rmdir(path);
}

/** Not `rm --recursive`: that empties the volume behind a mount point before it finds it cannot remove it (law 4). */
async function removeTree(path: string, mounts: MountPoints): Promise<void> {
  if (!(await exists(path))) return;
  const found = await lstat(path);
  if (!found.isDirectory()) return unlink(path);
  if (await mounts.isMountPoint(path)) await mounts.removeMountPoint(path);
  else await removeContents(path, mounts);
  await rmdir(path);
}

async function removeContents(path: string, mounts: MountPoints): Promise<void> {
  if ((await lstat(path)).isSymbolicLink()) {
    throw new StorageError(
      'failed-precondition',
      `${path} is a link, and what is behind a link is not emptied: remove the link itself`,
    );
  }
  for (const name of await readdir(path)) await removeTree(join(path, name), mounts);
}
