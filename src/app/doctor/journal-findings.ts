import { lstat, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { JOURNAL_BIRTH_NAME } from '../../node/file-journal.ts';
import { decodeJournalRecord } from '../../node/journal-codec.ts';
import type { JournalRecord } from '../../node/journal.ts';
import { isTemporaryRecord, listRecordFolder, readRecord } from '../../util/record-file.ts';
import type { Finding } from './finding.ts';

/** Reads the journal as it lies there; only a driver sets records aside or sweeps mounts. */
export async function journalFindings(folder: string): Promise<Finding[]> {
  const names = await listRecordFolder(folder);
  if (names.length === 0)
    return [{ state: 'note', subject: 'journal', found: 'no volume was ever staged here' }];
  const paths = names
    .filter((name) => !isTemporaryRecord(name) && name !== JOURNAL_BIRTH_NAME)
    .map((name) => join(folder, name));
  const read = await Promise.all(paths.map(readJournal));
  const unreadable = paths.filter((_path, index) => read[index] === undefined);
  const records = read.filter((record) => record !== undefined);
  const staged = records.flatMap(({ phase, stagingPath }) =>
    phase === 'staged' && stagingPath ? [stagingPath] : [],
  );
  const live = await Promise.all(staged.map(isMounted));
  return [
    { state: 'ok', subject: 'journal', found: `${records.length} volumes known, ${staged.length} staged` },
    ...unreadable.map((path): Finding => ({
      state: 'bad',
      subject: 'journal',
      found: `${path} cannot be read`,
      mend: 'compare it with its neighbours and mend it; its volume is never formatted meanwhile',
    })),
    ...staged
      .filter((_path, index) => live[index] !== true)
      .map((path): Finding => ({
        state: 'bad',
        subject: 'stale mount',
        found: `${path} leads nowhere`,
        mend: 'start the driver: its sweep removes it',
      })),
  ];
}

async function readJournal(path: string): Promise<JournalRecord | undefined> {
  try {
    return path.endsWith('.json') ? decodeJournalRecord(await readRecord(path)) : undefined;
  } catch {
    return undefined;
  }
}

/** True for a link whose target is there and for a mount point. */
async function isMounted(path: string): Promise<boolean> {
  try {
    const [link, target, parent] = await Promise.all([lstat(path), stat(path), stat(dirname(path))]);
    return link.isSymbolicLink() || target.dev !== parent.dev;
  } catch {
    return false;
  }
}
