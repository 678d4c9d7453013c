import { basename, join } from 'node:path';
import { decodeAttachedDisk, encodeAttachedDisk } from '../../core/attach-folder.ts';
import type { AttachedDisk } from '../../core/attach-folder.ts';
import { messageOf } from '../../core/errors.ts';
import type { Logger } from '../../core/ports/logger.ts';
import { sha256Hex } from '../../util/digest.ts';
import {
  isTemporaryRecord,
  listRecordFolder,
  makeRecordFolder,
  readRecord,
  removeRecord,
  setAsideRecord,
  writeRecord,
} from '../../util/record-file.ts';
import { imageIdOf } from './image-id.ts';

/**
 * What the kernel cannot tell after a restart of this process: which loop devices are this host's disks even when
 * they were unplugged, which mounts were taken away for a moment to grow a volume, and which disks were taken offline
 * by hand where they would come online by themselves.
 */
export interface OnlineRecord {
  readonly disk: AttachedDisk;
  /** Which file its image is (`imageIdOf`), for when it is moved away under its device. */
  readonly image?: string | undefined;
  readonly offline?: true;
  readonly remount?: Remount;
}

/** Mounts of the partition that starts at a sector, first the one that mounts the device. */
interface Remount {
  readonly firstLba: bigint;
  readonly mounts: readonly { readonly path: string; readonly root: string }[];
}

const SCHEMA = 1;
const SUFFIX = '.online.json';

/** One record per disk that is online, or must stay offline, in a folder of its own (law 8). */
export class OnlineRecords {
  readonly #folder: string;
  readonly #log: Logger;

  constructor(stateDir: string, log: Logger) {
    this.#folder = join(stateDir, 'online-disks');
    this.#log = log;
  }

  async write(record: Omit<OnlineRecord, 'image'>): Promise<void> {
    await makeRecordFolder(this.#folder);
    const path = this.#pathOf(record.disk);
    const image = (await imageIdOf(record.disk.imagePath)) ?? (await this.#read(basename(path)))?.image;
    await writeRecord(path, encode({ ...record, image }));
  }

  async remove(disk: AttachedDisk): Promise<void> {
    await makeRecordFolder(this.#folder);
    await removeRecord(this.#pathOf(disk));
  }

  /** Whether a disk was taken offline by hand. */
  async holdsOffline(disk: AttachedDisk): Promise<boolean> {
    return (await this.#read(basename(this.#pathOf(disk))))?.offline === true;
  }

  async list(): Promise<readonly OnlineRecord[]> {
    const names = await listRecordFolder(this.#folder);
    for (const name of names.filter(isTemporaryRecord)) await removeRecord(join(this.#folder, name));
    const read = await Promise.all(
      names.filter((name) => name.endsWith(SUFFIX)).map((name) => this.#read(name)),
    );
    return read.filter((record) => record !== undefined);
  }

  async #read(name: string): Promise<OnlineRecord | undefined> {
    const path = join(this.#folder, name);
    try {
      const value = await readRecord(path);
      return value === undefined ? undefined : decode(value);
    } catch (error) {
      const aside = await setAsideRecord(path);
      this.#log.error(
        { path, aside, reason: messageOf(error) },
        'set aside an unreadable record of an online disk',
      );
      return undefined;
    }
  }

  #pathOf(disk: AttachedDisk): string {
    return join(this.#folder, `${sha256Hex(`${disk.volumeId}\n${disk.serialNumber}`, 32)}${SUFFIX}`);
  }
}

function encode({ disk, image, offline, remount }: OnlineRecord): unknown {
  return {
    schema: SCHEMA,
    disk: encodeAttachedDisk(disk),
    ...(image === undefined ? {} : { image }),
    ...(offline === undefined ? {} : { offline }),
    ...(remount === undefined ? {} : { remount: { ...remount, firstLba: remount.firstLba.toString() } }),
  };
}

function decode(value: unknown): OnlineRecord {
  const record = value as {
    schema?: unknown;
    disk?: unknown;
    image?: unknown;
    offline?: unknown;
    remount?: unknown;
  } | null;
  if (record?.schema !== SCHEMA) throw new Error(`its schema is not ${SCHEMA}`);
  const image = typeof record.image === 'string' ? record.image : undefined;
  const online = { disk: decodeAttachedDisk(record.disk), image };
  if (record.offline === true) return { ...online, offline: true };
  return record.remount === undefined ? online : { ...online, remount: decodeRemount(record.remount) };
}

function decodeRemount(value: unknown): Remount {
  const { firstLba, mounts } = value as { firstLba?: unknown; mounts?: unknown };
  if (typeof firstLba !== 'string' || !/^\d+$/.test(firstLba))
    throw new Error('remount.firstLba is no number');
  if (!Array.isArray(mounts)) throw new Error('remount.mounts is no list');
  return {
    firstLba: BigInt(firstLba),
    mounts: mounts.map((mount: unknown) => {
      const { path, root } = mount as { path?: unknown; root?: unknown };
      if (typeof path !== 'string' || typeof root !== 'string')
        throw new Error('a mount to restore has no path');
      return { path, root };
    }),
  };
}
