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
  const capabilities = await host.capabilities(signal);
  requireProvableIdentity(task, capabilities.diskIds);
  const history = formatHistory(task.entry, attachment, journal.begunAt);
  const mustNotFormat = reasonNotToFormat(attachment.content, history);

  const disk = await findDisk(host.disks, attachment, signal);
  if (capabilities.diskState) await host.disks.setDiskState(disk, true, signal);
  if (mustNotFormat === undefined) await host.disks.partitionDisk(disk, signal);
  const hostVolumeId = await onlyVolume(deps, task, { disk, mustNotFormat }, signal);

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
  const looking = host.volumes.isVolumeFormatted(hostVolumeId, signal);
  const [isFormatted] = mayRecord ? await together(looking, journal.write(record)) : [await looking];
  if (isFormatted) {
    if (mayRecord) return { record, journalled: 'staged' };
    return { record: await grown(deps, task, record, signal), journalled: 'other' };
  }
  if (mustNotFormat !== undefined) {
    throw formatRefused(attachment, `no file system on volume ${hostVolumeId}`, mustNotFormat);
  }
  await together(
    confirmDisk(host.disks, attachment, disk, signal),
    journal.write({ ...record, phase: 'formatting', holdsFileSystem: false }),
  );
  await host.volumes.formatVolume(hostVolumeId, signal);
  return { record: { ...record, grownToBytes: attachment.capacityBytes }, journalled: 'formatting' };
}

/** The record of this disk; one of another disk says nothing. */
function ownRecord({ entry, attachment }: StageTask): JournalRecord | undefined {
  const record = recordOf(entry);
  return record !== undefined && isSameDisk(record.disk, attachment) ? record : undefined;
}

function requireProvableIdentity({ volumeId, attachment }: StageTask, diskIds: boolean): void {
  if (!diskIds) {
    throw new StorageError(
      'failed-precondition',
      `volume ${volumeId} cannot be staged: this host does not report serial numbers, so nothing proves which disk ` +
        'is the volume; upgrade CSI Proxy to a release with the disk API v1beta1 or newer',
    );
  }
  if (attachment.content.state === 'foreign') {
    throw new StorageError(
      'failed-precondition',
      `volume ${volumeId} cannot be staged as NTFS: when its disk (serial number ${attachment.serialNumber}) was attached ` +
        `it held ${attachment.content.found}; no data was touched; if that is wrong or has been changed since, ` +
        'detach the volume and attach it again',
    );
  }
}

/** The one volume of the disk. It may take Windows a moment to show it, so none means: look once more. */
async function onlyVolume(
  { host }: Deps,
  { attachment }: StageTask,
  state: { readonly disk: DiskNumber; readonly mustNotFormat: string | undefined },
  signal: AbortSignal,
): Promise<HostVolumeId> {
  let volumes = await volumesOn({ host }, state.disk, signal);
  if (volumes.length === 0) {
    await host.disks.rescan(signal);
    volumes = await volumesOn({ host }, state.disk, signal);
  }
  const [first, ...others] = volumes;
  if (first === undefined) {
    const { mustNotFormat: reason } = state;
    if (reason !== undefined) throw formatRefused(attachment, 'no volume on it', reason);
    throw new StorageError(
      'unavailable',
      `disk ${state.disk} (serial number ${attachment.serialNumber}) was partitioned but the host shows no volume on it yet; try again`,
    );
  }
  if (others.length === 0) return first;
  throw new StorageError(
    'failed-precondition',
    `disk ${state.disk} (serial number ${attachment.serialNumber}) holds ${volumes.length} volumes (${volumes.join(', ')}): ` +
      'nothing tells which one is meant, so none is mounted; this driver uses disks with one partition',
  );
}

/** Older CSI Proxies answer one empty text for "none". */
async function volumesOn(
  { host }: Pick<Deps, 'host'>,
  disk: DiskNumber,
  signal: AbortSignal,
): Promise<readonly HostVolumeId[]> {
  const volumes = await host.volumes.listVolumesOnDisk(disk, 0, signal);
  return volumes.filter((volume) => volume.trim() !== '');
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
