import type { DiskContent } from '../core/content-state.ts';
import { StorageError } from '../core/errors.ts';
import { compareIdentity, identityText, type DiskIdentity } from './disk-identity.ts';
import type { JournalEntry } from './journal.ts';

/** What the journal knows about formats of a disk. `unknown`: its record could not be read. */
export type FormatHistory =
  { readonly kind: 'never' | 'begun' | 'finished' } | { readonly kind: 'unknown'; readonly reason: string };

/**
 * A record of another disk says nothing about this one; one that agrees in one id only leaves a doubt. Without a
 * record, a journal is a witness only of what came after it was begun: one that was lost since the disk was looked at
 * may have known of a format.
 */
export function formatHistory(
  entry: JournalEntry,
  disk: DiskIdentity & { readonly examinedAt: Date },
  journalBegunAt: Date,
): FormatHistory {
  if (entry.kind === 'unreadable') return { kind: 'unknown', reason: entry.reason };
  const match = entry.kind === 'none' ? 'other' : compareIdentity(entry.record.disk, disk);
  if (entry.kind === 'none' || match === 'other') {
    if (journalBegunAt <= disk.examinedAt) return { kind: 'never' };
    const reason =
      `the journal of this node was begun at ${journalBegunAt.toISOString()}, after the disk was looked at ` +
      `(${disk.examinedAt.toISOString()}), so an older journal may have been lost; detach the volume and attach it again, ` +
      'so that its bytes are looked at anew';
    return { kind: 'unknown', reason };
  }
  if (match === 'conflict') {
    const reason = `the journal knows the volume's disk as ${identityText(entry.record.disk)}, and one of these ids is another now`;
    return { kind: 'unknown', reason };
  }
  return { kind: entry.record.holdsFileSystem ? 'finished' : 'begun' };
}

/**
 * Law 1. Why this disk must be neither partitioned nor formatted; `undefined` when nothing says that it ever held
 * data: whoever attached it looked at its bytes and found it blank, and no format of it has ever finished here.
 * `content` was seen when the disk was attached, so it is stale once the journal knows of a finished format.
 */
export function reasonNotToFormat(content: DiskContent, history: FormatHistory): string | undefined {
  if (content.state !== 'blank') {
    return `it held ${content.found === '' ? `${content.state} data` : content.found} when it was attached`;
  }
  switch (history.kind) {
    case 'never':
    case 'begun':
      return undefined;
    case 'finished':
      return 'the journal of this node says that it has been formatted before, so it is damaged, not blank';
    case 'unknown':
      return `nobody knows whether it was formatted before: ${history.reason}`;
  }
}

/** Law 1 as a refusal: `failed-precondition` with what was found. `found` is what the host sees instead of NTFS. */
export function formatRefused(disk: DiskIdentity, found: string, reason: string): StorageError {
  return new StorageError(
    'failed-precondition',
    `the disk with serial number ${disk.serialNumber} is not formatted: the host sees ${found}, but ${reason}; ` +
      'no data was touched; look at the disk with the tools of its file system, or restore the volume from a snapshot',
  );
}
