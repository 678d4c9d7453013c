import { PARTITION_OVERHEAD_BYTES, MIB } from '../core/capacity.ts';
import { StorageError } from '../core/errors.ts';
import type { DiskNumber, HostVolumeId, VolumeId } from '../core/ids.ts';
import type { DiskAttachment } from '../core/ports/disk-backend.ts';
import { together } from '../util/together.ts';
import { confirmDisk, findDisk } from './disk-finder.ts';
import { isSameDisk } from './disk-identity.ts';
import { formatHistory, formatRefused, reasonNotToFormat } from './format-guard.ts';
import { recordOf, type JournalEntry, type JournalRecord } from './journal.ts';
import type { NodeDeps } from './node-deps.ts';
import { onlyVolume } from './only-volume.ts';
import { isSameVolume } from './staged-volume.ts';

/** Hosts may ignore a growth below this, so it is not worth a call. */
export const GROWTH_TOLERANCE_BYTES = 100n * MIB;

/** A volume that is about to be staged. */
export interface StageTask {
  readonly volumeId: VolumeId;
  readonly attachment: DiskAttachment;
  readonly stagingPath: string;
  readonly entry: JournalEntry;
}

type Deps = Pick<NodeDeps, 'host' | 'journal'>;

/** A volume that can be mounted. */
export interface PreparedVolume {
  /** The volume's record once it is staged. */
  readonly record: Omit<JournalRecord, 'updatedAt'>;
  /**
   * What the journal holds of it now. `staged`: that record. `formatting`: that this disk was formatted for this path,
   * which is enough to find the way after a crash. `other`: nothing of the kind, so the record has to come first.
   */
  readonly journalled: 'staged' | 'formatting' | 'other';
}

/**
 * Brings the disk online and makes sure that it holds one NTFS volume as large as the disk allows, formatting it
 * only when law 1 lets it. Records are written while the host looks at something: on its own, each costs as much as a
 * small host call.
 */
export async function prepareVolume(
  deps: Deps,
  task: StageTask,
  signal: AbortSignal,
): Promise<PreparedVolume> {
  const { host, journal } = deps;
  const { attachment } = task;
  requireNotForeign(task);
  const history = formatHistory(task.entry, attachment, journal.begunAt);
  const mustNotFormat = reasonNotToFormat(attachment.content, history);

  const disk = await findDisk(host, attachment, signal);
  const { diskState } = await host.capabilities(signal);
  if (diskState) await host.disks.setDiskState(disk, true, signal);
  if (mustNotFormat === undefined) await host.disks.partitionDisk(disk, signal);
  const hostVolumeId = await onlyVolume(host, attachment, { disk, mustNotFormat }, signal);

  const known = ownRecord(task);
  const record = {
    volumeId: task.volumeId,
    phase: 'staged',
    disk: { serialNumber: attachment.serialNumber, page83: attachment.page83 },
    hostVolumeId,
    holdsFileSystem: true,
    grownToBytes: known?.grownToBytes ?? 0n,
    stagingPath: task.stagingPath,
    targets: known?.targets ?? [],
  } as const;

  const mayRecord = mustNotFormat !== undefined && history.kind !== 'unknown' && !mayGrow(task, record);
  await confirmUnexpected(deps, task, { disk, hostVolumeId }, signal);
  const looking = host.volumes.isVolumeFormatted(hostVolumeId, signal);
  const [isFormatted] = mayRecord ? await together(looking, journal.write(record)) : [await looking];
  if (isFormatted) {
    // The bytes were blank and no format has begun here, so this may be the file system of another disk.
    if (mustNotFormat === undefined && history.kind === 'never')
      await confirmDisk(host, attachment, disk, signal);
    if (mayRecord) return { record, journalled: 'staged' };
    return { record: await grown(deps, task, record, signal), journalled: 'other' };
  }
  if (mustNotFormat !== undefined) {
    throw formatRefused(attachment, `no file system on volume ${hostVolumeId}`, mustNotFormat);
  }
  await together(
    confirmDisk(host, attachment, disk, signal),
    journal.write({ ...record, phase: 'formatting', holdsFileSystem: false }),
  );
  await host.volumes.formatVolume(hostVolumeId, signal);
  return { record: { ...record, grownToBytes: attachment.capacityBytes }, journalled: 'formatting' };
}

/**
 * Numbers move when disks come and go, so a volume that the journal does not expect on this disk may be another disk's
 * (law 2). Only then: a further look at every stage would cost a host call.
 */
async function confirmUnexpected(
  { host, journal }: Deps,
  task: StageTask,
  { disk, hostVolumeId }: { readonly disk: DiskNumber; readonly hostVolumeId: HostVolumeId },
  signal: AbortSignal,
): Promise<void> {
  const known = ownRecord(task);
  const isUnexpected =
    known === undefined
      ? (await journal.list()).some(
          (record) => record.volumeId !== task.volumeId && isSameVolume(record.hostVolumeId, hostVolumeId),
        )
      : !isSameVolume(known.hostVolumeId, hostVolumeId);
  if (isUnexpected) await confirmDisk(host, task.attachment, disk, signal);
}

/** The record of this disk; one of another disk says nothing. */
function ownRecord({ entry, attachment }: StageTask): JournalRecord | undefined {
  const record = recordOf(entry);
  return record !== undefined && isSameDisk(record.disk, attachment) ? record : undefined;
}

function requireNotForeign({ volumeId, attachment }: StageTask): void {
  if (attachment.content.state !== 'foreign') return;
  throw new StorageError(
    'failed-precondition',
    `volume ${volumeId} cannot be staged as NTFS: when its disk (serial number ${attachment.serialNumber}) was attached ` +
      `it held ${attachment.content.found}; no data was touched; if that is wrong or has been changed since, ` +
      'detach the volume and attach it again',
  );
}

/** Whether the bytes say that the file system is smaller than its disk, and the journal does not say that it was grown. */
function mayGrow(
  { attachment: { capacityBytes, content } }: StageTask,
  { grownToBytes }: Pick<JournalRecord, 'grownToBytes'>,
): boolean {
  const reach = content.fileSystemBytes + PARTITION_OVERHEAD_BYTES + GROWTH_TOLERANCE_BYTES;
  return content.fileSystemBytes > 0n && reach <= capacityBytes && grownToBytes < capacityBytes;
}

/** A restored, cloned or offline-expanded volume is smaller than its disk: grown before anyone sees it. */
async function grown<Record extends Pick<JournalRecord, 'hostVolumeId' | 'grownToBytes'>>(
  { host }: Deps,
  task: StageTask,
  record: Record,
  signal: AbortSignal,
): Promise<Record> {
  if (!mayGrow(task, record)) return record;
  await host.volumes.resizeVolume(record.hostVolumeId, 0n, signal);
  return { ...record, grownToBytes: task.attachment.capacityBytes };
}
