import { mkdir, readdir, readlink, rmdir, symlink, unlink } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { messageOf, StorageError } from '../../core/errors.ts';
import type { Logger } from '../../core/ports/logger.ts';
import { sha256Hex } from '../../util/digest.ts';
import {
  isErrno,
  isTemporaryRecord,
  makeRecordFolder,
  readRecord,
  removeRecord,
  setAsideRecord,
  writeRecord,
} from '../../util/record-file.ts';

interface MountRecord {
  readonly schema: 1;
  readonly targetPath: string;
  readonly partitionGuid: string;
}

/** More links than this between a path and a volume are a circle. */
const MAX_LINKS = 256;

/**
 * Mounts: each is a link from the target path to the folder of a volume's files, in the place of the empty directory
 * that was there. The record is there from before the link is made until after the directory is back.
 */
export class MountTable {
  readonly #folder: string;
  readonly #dataFolder: string;
  /** Volumes by target path. */
  readonly #mounted = new Map<string, string>();

  private constructor(folder: string, dataFolder: string) {
    this.#folder = folder;
    this.#dataFolder = dataFolder;
  }

  /** Finds the mounts of a former process, and undoes those it was about to make or to remove. */
  static async load(folder: string, dataFolder: string, log: Logger): Promise<MountTable> {
    const table = new MountTable(folder, dataFolder);
    await makeRecordFolder(folder);
    for (const name of await readdir(folder)) {
      const path = join(folder, name);
      if (isTemporaryRecord(name)) await unlink(path);
      else if (name.endsWith('.json')) await table.#mend(path, log);
    }
    return table;
  }

  /** The volume a path is a mount point of, or a link to one; dangling mount points included. */
  async volumeAt(path: string): Promise<string | undefined> {
    let place = resolve(path);
    for (let links = 0; links < MAX_LINKS; links++) {
      const target = await linkTarget(place);
      if (target === undefined) return undefined;
      if (dirname(target) === this.#dataFolder) return basename(target);
      place = target;
    }
    return undefined;
  }

  /** The volume mounted right at a path; none at a path that is not there. */
  async mountedAt(path: string): Promise<string | undefined> {
    const target = await linkTarget(resolve(path));
    return target !== undefined && dirname(target) === this.#dataFolder ? basename(target) : undefined;
  }

  /** Whether a volume is mounted anywhere. A mount point that was removed as a link is none any more. */
  async isMounted(guid: string): Promise<boolean> {
    for (const [path, mounted] of this.#mounted) {
      if (mounted === guid && (await this.mountedAt(path)) === guid) return true;
    }
    return false;
  }

  /** The target is an empty directory, or this fails and nothing has changed. */
  async mount(targetPath: string, guid: string): Promise<void> {
    const path = resolve(targetPath);
    const record: MountRecord = { schema: 1, targetPath: path, partitionGuid: guid };
    await writeRecord(this.#recordOf(path), record);
    try {
      await rmdir(path);
    } catch (error) {
      await removeRecord(this.#recordOf(path));
      throw error;
    }
    await symlink(join(this.#dataFolder, guid), path, 'dir');
    this.#mounted.set(path, guid);
  }

  async unmount(targetPath: string): Promise<void> {
    const path = resolve(targetPath);
    await unlink(path);
    await mkdir(path);
    await removeRecord(this.#recordOf(path));
    this.#mounted.delete(path);
  }

  /** Forgets the mount points at a path and below it that were removed as the links they are. */
  async forgetRemoved(removedPath: string): Promise<void> {
    const removed = resolve(removedPath);
    for (const [path, guid] of this.#mounted) {
      const concerned = path === removed || path.startsWith(removed + sep);
      if (!concerned || (await this.mountedAt(path)) === guid) continue;
      await removeRecord(this.#recordOf(path));
      this.#mounted.delete(path);
    }
  }

  async #mend(recordPath: string, log: Logger): Promise<void> {
    let record: MountRecord;
    try {
      record = decodeMountRecord(await readRecord(recordPath));
    } catch (error) {
      const path = await setAsideRecord(recordPath);
      log.error({ path, reason: messageOf(error) }, 'set aside the record of a mount: it cannot be read');
      return;
    }
    if ((await this.mountedAt(record.targetPath)) === record.partitionGuid) {
      this.#mounted.set(record.targetPath, record.partitionGuid);
      return;
    }
    await makeDirectoryUnlessThere(record.targetPath);
    await removeRecord(recordPath);
  }

  #recordOf(path: string): string {
    return join(this.#folder, `${sha256Hex(path, 32)}.json`);
  }
}

/** What a link points to, as an absolute path; `undefined` for what is no link or not there. */
async function linkTarget(path: string): Promise<string | undefined> {
  try {
    return resolve(dirname(path), await readlink(path));
  } catch (error) {
    // readlink(2): EINVAL is its word for "not a link"; Windows says UNKNOWN.
    if (['EINVAL', 'UNKNOWN', 'ENOENT', 'ENOTDIR'].some((code) => isErrno(error, code))) return undefined;
    throw error;
  }
}

/** The directory that was on its way to becoming a mount point, or back; not its parents, which may be gone for good. */
async function makeDirectoryUnlessThere(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    if (!isErrno(error, 'EEXIST') && !isErrno(error, 'ENOENT')) throw error;
  }
}

function decodeMountRecord(value: unknown): MountRecord {
  const record = value as MountRecord | undefined;

  if (
    record?.schema === 1 &&
    typeof record.targetPath === 'string' &&
    typeof record.partitionGuid === 'string'
  ) {
    return record;
  }
  throw new StorageError('data-loss', 'it is not a record of a mount, of schema 1');
}
