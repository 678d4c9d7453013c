import { lstat, rmdir } from 'node:fs/promises';
import { StorageError, throwIfAborted } from '../../core/errors.ts';
import { attempt } from '../../core/platform-errors.ts';
import type { HostFiles } from '../../core/ports/host-storage.ts';
import type { Turns } from '../../util/turns.ts';
import { localFiles } from '../local-files.ts';
import { mountAt, mountsWithin, readMounts } from './mountinfo.ts';
import { isDeadMount, mountPathOf, requireAbsolute } from './paths.ts';
import type { VolumeMounts } from './volume-mounts.ts';

export interface LinuxFilesDeps {
  readonly mounts: VolumeMounts;
  readonly turns: Turns;
}

/**
 * Paths of this machine. A dead mount, whose FUSE process is gone, counts as a mount point whose target is missing:
 * it exists, it is no live link, and removing it takes the mount away.
 */
export class LinuxFiles implements HostFiles {
  readonly #mounts: VolumeMounts;
  readonly #turns: Turns;
  readonly #local: HostFiles;

  constructor({ mounts, turns }: LinuxFilesDeps) {
    this.#mounts = mounts;
    this.#turns = turns;
    this.#local = localFiles({
      isMountPoint: async (path) => mountAt(await readMounts(), await mountPathOf(path)) !== undefined,
      removeMountPoint: async (path) => this.#removeMountPoint(await mountPathOf(path)),
    });
  }

  async pathExists(path: string, signal: AbortSignal): Promise<boolean> {
    requireAbsolute(path);
    return (await isDead(path)) || this.#local.pathExists(path, signal);
  }

  async mkdir(path: string, signal: AbortSignal): Promise<void> {
    requireAbsolute(path);
    await this.#local.mkdir(path, signal);
  }

  async createSymlink(source: string, target: string, signal: AbortSignal): Promise<void> {
    requireAbsolute(source);
    requireAbsolute(target);
    await this.#local.createSymlink(source, target, signal);
  }

  async isSymlink(path: string, signal: AbortSignal): Promise<boolean> {
    requireAbsolute(path);
    return !(await isDead(path)) && this.#local.isSymlink(path, signal);
  }

  async rmdir(path: string, force: boolean, signal: AbortSignal): Promise<void> {
    requireAbsolute(path);
    await this.#turns.take(await placeOf(path), async () => {
      throwIfAborted(signal, `removing ${path}`);
      if (await isDead(path)) {
        await this.#removeMountPoint(await mountPathOf(path));
        await attempt(`remove the directory ${path}`, () => rmdir(path));
        return;
      }
      await requireNoMountsBelow(path, `remove ${path}`);
      await this.#local.rmdir(path, force, signal);
    });
  }

  async rmdirContents(path: string, signal: AbortSignal): Promise<void> {
    requireAbsolute(path);
    const place = await placeOf(path);
    await this.#turns.take(place, async () => {
      throwIfAborted(signal, `emptying ${path}`);
      if (mountAt(await readMounts(), place) !== undefined) {
        throw refused(
          `empty ${path}`,
          'a file system is mounted there, and its files are not ours to delete',
        );
      }
      await requireNoMountsBelow(path, `empty ${path}`);
      await this.#local.rmdirContents(path, signal);
    });
  }

  /** As on Windows, a mount point can be removed: that unmounts the volume, whose files stay where they are. */
  async #removeMountPoint(path: string): Promise<void> {
    if ((await this.#mounts.at(path)) === undefined) {
      throw refused(`remove ${path}`, 'a file system that is no volume of this host is mounted there');
    }
    await this.#mounts.unmount(path);
  }
}

/** The path as the mount table spells it; as it is when its folder is missing, and with it whatever could be there. */
async function placeOf(path: string): Promise<string> {
  return mountPathOf(path).catch(() => path);
}

/** Law 4: no tree is removed that something is mounted in. */
async function requireNoMountsBelow(path: string, doing: string): Promise<void> {
  const place = await placeOf(path);
  const below = mountsWithin(await readMounts(), place).find(({ mountPoint }) => mountPoint !== place);
  if (below !== undefined) throw refused(doing, `${below.fsType} is mounted at ${below.mountPoint}`);
}

async function isDead(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return false;
  } catch (error) {
    return isDeadMount(error);
  }
}

function refused(doing: string, found: string): StorageError {
  return new StorageError('failed-precondition', `will not ${doing}: ${found}; unmount it first`);
}
