import { PARTITION_OVERHEAD_BYTES, MIB } from '../core/capacity.ts';
import { StorageError } from '../core/errors.ts';
import type { DiskNumber, HostVolumeId, VolumeId } from '../core/ids.ts';
import type { DiskAttachment } from '../core/ports/disk-backend.ts';
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

/**
 * Brings the disk online and makes sure that it holds one NTFS volume as large as the disk allows, formatting it
 * only when law 1 lets it. Gives the volume's record as it will be once mounted.
 */
export async function prepareVolume(
  deps: Deps,
  task: StageTask,
  signal: AbortSignal,
): Promise<Omit<JournalRecord, 'updatedAt'>> {
  const { host, journal } = deps;
  const { attachment } = task;
  const capabilities = await host.capabilities(signal);
  requireProvableIdentity(task, capabilities.diskIds);
  const mustNotFormat = reasonNotToFormat(
    attachment.content,
    formatHistory(task.entry, attachment, journal.begunAt),
  );

  const disk = await findDisk(host.disks, attachment, signal);
  if (capabilities.diskState) await host.disks.setDiskState(disk, true, signal);
  if (mustNotFormat === undefined) await host.disks.partitionDisk(disk, signal);
  const hostVolumeId = await onlyVolume(deps, task, { disk, mustNotFormat }, signal);

  const known = ownRecord(task);
  const record = {
    volumeId: task.volumeId,
    phase: 'mounting',
    disk: { serialNumber: attachment.serialNumber, page83: attachment.page83 },
    hostVolumeId,
    holdsFileSystem: true,
    grownToBytes: known?.grownToBytes ?? 0n,
    stagingPath: task.stagingPath,
    targets: known?.targets ?? [],
  } as const;

  if (await host.volumes.isVolumeFormatted(hostVolumeId, signal))
    return await grown(deps, task, record, signal);
  if (mustNotFormat !== undefined) {
    throw formatRefused(attachment, `no file system on volume ${hostVolumeId}`, mustNotFormat);
  }
  await confirmDisk(host.disks, attachment, disk, signal);
  await deps.journal.write({ ...record, phase: 'formatting', holdsFileSystem: false });
  await host.volumes.formatVolume(hostVolumeId, signal);
  return { ...record, grownToBytes: attachment.capacityBytes };
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

/** A restored, cloned or offline-expanded volume is smaller than its disk: grown before anyone sees it. */
async function grown<Record extends { readonly hostVolumeId: HostVolumeId; readonly grownToBytes: bigint }>(
  { host }: Deps,
  { attachment }: StageTask,
  record: Record,
  signal: AbortSignal,
): Promise<Record> {
  const { capacityBytes, content } = attachment;
  const reach = content.fileSystemBytes + PARTITION_OVERHEAD_BYTES + GROWTH_TOLERANCE_BYTES;
  if (content.fileSystemBytes === 0n || reach > capacityBytes || record.grownToBytes >= capacityBytes) {
    return record;
  }
  await host.volumes.resizeVolume(record.hostVolumeId, 0n, signal);
  return { ...record, grownToBytes: capacityBytes };
}
