import { StorageError } from '../core/errors.ts';
import type { DiskNumber, HostVolumeId, VolumeId } from '../core/ids.ts';
import type { DiskAttachment } from '../core/ports/disk-backend.ts';
import { diskIn } from './disk-finder.ts';
import { identityText, isSameDisk, type DiskIdentity } from './disk-identity.ts';
import type { JournalRecord, JournalStore } from './journal.ts';
import type { NodeDeps } from './node-deps.ts';
import { isSamePath } from './paths.ts';

/** Windows writes GUIDs in either case. */
export const isSameVolume = (one: HostVolumeId, other: HostVolumeId): boolean =>
  one.toLowerCase() === other.toLowerCase();

/**
 * Proves that what is mounted at a live staging path is this volume, and gives its record, marked `staged`.
 * The journal's word for its GUID is enough; without one the disk below is compared (law 2). Two host calls with
 * a record. Throws `failed-precondition` when another volume is there: nothing is ever layered over it.
 */
export async function requireMountedHere(
  deps: Pick<NodeDeps, 'host' | 'journal'>,
  volume: {
    readonly volumeId: VolumeId;
    readonly attachment: DiskAttachment;
    readonly stagingPath: string;
    readonly record: JournalRecord | undefined;
  },
  signal: AbortSignal,
): Promise<JournalRecord> {
  const { volumeId, attachment, stagingPath } = volume;
  const record =
    volume.record !== undefined && isSameDisk(volume.record.disk, attachment) ? volume.record : undefined;
  const { targetPathLookup } = await deps.host.capabilities(signal);
  if (!targetPathLookup) return trustJournal(volumeId, stagingPath, record);
  const mounted = await deps.host.volumes.getVolumeIdFromTargetPath(stagingPath, signal);
  if (record === undefined) {
    await requireOnDisk(deps, { mounted, disk: attachment, stagingPath }, signal);
  } else if (!isSameVolume(mounted, record.hostVolumeId)) {
    throw anotherVolumeAt(stagingPath, mounted, `this volume is ${record.hostVolumeId}`);
  }
  if (record !== undefined && isStagedAt(record, stagingPath)) return record;
  return await deps.journal.write({
    volumeId,
    phase: 'staged',
    disk: { serialNumber: attachment.serialNumber, page83: attachment.page83 },
    hostVolumeId: mounted,
    holdsFileSystem: true,
    grownToBytes: record?.grownToBytes ?? 0n,
    stagingPath,
    targets: record?.targets ?? [],
  });
}

export function anotherVolumeAt(path: string, mounted: HostVolumeId, expected: string): StorageError {
  return new StorageError(
    'failed-precondition',
    `${path} leads to volume ${mounted}, but ${expected}: it was left as it is; ` +
      'find out who mounted it there, unmount it, and try again',
  );
}

/** Throws when the journal says that another volume of ours is at this path, or is this host volume. */
export async function requireUnclaimed(
  journal: JournalStore,
  volumeId: VolumeId,
  place: { readonly path: string; readonly hostVolumeId?: HostVolumeId },
): Promise<void> {
  const owner = (await journal.list()).find(
    (record) => record.volumeId !== volumeId && claims(record, place.path, place.hostVolumeId),
  );
  if (owner === undefined) return;
  throw new StorageError(
    'failed-precondition',
    `${place.path} belongs to volume ${owner.volumeId}, not to ${volumeId}: it was left as it is; call with the volume id it belongs to`,
  );
}

function claims(record: JournalRecord, path: string, hostVolumeId: HostVolumeId | undefined): boolean {
  if (record.stagingPath !== undefined && isSamePath(record.stagingPath, path)) return true;
  if (record.targets.some((target) => isSamePath(target.path, path))) return true;
  return hostVolumeId !== undefined && isSameVolume(record.hostVolumeId, hostVolumeId);
}

const isStagedAt = (record: JournalRecord, path: string): boolean =>
  record.phase === 'staged' && isSamePath(record.stagingPath ?? '', path);

/** A host that cannot say what is mounted where: only a record of a finished stage at this very path will do. */
function trustJournal(
  volumeId: VolumeId,
  stagingPath: string,
  record: JournalRecord | undefined,
): JournalRecord {
  if (record !== undefined && isStagedAt(record, stagingPath)) return record;
  throw new StorageError(
    'failed-precondition',
    `something is mounted at ${stagingPath} and this host cannot tell whether it is volume ${volumeId}; ` +
      'upgrade CSI Proxy, or unmount the path and try again',
  );
}

async function requireOnDisk(
  deps: Pick<NodeDeps, 'host'>,
  seen: { readonly mounted: HostVolumeId; readonly disk: DiskIdentity; readonly stagingPath: string },
  signal: AbortSignal,
): Promise<void> {
  const below: DiskNumber = await deps.host.volumes.getDiskNumberFromVolumeId(seen.mounted, signal);
  const ours = diskIn(await deps.host.disks.listDiskIds(signal), seen.disk);
  if (ours === below) return;
  throw anotherVolumeAt(
    seen.stagingPath,
    seen.mounted,
    `the disk of this volume has ${identityText(seen.disk)} and is ${ours === undefined ? 'not on this node' : `number ${ours}, not ${below}`}`,
  );
}
