import { StorageError } from '../core/errors.ts';
import type { HostVolumeId, VolumeId } from '../core/ids.ts';
import type { DiskAttachment } from '../core/ports/disk-backend.ts';
import { currentDisk } from './disk-finder.ts';
import { identityText, isSameDisk, type DiskIdentity } from './disk-identity.ts';
import type { JournalRecord, JournalStore } from './journal.ts';
import type { NodeDeps } from './node-deps.ts';
import { isSamePath } from './paths.ts';

/** Windows writes GUIDs in either case. */
export const isSameVolume = (one: HostVolumeId, other: HostVolumeId): boolean =>
  one.toLowerCase() === other.toLowerCase();

/**
 * Proves that what is mounted at a live staging path is this volume, and gives its record, marked `staged`.
 * The journal's word for its GUID is enough; without one the disk below is compared (law 2). One host call with a
 * record, none where the host cannot tell what is mounted where. Throws `failed-precondition` when another volume is
 * there: nothing is ever layered over it.
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
  const mounted = targetPathLookup
    ? await deps.host.volumes.getVolumeIdFromTargetPath(stagingPath, signal)
    : journalledVolume(volumeId, stagingPath, record);
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

/**
 * The journal's word for what is mounted at a live staging path, where the host cannot tell. A record of this disk names
 * this path only from before a mount was made, when nothing was mounted there, until after it was unmounted: so what
 * is there now is that mount, whichever of the two a crash cut short.
 */
export function journalledVolume(
  volumeId: VolumeId,
  stagingPath: string,
  record: JournalRecord | undefined,
): HostVolumeId {
  if (record?.stagingPath !== undefined && isSamePath(record.stagingPath, stagingPath))
    return record.hostVolumeId;
  throw new StorageError(
    'failed-precondition',
    `something is mounted at ${stagingPath}: the journal of this node does not say that it is volume ${volumeId}, and this host ` +
      'cannot tell; it was left as it is; upgrade CSI Proxy to a release with the volume API v1beta1 or newer (0.2.0), or ' +
      'unmount the path by hand, and try again',
  );
}

async function requireOnDisk(
  deps: Pick<NodeDeps, 'host'>,
  seen: { readonly mounted: HostVolumeId; readonly disk: DiskIdentity; readonly stagingPath: string },
  signal: AbortSignal,
): Promise<void> {
  const below = await deps.host.volumes.getDiskNumberFromVolumeId(seen.mounted, signal);
  const ours = await currentDisk(deps.host, seen.disk, signal);
  if (ours === below) return;
  throw anotherVolumeAt(
    seen.stagingPath,
    seen.mounted,
    `the disk of this volume has ${identityText(seen.disk)} and is ${ours === undefined ? 'not on this node' : `number ${ours}, not ${below}`}`,
  );
}
