import { StorageError, throwIfAborted } from '../core/errors.ts';
import { asVolumeId } from '../core/ids.ts';
import { decodePublishContext } from '../core/publish-context.ts';
import type { NodeStageVolumeRequest__Output } from '../gen/csi/csi/v1/NodeStageVolumeRequest.ts';
import type { NodeStageVolumeResponse } from '../gen/csi/csi/v1/NodeStageVolumeResponse.ts';
import type { CallContext } from '../rpc/call.ts';
import { requireSupportedCapability } from '../rpc/wire/volume-capability.ts';
import { together } from '../util/together.ts';
import { isSameDisk } from './disk-identity.ts';
import { recordOf } from './journal.ts';
import type { NodeDeps } from './node-deps.ts';
import { isSamePath, pathState, requiredPath } from './paths.ts';
import { type PreparedVolume, prepareVolume, type StageTask } from './prepare-volume.ts';
import type { SeenLinks } from './seen-links.ts';
import { anotherVolumeAt, isSameVolume, requireMountedHere } from './staged-volume.ts';

type Deps = Pick<NodeDeps, 'host' | 'journal' | 'conditions'> & { readonly links: SeenLinks };

/**
 * NodeStageVolume: mounts the volume at the staging path, after bringing its disk online and, when it is blank,
 * partitioning and formatting it. CSI spec, NodeStageVolume; a repeat finds it mounted and changes nothing.
 */
export async function stageVolume(
  deps: Deps,
  request: NodeStageVolumeRequest__Output,
  { signal, log }: CallContext,
): Promise<NodeStageVolumeResponse> {
  const volumeId = asVolumeId(request.volume_id);
  const stagingPath = requiredPath(request.staging_target_path, 'staging_target_path');
  requireSupportedCapability(request.volume_capability);
  const attachment = decodePublishContext(request.publish_context);
  const entry = await deps.journal.read(volumeId);
  const task: StageTask = { volumeId, attachment, stagingPath, entry };

  await requireNotStagedElsewhere(deps, task, signal);
  const state = await pathState(deps.host.files, stagingPath, signal);
  if (state === 'live') {
    await requireMountedHere(deps, { ...task, record: recordOf(entry) }, signal);
    return {};
  }
  if (state === 'missing') await deps.host.files.mkdir(stagingPath, signal);
  else await clearFormerMount(deps, task, signal);
  deps.links.forgetAll(volumeId);
  const prepared = await prepareVolume(deps, task, signal);
  await mountRecorded(deps, prepared, stagingPath, signal);
  deps.conditions.forget(volumeId);
  log.info({ volumeId, stagingPath, hostVolumeId: prepared.record.hostVolumeId }, 'staged the volume');
  return {};
}

/** The record is on disk before the caller hears of it, and before the mount unless a former one tells as much. */
async function mountRecorded(
  deps: Deps,
  { record, journalled }: PreparedVolume,
  stagingPath: string,
  signal: AbortSignal,
): Promise<void> {
  if (journalled === 'other') await deps.journal.write(record);
  const mounted = mount(deps, record, stagingPath, signal);
  if (journalled === 'formatting') await together(mounted, deps.journal.write(record));
  else await mounted;
}

/** One volume has one staging path. Also true of a former disk of the same name that is still mounted. */
async function requireNotStagedElsewhere(deps: Deps, task: StageTask, signal: AbortSignal): Promise<void> {
  const other = recordOf(task.entry)?.stagingPath;
  if (other === undefined || isSamePath(other, task.stagingPath)) return;
  if ((await pathState(deps.host.files, other, signal)) !== 'live') return;
  throw new StorageError(
    'failed-precondition',
    `volume ${task.volumeId} is staged at ${other}, so it cannot be staged at ${task.stagingPath}: unstage it there first`,
  );
}

/**
 * A mount point of the former disk of this volume comes back to life with that disk. Where the host cannot tell what is
 * mounted, it must be gone before the journal names this path for the disk of now (law 2).
 */
async function clearFormerMount(
  { host }: Pick<Deps, 'host'>,
  task: StageTask,
  signal: AbortSignal,
): Promise<void> {
  const former = recordOf(task.entry);
  if (former?.stagingPath === undefined || isSameDisk(former.disk, task.attachment)) return;
  if ((await host.capabilities(signal)).targetPathLookup) return;
  await replaceWithEmptyFolder({ host }, task.stagingPath, undefined, signal);
}

/**
 * A failed mount is settled by looking: it may be there after all, or something else may be in its place. Nothing led
 * anywhere from here before the journal named this path, so where the host cannot tell, what is there now is ours.
 */
async function mount(
  { host }: Pick<Deps, 'host'>,
  record: PreparedVolume['record'],
  stagingPath: string,
  signal: AbortSignal,
): Promise<void> {
  try {
    await host.volumes.mountVolume(record.hostVolumeId, stagingPath, signal);
  } catch (error) {
    if ((await pathState(host.files, stagingPath, signal)) === 'live') {
      if (!(await host.capabilities(signal)).targetPathLookup) return;
      const mounted = await host.volumes.getVolumeIdFromTargetPath(stagingPath, signal);
      if (isSameVolume(mounted, record.hostVolumeId)) return;
      throw anotherVolumeAt(stagingPath, mounted, `this volume is ${record.hostVolumeId}`);
    }
    await replaceWithEmptyFolder({ host }, stagingPath, error, signal);
    await host.volumes.mountVolume(record.hostVolumeId, stagingPath, signal);
  }
}

/** Clears a dangling mount point. A full folder stays as it is: a mount would hide what is in it. */
async function replaceWithEmptyFolder(
  { host }: Pick<Deps, 'host'>,
  stagingPath: string,
  mountError: unknown,
  signal: AbortSignal,
): Promise<void> {
  try {
    await host.files.rmdir(stagingPath, false, signal);
  } catch {
    throwIfAborted(signal, `mounting at ${stagingPath}`);
    if (await host.files.pathExists(stagingPath, signal)) {
      throw new StorageError(
        'failed-precondition',
        `nothing can be mounted at ${stagingPath}: it is neither an empty folder nor a mount point; ` +
          'nothing in it was touched; see what it holds, move that away, and try again',
        { cause: mountError },
      );
    }
  }
  await host.files.mkdir(stagingPath, signal);
}
