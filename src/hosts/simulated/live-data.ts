import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { messageOf, StorageError } from '../../core/errors.ts';
import type { Logger } from '../../core/ports/logger.ts';
import {
  makeRecordFolder,
  readRecord,
  removeRecord,
  setAsideRecord,
  writeRecord,
} from '../../util/record-file.ts';
import { pack, unpack } from './archive.ts';
import type { VolumeImage } from './volume-image.ts';

/** The files of a volume in use, and which contents of its image they were made from or flushed to. */
interface LiveRecord {
  readonly schema: 1;
  readonly diskKey: string;
  readonly generations: readonly string[];
}

const RECORD_SUFFIX = '.json';

/**
 * The files of volumes in use, one folder for each by the GUID of its partition: what a file system's cache is on a
 * real machine. It outlives the process, and is worth nothing once the image was changed elsewhere.
 */
export class LiveData {
  readonly folder: string;
  readonly #log: Logger;
  readonly #records = new Map<string, LiveRecord>();

  private constructor(folder: string, log: Logger) {
    this.folder = resolve(folder);
    this.#log = log;
  }

  /** Finds what a former process left; half-made and half-removed folders go. */
  static async load(folder: string, log: Logger): Promise<LiveData> {
    const live = new LiveData(folder, log);
    await makeRecordFolder(live.folder);
    for (const name of await readdir(live.folder)) {
      if (name.startsWith('.')) await rm(join(live.folder, name), { recursive: true, force: true });
    }
    const names = new Set(await readdir(live.folder));
    for (const name of names) {
      if (!name.endsWith(RECORD_SUFFIX)) continue;
      const guid = name.slice(0, -RECORD_SUFFIX.length);
      if (names.has(guid)) await live.#recall(guid);
      else await removeRecord(live.#recordOf(guid));
    }
    return live;
  }

  /** Where the files of a volume are while it is in use. */
  pathOf(guid: string): string {
    return join(this.folder, guid);
  }

  has(guid: string): boolean {
    return this.#records.has(guid);
  }

  /** Volumes in use, with the disk each is on. */
  volumes(): readonly { readonly guid: string; readonly diskKey: string }[] {
    return [...this.#records].map(([guid, { diskKey }]) => ({ guid, diskKey }));
  }

  /** Brings the files of a volume into use; those in use already stay as they are. */
  async bring(guid: string, diskKey: string, image: VolumeImage): Promise<void> {
    if (await this.#isCurrent(guid, image)) return;
    await this.discard(guid);
    const half = this.#hidden(guid);
    await rm(half, { recursive: true, force: true });
    await mkdir(half);
    const generation = await unpack(image, half);
    await this.#remember(guid, { schema: 1, diskKey, generations: [generation] });
    await rename(half, this.pathOf(guid));
  }

  /** Writes what changed to the image. `failed-precondition` when the image was changed by somebody else. */
  async flush(guid: string, image: VolumeImage): Promise<void> {
    const record = this.#records.get(guid);
    if (record === undefined) return;
    if (!(await this.#isCurrent(guid, image))) {
      await this.discard(guid);
      throw new StorageError(
        'failed-precondition',
        `the disk of partition ${guid} was written to elsewhere while it was in use here; ` +
          'what was not flushed is gone: unstage the volume and stage it again',
      );
    }
    const { generation } = await image.content();
    await pack(this.pathOf(guid), image, (next) =>
      this.#remember(guid, { ...record, generations: [generation, next] }),
    );
  }

  /** Takes the files out of use; mounts of the volume dangle from now on. */
  async discard(guid: string): Promise<void> {
    if (!this.#records.delete(guid)) return;
    const half = this.#hidden(guid);
    await rm(half, { recursive: true, force: true });
    await rename(this.pathOf(guid), half);
    await removeRecord(this.#recordOf(guid));
    await rm(half, { recursive: true, force: true });
  }

  async #isCurrent(guid: string, image: VolumeImage): Promise<boolean> {
    const known = this.#records.get(guid)?.generations ?? [];
    return known.length > 0 && known.includes((await image.content()).generation);
  }

  async #recall(guid: string): Promise<void> {
    try {
      this.#records.set(guid, decodeLiveRecord(await readRecord(this.#recordOf(guid))));
    } catch (error) {
      const path = await setAsideRecord(this.#recordOf(guid));
      await setAsideRecord(this.pathOf(guid));
      this.#log.error(
        { path, reason: messageOf(error) },
        'set aside the files of a volume: their record cannot be read',
      );
    }
  }

  async #remember(guid: string, record: LiveRecord): Promise<void> {
    await writeRecord(this.#recordOf(guid), record);
    this.#records.set(guid, record);
  }

  #recordOf(guid: string): string {
    return join(this.folder, `${guid}${RECORD_SUFFIX}`);
  }

  #hidden(guid: string): string {
    return join(this.folder, `.${guid}`);
  }
}

function decodeLiveRecord(value: unknown): LiveRecord {
  const record = value as LiveRecord;
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- a record on disk is what a type says only after this
  if (record.schema === 1 && typeof record.diskKey === 'string' && Array.isArray(record.generations))
    return record;
  throw new StorageError('data-loss', 'it is not a record of files in use, of schema 1');
}
