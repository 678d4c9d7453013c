import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { asHostVolumeId, asVolumeId } from '../../../src/core/ids.ts';
import { JOURNAL_BIRTH_NAME, openFileJournal } from '../../../src/node/file-journal.ts';
import type { JournalRecord, JournalStore } from '../../../src/node/journal.ts';
import { RecordingLogger } from '../../support/recording-logger.ts';

const ID = asVolumeId('vol-1');
const NOW = new Date('2026-01-01T00:00:00Z');
const RECORD: Omit<JournalRecord, 'updatedAt'> = {
  volumeId: ID,
  phase: 'staged',
  disk: { serialNumber: 'serial-1', page83: 'naa.6001' },
  hostVolumeId: asHostVolumeId('\\\\?\\Volume{00000000-0000-4000-8000-000000000001}\\'),
  holdsFileSystem: true,
  grownToBytes: 2n ** 62n,
  stagingPath: 'C:\\kubelet\\globalmount',
  targets: [{ path: 'C:\\kubelet\\pod', state: 'published', accessMode: 'SINGLE_NODE_WRITER' }],
};

let folder: string;
let log: RecordingLogger;
const open = (): Promise<JournalStore> => openFileJournal(folder, { log, now: () => NOW });
const path = (): string => join(folder, 'vol-1.json');

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'csi-ntfs-journal-'));
  log = new RecordingLogger();
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe('the journal in files', () => {
  it('reads back what it wrote, in a later process', async () => {
    await (await open()).write(RECORD);
    const journal = await open();
    const record = { ...RECORD, updatedAt: NOW };
    expect(await journal.read(ID)).toEqual({ kind: 'record', record });
    expect(await journal.list()).toEqual([record]);
  });

  it('law 1: remembers when it was begun, and begins anew when that was lost', async () => {
    expect((await open()).begunAt).toEqual(NOW);
    const later = new Date(NOW.getTime() + 1000);
    const reopened = (): Promise<JournalStore> => openFileJournal(folder, { log, now: () => later });
    expect((await reopened()).begunAt).toEqual(NOW);
    await writeFile(join(folder, JOURNAL_BIRTH_NAME), 'torn');
    expect((await reopened()).begunAt).toEqual(later);
  });

  it('forgets what it removed', async () => {
    const journal = await open();
    await journal.write(RECORD);
    await journal.remove(ID);
    expect(await journal.read(ID)).toEqual({ kind: 'none' });
    expect(await journal.list()).toEqual([]);
  });

  it('law 8: sets a torn record aside, reports it, and remembers the doubt', async () => {
    await (await open()).write(RECORD);
    const whole = await readFile(path(), 'utf8');
    for (const length of [0, 1, whole.length / 2, whole.trimEnd().length - 1]) {
      await writeFile(path(), whole.slice(0, length));
      const journal = await open();
      expect(await journal.read(ID)).toMatchObject({ kind: 'unreadable' });
      expect(await journal.read(ID)).toMatchObject({ kind: 'unreadable' });
      for (const name of await readdir(folder)) await rm(join(folder, name));
    }
    expect(log.lines.map(({ level }) => level).filter((level) => level !== 'info')).toEqual(
      Array.from({ length: 4 }, () => 'error'),
    );
  });

  it.each([
    ['another schema', { schema: 2 }],
    ['another volume', { volumeId: 'vol-2' }],
    ['an unknown phase', { phase: 'done' }],
    ['no serial number', { serialNumber: '' }],
    ['a size that is none', { grownToBytes: '-1' }],
    ['a flag that is none', { holdsFileSystem: 'yes' }],
    ['targets that are no list', { targets: {} }],
    ['a target without a state', { targets: [{ path: 'C:\\pod', accessMode: 'SINGLE_NODE_WRITER' }] }],
    ['a time that is none', { updatedAt: 'yesterday' }],
  ])('law 8: never guesses at a record with %s', async (_with, change) => {
    await (await open()).write(RECORD);
    const fields = JSON.parse(await readFile(path(), 'utf8')) as object;
    await writeFile(path(), JSON.stringify({ ...fields, ...change }));
    const journal = await open();
    expect(await journal.list()).toEqual([]);
    expect(await journal.read(ID)).toMatchObject({
      kind: 'unreadable',
      reason: expect.stringContaining(`${path()}.unreadable-`) as unknown,
    });
  });

  it('law 8: trusts a new record written after an old one was set aside', async () => {
    await writeFile(path(), 'torn');
    const journal = await open();
    await journal.read(ID);
    await journal.write(RECORD);
    expect(await journal.read(ID)).toMatchObject({ kind: 'record' });
  });

  it('law 8: answers two readers of one unreadable record alike', async () => {
    await writeFile(path(), 'torn');
    const journal = await open();
    const entries = await Promise.all([journal.read(ID), journal.read(ID), journal.list()]);
    expect(entries.slice(0, 2)).toMatchObject([{ kind: 'unreadable' }, { kind: 'unreadable' }]);
  });

  it('law 8: clears the half-written files of a crash when it is opened', async () => {
    await writeFile(join(folder, '.vol-1.json.0123456789ab.tmp'), '{');
    await open();
    expect(await readdir(folder)).toEqual([JOURNAL_BIRTH_NAME]);
  });

  it('keeps an id that nobody can have made away from the file system', async () => {
    const journal = await open();
    const evil = asVolumeId('../../etc/passwd');
    expect(await journal.read(evil)).toEqual({ kind: 'none' });
    await expect(journal.write({ ...RECORD, volumeId: evil })).rejects.toMatchObject({ code: 'not-found' });
  });

  it.each([
    ['read', (journal: JournalStore) => journal.read(ID)],
    ['write', (journal: JournalStore) => journal.write(RECORD)],
    ['list', (journal: JournalStore) => journal.list()],
  ])('says which folder is in trouble when it cannot %s', async (_what, use) => {
    const journal = await open();
    await rm(folder, { recursive: true });
    await writeFile(folder, '');
    await expect(use(journal)).rejects.toMatchObject({
      name: 'StorageError',
      message: expect.stringContaining(folder) as unknown,
    });
  });
});
