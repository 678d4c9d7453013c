import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf, StorageError } from '../../core/errors.ts';
import type { Logger } from '../../core/ports/logger.ts';
import { isTemporaryRecord, readRecord, setAsideRecord } from '../../util/record-file.ts';
import { type ImageSize, sizeOfImage } from './image-reader.ts';
import type { PoolFiles } from './pool-files.ts';

/** A disk on a shelf: its record, or why that cannot be read. */
export type ShelfEntry<DiskRecord> =
  | { readonly state: 'sound'; readonly record: DiskRecord }
  | { readonly state: 'damaged'; readonly damage: Damage };

export interface Damage extends ImageSize {
  readonly id: string;
  /** For a person: what is wrong with which file, and what to do. */
  readonly message: string;
  readonly changedAt: Date;
}

export interface ShelfDeps {
  readonly files: PoolFiles;
  readonly log: Logger;
}

export interface ShelfOptions<DiskRecord> {
  /** The folder: `<pool>/volumes`. */
  readonly path: string;
  /** `volume` or `snapshot`, for messages. */
  readonly kind: string;
  readonly encode: (record: DiskRecord) => unknown;
  /** Throws `data-loss` for what it cannot read. */
  readonly decode: (value: unknown) => DiskRecord;
}

export const RECORD_NAME = 'record.json';
export const IMAGE_NAME = 'disk.img';
/** Enough to keep the disk busy, few enough to leave file handles for others. */
const OPEN_AT_ONCE = 64;

/** Reads the folders of a shelf. A record that cannot be read is set aside and told of (law 8); its image stays. */
export async function loadEntries<Id extends string, DiskRecord extends { readonly id: Id }>(
  deps: ShelfDeps,
  options: ShelfOptions<DiskRecord>,
  ids: readonly Id[],
): Promise<readonly LoadedEntry<Id, DiskRecord>[]> {
  const results: LoadedEntry<Id, DiskRecord>[] = [];
  for (let start = 0; start < ids.length; start += OPEN_AT_ONCE) {
    const batch = ids.slice(start, start + OPEN_AT_ONCE);
    results.push(...(await Promise.all(batch.map((id) => loadEntry(deps, options, id)))));
  }
  return results;
}

export interface LoadedEntry<Id, DiskRecord> {
  readonly id: Id;
  readonly entry: ShelfEntry<DiskRecord>;
  readonly allocatedBytes: bigint;
}

async function loadEntry<Id extends string, DiskRecord extends { readonly id: Id }>(
  deps: ShelfDeps,
  options: ShelfOptions<DiskRecord>,
  id: Id,
): Promise<LoadedEntry<Id, DiskRecord>> {
  const folder = join(options.path, id);
  const leftovers = (await readdir(folder)).filter(isTemporaryRecord);
  for (const name of leftovers) await deps.files.removeFolder(join(folder, name));
  const size = await sizeOfImage(join(folder, IMAGE_NAME));
  try {
    const record = options.decode(await readRecord(join(folder, RECORD_NAME)));
    if (record.id !== id) throw new StorageError('data-loss', `it is the record of ${record.id}`);
    return { id, entry: { state: 'sound', record }, allocatedBytes: size.allocatedBytes };
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    const damage = { id, ...size, ...(await reportDamage(deps, options.kind, folder, error)) };
    return { id, entry: { state: 'damaged', damage }, allocatedBytes: size.allocatedBytes };
  }
}

/** What is in the file is wrong. A disk that fails to read it is another matter: then the pool does not open. */
const isUnreadable = (error: unknown): boolean =>
  error instanceof SyntaxError || StorageError.is(error, 'data-loss');

async function reportDamage(
  { log }: ShelfDeps,
  kind: string,
  folder: string,
  error: unknown,
): Promise<Pick<Damage, 'message' | 'changedAt'>> {
  const path = join(folder, RECORD_NAME);
  const isThere = (await readdir(folder)).includes(RECORD_NAME);
  const aside = isThere ? await setAsideRecord(path) : undefined;
  const message =
    `the record ${path} of a ${kind} is ${aside === undefined ? 'missing' : `unreadable and was set aside as ${aside}`}; ` +
    'the image beside it is untouched: put a good record back and start again, or remove the folder';
  log.error({ path, aside, reason: messageOf(error) }, message);
  return { message, changedAt: (await stat(folder)).mtime };
}
