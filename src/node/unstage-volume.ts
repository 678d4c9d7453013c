import { StorageError } from '../core/errors.ts';
import { asVolumeId, type VolumeId } from '../core/ids.ts';
import type { NodeUnstageVolumeRequest__Output } from '../gen/csi/csi/v1/NodeUnstageVolumeRequest.ts';
import type { NodeUnstageVolumeResponse } from '../gen/csi/csi/v1/NodeUnstageVolumeResponse.ts';
import type { CallContext } from '../rpc/call.ts';
import { seeDisks } from './disk-finder.ts';
import { recordOf, type JournalRecord } from './journal.ts';
import type { NodeDeps } from './node-deps.ts';
import { isSamePath, pathState, requiredPath } from './paths.ts';
import type { SeenLinks } from './seen-links.ts';
import { anotherVolumeAt, isSameVolume, journalledVolume, requireUnclaimed } from './staged-volume.ts';
import { clearDangling, unmountAndSee } from './unmount.ts';
import type { VolumeMeter } from './volume-meter.ts';

type Deps = Pick<NodeDeps, 'host' | 'journal' | 'conditions'> & {
  readonly links: SeenLinks;
  readonly meter: VolumeMeter;
};

/**
 * NodeUnstageVolume: flushes, unmounts and takes the disk offline, so that storage lets go of it. The staging
 * folder itself belongs to the caller and stays, empty. What an earlier life left is cleared as well: a dangling
 * mount point after a reboot, a disk still online because a crash came between unmount and offline; the journal
 * says `unstaging` until it is done.
 */
export async function unstageVolume(
  deps: Deps,
  request: NodeUnstageVolumeRequest__Output,
  { signal, log }: CallContext,
): Promise<NodeUnstageVolumeResponse> {
  const volumeId = asVolumeId(request.volume_id);
  const stagingPath = requiredPath(request.staging_target_path, 'staging_target_path');
  const record = recordOf(await deps.journal.read(volumeId));
  const state = await pathState(deps.host.files, stagingPath, signal);

  if (record === undefined) {
    if (state === 'live') await unmountUnknown(deps, volumeId, stagingPath, signal);
    if (state === 'plain') await clearUnknown(deps, volumeId, stagingPath, signal);
    return {};
  }
  const isItsPath = record.stagingPath === undefined || isSamePath(record.stagingPath, stagingPath);
  if (state === 'live') {
    if (!isItsPath) throw stagedElsewhere(record, stagingPath);
    await requireUnpublished(deps, record, signal);
    await unmount(deps, record, stagingPath, signal);
    await goOffline(deps, record, signal);
    await forgetStaging(deps, { ...record, targets: [] });
  } else if (isItsPath && record.phase !== 'unstaged') {
    if (state === 'plain') await clearDangling(deps.host, stagingPath, signal);
    await goOffline(deps, record, signal);
    await forgetStaging(deps, record);
  } else {
    return {};
  }
  log.info({ volumeId, stagingPath }, 'unstaged the volume');
  return {};
}

/**
 * Nothing proves whose this is, but the caller names it and no other volume of ours does. Its disk stays online (law 2).
 * A host that cannot tell which volume it is cannot flush and unmount it either.
 */
async function unmountUnknown(
  deps: Deps,
  volumeId: VolumeId,
  stagingPath: string,
  signal: AbortSignal,
): Promise<void> {
  const { targetPathLookup } = await deps.host.capabilities(signal);
  const mounted = targetPathLookup
    ? await deps.host.volumes.getVolumeIdFromTargetPath(stagingPath, signal)
    : journalledVolume(volumeId, stagingPath, undefined);
  await requireUnclaimed(deps.journal, volumeId, { path: stagingPath, hostVolumeId: mounted });
  await unmountAndSee(deps.host, mounted, stagingPath, signal);
}

/** A mount point that dangles since before the journal was lost: no sweep knows of it. An empty folder stays one. */
async function clearUnknown(
  deps: Deps,
  volumeId: VolumeId,
  stagingPath: string,
  signal: AbortSignal,
): Promise<void> {
  await requireUnclaimed(deps.journal, volumeId, { path: stagingPath });
  await clearDangling(deps.host, stagingPath, signal);
}

/** A host that cannot tell what is mounted is told to unmount exactly what the journal says. */
async function unmount(
  deps: Deps,
  record: JournalRecord,
  stagingPath: string,
  signal: AbortSignal,
): Promise<void> {
  const { targetPathLookup } = await deps.host.capabilities(signal);
  const mounted = targetPathLookup
    ? await deps.host.volumes.getVolumeIdFromTargetPath(stagingPath, signal)
    : journalledVolume(record.volumeId, stagingPath, record);
  if (!isSameVolume(mounted, record.hostVolumeId)) {
    throw anotherVolumeAt(stagingPath, mounted, `volume ${record.volumeId} is ${record.hostVolumeId}`);
  }
  await deps.journal.write({ ...record, phase: 'unstaging', stagingPath, targets: [] });
  await unmountAndSee(deps.host, record.hostVolumeId, stagingPath, signal);
}

/**
 * Looks for the disk right before (law 2): an unmount takes its time, and numbers move meanwhile. One that is not there
 * needs nothing.
 */
async function goOffline({ host }: Deps, record: JournalRecord, signal: AbortSignal): Promise<void> {
  if (!(await host.capabilities(signal)).diskState) return;
  const sighting = (await seeDisks(host, signal))(record.disk);
  if (sighting.kind === 'here') await host.disks.setDiskState(sighting.disk, false, signal);
}

/** Links that still stand stay in the record, so that NodeUnpublish knows them as ours. */
async function forgetStaging(deps: Deps, record: JournalRecord): Promise<void> {
  await deps.journal.write({ ...record, phase: 'unstaged', stagingPath: undefined });
  deps.conditions.forget(record.volumeId);
  deps.links.forgetAll(record.volumeId);
  deps.meter.forget(record.volumeId);
}

function stagedElsewhere(record: JournalRecord, stagingPath: string): StorageError {
  return new StorageError(
    'failed-precondition',
    `volume ${record.volumeId} is staged at ${record.stagingPath ?? ''}, not at ${stagingPath}, where something else is mounted: ` +
      'both were left as they are; unstage the path it is staged at',
  );
}

/** A pod may still be writing: kubelet unpublishes first. Looked at only when the journal knows of links. */
async function requireUnpublished(deps: Deps, record: JournalRecord, signal: AbortSignal): Promise<void> {
  const inUse: string[] = [];
  for (const { path } of record.targets) {
    if ((await pathState(deps.host.files, path, signal)) === 'live') inUse.push(path);
  }
  if (inUse.length === 0) return;
  throw new StorageError(
    'failed-precondition',
    `volume ${record.volumeId} cannot be unstaged: it is still published at ${inUse.join(', ')}; unpublish it there first`,
  );
}
