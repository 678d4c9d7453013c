import { StorageError } from '../core/errors.ts';
import { asVolumeId } from '../core/ids.ts';
import { decodePublishContext } from '../core/publish-context.ts';
import type { AccessMode } from '../core/volume-capability.ts';
import type { NodePublishVolumeRequest__Output } from '../gen/csi/csi/v1/NodePublishVolumeRequest.ts';
import type { NodePublishVolumeResponse } from '../gen/csi/csi/v1/NodePublishVolumeResponse.ts';
import type { CallContext } from '../rpc/call.ts';
import { requireSupportedCapability } from '../rpc/wire/volume-capability.ts';
import { together } from '../util/together.ts';
import { recordOf, type JournalRecord, type PublishTarget } from './journal.ts';
import type { NodeDeps } from './node-deps.ts';
import { isSamePath, pathState, requiredPath } from './paths.ts';
import { linkTarget } from './pod-link.ts';
import {
  requireSameMode,
  requireSharing,
  requireStagedDisk,
  requireTargetOutside,
  requireWritable,
} from './publish-rules.ts';
import type { SeenLinks } from './seen-links.ts';
import { anotherVolumeAt, isSameVolume, requireMountedHere } from './staged-volume.ts';

type Deps = Pick<NodeDeps, 'host' | 'journal'> & { readonly links: SeenLinks };

/**
 * NodePublishVolume: links the pod's target path to the staging path. CSI spec, NodePublishVolume. The link is
 * made only after the host has proven that our volume is mounted at the staging path: a pod must never write to
 * the node's own disk by mistake.
 */
export async function publishVolume(
  deps: Deps,
  request: NodePublishVolumeRequest__Output,
  { signal, log }: CallContext,
): Promise<NodePublishVolumeResponse> {
  const volumeId = asVolumeId(request.volume_id);
  const path = requiredPath(request.target_path, 'target_path');
  const accessMode = requireSupportedCapability(request.volume_capability).accessMode as AccessMode;
  requireWritable(request);
  requireTargetOutside(path, request.staging_target_path);

  const known = await stagedRecord(deps, request, signal);
  const target = known.targets.find((candidate) => isSamePath(candidate.path, path));
  if (target !== undefined) {
    requireSameMode(target, accessMode);
    if (target.state === 'published' && (await leadsToVolume(deps, known, target.path, signal))) return {};
  }
  const record = await requireSharing(deps.host, known, { path, accessMode }, signal);
  const others = record.targets.filter((candidate) => !isSamePath(candidate.path, path));
  const withTarget = (state: PublishTarget['state']): Promise<JournalRecord> =>
    deps.journal.write({ ...record, targets: [...others, { path, state, accessMode }] });
  const proof = requireStagedVolumeMounted(deps, record, signal);
  // What the journal knows as ours stays so, also when the proof fails: NodeUnpublish has to find it.
  if (target?.state === 'published') await proof;
  else await together(proof, withTarget('creating'));
  await linkTarget(deps, record, path, signal);
  deps.links.add(volumeId, path);
  await withTarget('published');
  log.info({ volumeId, path }, 'published the volume');
  return {};
}

/** The record of the staged volume; a journal that lost it is rebuilt from the host when the disk proves it. */
async function stagedRecord(
  deps: Deps,
  request: NodePublishVolumeRequest__Output,
  signal: AbortSignal,
): Promise<JournalRecord> {
  const volumeId = asVolumeId(request.volume_id);
  const stagingPath = request.staging_target_path;
  const record = recordOf(await deps.journal.read(volumeId));
  const hasContext = Object.keys(request.publish_context).length > 0;
  if (record?.phase === 'staged' && isSamePath(record.stagingPath ?? '', stagingPath)) {
    if (hasContext) requireStagedDisk(record, decodePublishContext(request.publish_context));
    return record;
  }
  if (
    record === undefined &&
    hasContext &&
    (await pathState(deps.host.files, stagingPath, signal)) === 'live'
  ) {
    const attachment = decodePublishContext(request.publish_context);
    return await requireMountedHere(deps, { volumeId, attachment, stagingPath, record }, signal);
  }
  const where =
    record?.phase === 'staged' ? `it is staged at ${record.stagingPath ?? ''}` : 'it is not staged';
  throw new StorageError(
    'failed-precondition',
    `volume ${volumeId} cannot be published from ${stagingPath}: ${where} on this node; call NodeStageVolume for that path first`,
  );
}

/**
 * Whether a link made before still gives the pod its volume, and not the folder it was mounted at. One host call; where
 * the host does not follow links, one more for a link that this process has not seen yet.
 */
async function leadsToVolume(
  { host, links }: Deps,
  record: JournalRecord,
  path: string,
  signal: AbortSignal,
): Promise<boolean> {
  const { volumeId, hostVolumeId, stagingPath = '' } = record;
  const { targetPathLookup } = await host.capabilities(signal);
  if (!targetPathLookup) {
    if ((await pathState(host.files, stagingPath, signal)) !== 'live') return false;
    if (links.has(volumeId, path)) return true;
    if ((await pathState(host.files, path, signal)) !== 'live') return false;
    links.add(volumeId, path);
    return true;
  }
  try {
    return isSameVolume(await host.volumes.getVolumeIdFromTargetPath(path, signal), hostVolumeId);
  } catch {
    // Whatever the trouble is, publishing from the beginning meets it and says what it is.
    return false;
  }
}

async function requireStagedVolumeMounted(
  { host }: Deps,
  record: JournalRecord,
  signal: AbortSignal,
): Promise<void> {
  const stagingPath = record.stagingPath ?? '';
  const { targetPathLookup } = await host.capabilities(signal);
  if (!targetPathLookup) {
    if ((await pathState(host.files, stagingPath, signal)) === 'live') return;
    throw mountLost(record, stagingPath, undefined);
  }
  const mounted = await host.volumes
    .getVolumeIdFromTargetPath(stagingPath, signal)
    .catch(async (error: unknown) => {
      if ((await pathState(host.files, stagingPath, signal)) === 'live') throw error;
      throw mountLost(record, stagingPath, error);
    });
  if (isSameVolume(mounted, record.hostVolumeId)) return;
  throw anotherVolumeAt(stagingPath, mounted, `volume ${record.volumeId} is ${record.hostVolumeId}`);
}

function mountLost(record: JournalRecord, stagingPath: string, cause: unknown): StorageError {
  return new StorageError(
    'failed-precondition',
    `volume ${record.volumeId} was staged at ${stagingPath}, but nothing is mounted there any more (a reboot, or the disk ` +
      'was taken away): call NodeStageVolume again',
    { cause },
  );
}
