import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { StorageError } from '../../core/errors.ts';
import { attempt } from '../../core/platform-errors.ts';
import type { Run } from './command.ts';
import { holdersOf } from './holders.ts';
import { mountAt, readMounts } from './mountinfo.ts';
import type { MountEntry } from './mountinfo.ts';
import type { NtfsTools } from './ntfs-tools.ts';
import type { PartitionDevice } from './partitions.ts';
import { isAlive } from './paths.ts';

/** What ntfs-3g's mounts of a block device are called in the mount table. */
const VOLUME_FS_TYPE = 'fuseblk';

/** Mounts of NTFS volumes. Paths are as `mountPathOf` gives them; what is mounted is what the kernel says now. */
export class VolumeMounts {
  readonly #run: Run;
  readonly #tools: NtfsTools;

  constructor(run: Run, tools: NtfsTools) {
    this.#run = run;
    this.#tools = tools;
  }

  /** Every mount of a device, oldest first. */
  async of(device: string): Promise<readonly MountEntry[]> {
    return (await readMounts()).filter((mount) => mount.device === device);
  }

  /** The volume mounted exactly at a path; other file systems are none of ours. */
  async at(path: string): Promise<MountEntry | undefined> {
    const mount = mountAt(await readMounts(), path);
    return mount?.fsType === VOLUME_FS_TYPE ? mount : undefined;
  }

  /** A mount of the device whose files can be reached. */
  async aliveOf(device: string): Promise<MountEntry | undefined> {
    for (const mount of await this.of(device)) {
      if (mount.root === '/' && (await isAlive(mount.mountPoint))) return mount;
    }
    return undefined;
  }

  /** Mounts a volume, or a folder `root` of it, at an empty directory; no-op when that is mounted there. */
  async mount({ path: devicePath, device }: PartitionDevice, path: string, root = '/'): Promise<void> {
    const there = mountAt(await readMounts(), path);
    if (there?.device === device && there.root === root) {
      if (await isAlive(path)) return;
      await this.#detach(path);
    } else if (there !== undefined) {
      throw new StorageError(
        'failed-precondition',
        `cannot mount ${devicePath} at ${path}: another file system (${there.fsType} on device ${there.device}) is mounted there`,
      );
    }
    await requireEmptyDirectory(path, devicePath);
    const mounted = await this.aliveOf(device);
    // ntfs-3g refuses a second mount of a device: show the first one at the second place instead.
    if (mounted === undefined) await this.#tools.mount(devicePath, path);
    else
      await this.#run(`mount ${devicePath} at ${path}`, 'mount', [
        '--bind',
        join(mounted.mountPoint, root),
        path,
      ]);
  }

  /** Writes everything of the volume mounted at a path to its disk. */
  async flush(path: string): Promise<void> {
    await this.#run(`flush the volume at ${path}`, 'sync', ['--file-system', path]);
  }

  /** Flushes and unmounts what is mounted at a path; a dead mount is just taken away. */
  async unmount(path: string): Promise<void> {
    if (!(await isAlive(path))) {
      await this.#detach(path);
      return;
    }
    await this.flush(path);
    try {
      await this.#run(`unmount ${path}`, 'umount', ['--no-canonicalize', path]);
    } catch (cause) {
      if ((await this.at(path)) === undefined) return;
      const holders = await holdersOf(path);
      if (holders.length === 0) throw cause;
      throw new StorageError(
        'failed-precondition',
        `cannot unmount ${path}: in use by ${holders.join(', ')}; end them or make them leave the volume`,
        { cause },
      );
    }
  }

  async #detach(path: string): Promise<void> {
    await this.#run(`take away the dead mount at ${path}`, 'umount', ['--no-canonicalize', '--lazy', path]);
  }
}

async function requireEmptyDirectory(path: string, devicePath: string): Promise<void> {
  await attempt(`mount ${devicePath} at ${path}`, async () => {
    const refuse = (found: string): StorageError =>
      new StorageError('failed-precondition', `cannot mount ${devicePath} at ${path}: ${found}`);
    if (!(await lstat(path)).isDirectory()) throw refuse('it is not a directory');
    const entries = await readdir(path);
    if (entries.length > 0) throw refuse(`the directory is not empty (${entries.slice(0, 3).join(', ')})`);
  });
}
