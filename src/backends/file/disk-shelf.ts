import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf, StorageError } from '../../core/errors.ts';
import { isMadeId } from '../../core/ids.ts';
import type { ListQuery, Page } from '../../core/ports/disk-backend.ts';
import type { Logger } from '../../core/ports/logger.ts';
import { makeRecordFolder } from '../../util/record-file.ts';
import {
  IMAGE_NAME,
  type LoadedEntry,
  loadEntries,
  RECORD_NAME,
  type ShelfDeps,
  type ShelfEntry,
  type ShelfOptions,
} from './load-entries.ts';
import type { PoolFiles } from './pool-files.ts';
import { SortedIndex } from './sorted-index.ts';

/** A disk that is not whole yet, or not any more. Never shown; removed when the shelf is opened. */
const UNFINISHED = /^\.(?:new|gone)-/;

/**
 * A folder of disks, each a folder `<id>/{record.json, disk.img}`. A disk appears and vanishes by one rename: it is
 * made whole under a temporary name and renamed to its id, and renamed away before anything of it is removed. So a
 * folder under an id is whole, and what a crash leaves behind has a name that says so. A whole disk whose record
 * cannot be read is therefore damaged, never unfinished: its image stays, and only a person decides about it.
 */
export class DiskShelf<Id extends string, DiskRecord extends { readonly id: Id }> {
  readonly #files: PoolFiles;
  readonly #log: Logger;
  readonly #options: ShelfOptions<DiskRecord>;
  readonly #index: SortedIndex<Id, ShelfEntry<DiskRecord>>;
  /** What its images had taken from the file system when the shelf was opened. */
  readonly allocatedBytes: bigint;

  private constructor(
    { files, log }: ShelfDeps,
    options: ShelfOptions<DiskRecord>,
    loaded: readonly LoadedEntry<Id, DiskRecord>[],
  ) {
    this.#files = files;
    this.#log = log;
    this.#options = options;
    this.#index = new SortedIndex(loaded.map(({ id, entry }) => [id, entry] as const));
    this.allocatedBytes = loaded.reduce((sum, { allocatedBytes }) => sum + allocatedBytes, 0n);
  }

  /** Removes what a crash left unfinished and reads every record; one that cannot be read is set aside (law 8). */
  static async open<Id extends string, DiskRecord extends { readonly id: Id }>(
    deps: ShelfDeps,
    options: ShelfOptions<DiskRecord>,
  ): Promise<DiskShelf<Id, DiskRecord>> {
    await makeRecordFolder(options.path);
    const found = await readdir(options.path, { withFileTypes: true });
    const names = found.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    for (const name of names.filter((each) => UNFINISHED.test(each))) {
      await deps.files.removeFolder(join(options.path, name));
      deps.log.info({ path: join(options.path, name) }, `removed an unfinished ${options.kind}`);
    }
    const loaded = await loadEntries<Id, DiskRecord>(deps, options, names.filter(isMadeId) as Id[]);
    return new DiskShelf(deps, options, loaded);
  }

  /** Makes a disk: `fill` makes the image at the path it is given and gives the record. */
  async create(id: Id, fill: (imagePath: string) => Promise<DiskRecord>): Promise<DiskRecord> {
    const unfinished = this.#unfinishedPath('new', id);
    let moved = false;
    try {
      await this.#files.makeFolder(unfinished);
      const record = await fill(join(unfinished, IMAGE_NAME));
      await this.#files.writeRecord(join(unfinished, RECORD_NAME), this.#options.encode(record));
      await this.#files.moveFolder(unfinished, this.#folder(id));
      moved = true;
      await this.#files.syncFolder(this.#options.path);
      this.#index.set(id, { state: 'sound', record });
      return record;
    } catch (error) {
      await this.#discard(unfinished, moved ? this.#folder(id) : undefined);
      throw error;
    }
  }

  /** Replaces the record of a disk that is there. */
  async update(record: DiskRecord): Promise<void> {
    await this.#files.writeRecord(join(this.#folder(record.id), RECORD_NAME), this.#options.encode(record));
    this.#index.set(record.id, { state: 'sound', record });
  }

  async delete(id: Id): Promise<void> {
    const gone = this.#unfinishedPath('gone', id);
    await this.#files.moveFolder(this.#folder(id), gone);
    this.#index.delete(id);
    await this.#files.syncFolder(this.#options.path);
    await this.#discard(gone);
  }

  get(id: Id): ShelfEntry<DiskRecord> | undefined {
    return this.#index.get(id);
  }

  /** The record; `not-found`, or `data-loss` when it cannot be read. */
  require(id: Id): DiskRecord {
    const entry = this.#index.get(id);
    if (entry === undefined) throw new StorageError('not-found', `there is no ${this.#options.kind} ${id}`);
    if (entry.state === 'damaged') throw new StorageError('data-loss', entry.damage.message);
    return entry.record;
  }

  /** `already-exists` for a disk of that id, `data-loss` when it is a damaged one. */
  requireNew(id: Id): void {
    if (this.#index.get(id) === undefined) return;
    const record = this.require(id);
    throw new StorageError('already-exists', `there is a ${this.#options.kind} ${record.id} already`);
  }

  /** One page of the entries that `view` gives something for. */
  page<View>(
    { after, limit }: ListQuery<Id>,
    view: (entry: ShelfEntry<DiskRecord>) => View | undefined,
  ): Page<View> {
    const entries: View[] = [];
    for (const entry of this.#index.after(after)) {
      const seen = view(entry);
      if (seen === undefined) continue;
      if (entries.length === limit) return { entries, more: true };
      entries.push(seen);
    }
    return { entries, more: false };
  }

  /** Every entry, in order. */
  entries(): Iterable<ShelfEntry<DiskRecord>> {
    return this.#index.after(undefined);
  }

  imagePath(id: Id): string {
    return join(this.#folder(id), IMAGE_NAME);
  }

  #folder(id: Id): string {
    return join(this.#options.path, id);
  }

  #unfinishedPath(what: 'new' | 'gone', id: Id): string {
    return join(this.#options.path, `.${what}-${id}-${randomBytes(4).toString('hex')}`);
  }

  /** What cannot be removed now is removed when the shelf is opened again. */
  async #discard(path: string, movedTo?: string): Promise<void> {
    try {
      if (movedTo !== undefined) await this.#files.moveFolder(movedTo, path);
      await this.#files.removeFolder(path);
    } catch (error) {
      this.#log.warn({ path, reason: messageOf(error) }, 'an unfinished disk could not be removed');
    }
  }
}
