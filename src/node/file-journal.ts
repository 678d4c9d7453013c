import { messageOf, StorageError } from '../core/errors.ts';
import { asVolumeId, isMadeId, type VolumeId } from '../core/ids.ts';
import { attempt } from '../core/platform-errors.ts';
import type { Logger } from '../core/ports/logger.ts';
import {
  isErrno,
  isTemporaryRecord,
  listRecordFolder,
  makeRecordFolder,
  readRecord,
  removeRecord,
  setAsideRecord,
  writeRecord,
} from '../util/record-file.ts';
import { decodeBirth, decodeJournalRecord, encodeBirth, encodeJournalRecord } from './journal-codec.ts';
import { recordOf, type JournalEntry, type JournalRecord, type JournalStore } from './journal.ts';

const SUFFIX = '.json';

export interface FileJournalDeps {
  readonly log: Logger;
  readonly now: () => Date;
}

/** Holds when the journal was begun. Not named like a record of a volume. */
export const JOURNAL_BIRTH_NAME = 'begun';

/** Opens the journal in a folder, `<state-dir>/<volume-id>.json`, and clears what a crash left half-written. */
export async function openFileJournal(stateDir: string, deps: FileJournalDeps): Promise<JournalStore> {
  return attempt(`open the node journal ${stateDir}`, async () => {
    await makeRecordFolder(stateDir);
    for (const name of await listRecordFolder(stateDir)) {
      if (isTemporaryRecord(name)) await removeRecord(`${stateDir}/${name}`);
    }
    return new FileJournal(stateDir, deps, await birthOf(stateDir, deps));
  });
}

/** A journal whose birth cannot be read begins now: it is then believed less, never more. */
async function birthOf(stateDir: string, { now, log }: FileJournalDeps): Promise<Date> {
  const path = `${stateDir}/${JOURNAL_BIRTH_NAME}`;
  const known = await readRecord(path)
    .then(decodeBirth)
    .catch(() => undefined);
  if (known !== undefined) return known;
  const begunAt = now();
  await writeRecord(path, encodeBirth(begunAt));
  log.info({ path, begunAt }, 'began a node journal');
  return begunAt;
}

class FileJournal implements JournalStore {
  readonly begunAt: Date;
  readonly #folder: string;
  readonly #deps: FileJournalDeps;

  constructor(folder: string, deps: FileJournalDeps, begunAt: Date) {
    this.begunAt = begunAt;
    this.#folder = folder;
    this.#deps = deps;
  }

  async read(volumeId: VolumeId): Promise<JournalEntry> {
    if (!isMadeId(volumeId)) return { kind: 'none' };
    return attempt(`read the journal record ${this.#path(volumeId)}`, () => this.#read(volumeId));
  }

  async #read(volumeId: VolumeId): Promise<JournalEntry> {
    try {
      const value = await readRecord(this.#path(volumeId));
      if (value === undefined) return await this.#missing(volumeId);
      const record = decodeJournalRecord(value);
      if (record.volumeId === volumeId) return { kind: 'record', record };
      return await this.#setAside(volumeId, `it is about volume ${record.volumeId}`);
    } catch (error) {
      if (!(error instanceof SyntaxError) && !StorageError.is(error, 'data-loss')) throw error;
      return await this.#setAside(volumeId, messageOf(error));
    }
  }

  async write(record: Omit<JournalRecord, 'updatedAt'>): Promise<JournalRecord> {
    const written = { ...record, updatedAt: this.#deps.now() };
    const path = this.#path(record.volumeId);
    await attempt(`write the journal record ${path}`, () => writeRecord(path, encodeJournalRecord(written)));
    return written;
  }

  async remove(volumeId: VolumeId): Promise<void> {
    const path = this.#path(volumeId);
    await attempt(`remove the journal record ${path}`, () => removeRecord(path));
  }

  async list(): Promise<readonly JournalRecord[]> {
    const names = await attempt(`list the node journal ${this.#folder}`, () =>
      listRecordFolder(this.#folder),
    );
    const ids = names.filter((name) => name.endsWith(SUFFIX)).map((name) => name.slice(0, -SUFFIX.length));
    const entries = await Promise.all(ids.map((id) => this.read(asVolumeId(id))));
    return entries.map(recordOf).filter((record) => record !== undefined);
  }

  #path(volumeId: VolumeId): string {
    if (!isMadeId(volumeId)) {
      throw new StorageError('not-found', `there is no volume ${volumeId}: this driver makes no such id`);
    }
    return `${this.#folder}/${volumeId}${SUFFIX}`;
  }

  /** No record: a volume never seen here, or one whose record was set aside. The file set aside remembers the doubt. */
  async #missing(volumeId: VolumeId): Promise<JournalEntry> {
    const prefix = `${volumeId}${SUFFIX}.`;
    const aside = (await listRecordFolder(this.#folder)).find((name) => name.startsWith(prefix));
    return aside === undefined ? { kind: 'none' } : unreadable(`${this.#folder}/${aside}`);
  }

  async #setAside(volumeId: VolumeId, why: string): Promise<JournalEntry> {
    const path = this.#path(volumeId);
    try {
      const aside = await setAsideRecord(path);
      this.#deps.log.error(
        { volumeId, record: aside, reason: why },
        'a record of the node journal cannot be read and was set aside; its volume is not formatted while it is there',
      );
      return unreadable(aside);
    } catch (error) {
      // Another call has set it aside since.
      if (isErrno(error, 'ENOENT')) return await this.read(volumeId);
      throw error;
    }
  }
}

function unreadable(aside: string): JournalEntry {
  return {
    kind: 'unreadable',
    reason:
      `its journal record could not be read and was set aside as ${aside}; ` +
      'if the disk is known to hold nothing, remove that file and try again',
  };
}
