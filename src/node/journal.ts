import type { AccessMode } from '../core/volume-capability.ts';
import type { HostVolumeId, VolumeId } from '../core/ids.ts';
import type { DiskIdentity } from './disk-identity.ts';

/**
 * What this node knows of a volume that the host cannot tell: which disk it is, whether a format ever finished,
 * where it is staged and published. The intent is written before the host is changed, so after a crash a repeat
 * knows what may have happened (law 3).
 */
export interface JournalRecord {
  readonly volumeId: VolumeId;
  readonly phase: JournalPhase;
  /** A record speaks of one disk; a volume made again under the same name is another one. */
  readonly disk: DiskIdentity;
  readonly hostVolumeId: HostVolumeId;
  /** True once a format finished or the host saw a file system. Never formatted again (law 1). */
  readonly holdsFileSystem: boolean;
  /** Size of the disk, in bytes, that the file system has last been grown to. */
  readonly grownToBytes: bigint;
  /** `undefined` when nothing is, or may be, mounted. */
  readonly stagingPath?: string | undefined;
  readonly targets: readonly PublishTarget[];
  readonly updatedAt: Date;
}

/**
 * `formatting`: FormatVolume was about to be called. `staged`: MountVolume was, and most likely it is mounted; the host
 * says whether it is.
 * `unstaging`: UnmountVolume was about to be called. `unstaged`: unmounted and offline.
 */
export type JournalPhase = 'formatting' | 'staged' | 'unstaging' | 'unstaged';

export interface PublishTarget {
  readonly path: string;
  /** `creating`: the link was about to be made. */
  readonly state: 'creating' | 'published';
  readonly accessMode: AccessMode;
}

/** What the journal says of a volume. `unreadable`: there was a record and nobody knows what it said (law 8). */
export type JournalEntry =
  | { readonly kind: 'none' }
  | { readonly kind: 'record'; readonly record: JournalRecord }
  | { readonly kind: 'unreadable'; readonly reason: string };

/** Where records are kept. A record is written whole or not at all (law 8). */
export interface JournalStore {
  /** When this journal was begun: of anything before, its silence says nothing (law 1). */
  readonly begunAt: Date;
  read(volumeId: VolumeId): Promise<JournalEntry>;
  /** Gives the record as written, `updatedAt` being now. */
  write(record: Omit<JournalRecord, 'updatedAt'>): Promise<JournalRecord>;
  remove(volumeId: VolumeId): Promise<void>;
  /** All records that can be read, in no order. */
  list(): Promise<readonly JournalRecord[]>;
}

/** The record of an entry, if there is one. */
export const recordOf = (entry: JournalEntry): JournalRecord | undefined =>
  entry.kind === 'record' ? entry.record : undefined;
