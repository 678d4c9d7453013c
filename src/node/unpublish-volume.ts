import { StorageError } from '../core/errors.ts';
import { asVolumeId, type VolumeId } from '../core/ids.ts';
import type { NodeUnpublishVolumeRequest__Output } from '../gen/csi/csi/v1/NodeUnpublishVolumeRequest.ts';
import type { NodeUnpublishVolumeResponse } from '../gen/csi/csi/v1/NodeUnpublishVolumeResponse.ts';
import type { CallContext } from '../rpc/call.ts';
import { recordOf, type JournalRecord } from './journal.ts';
import type { NodeDeps } from './node-deps.ts';
import { isSamePath, pathState, requiredPath } from './paths.ts';
import { removeLinkOrEmptyFolder, requireOurs } from './pod-link.ts';
import type { SeenLinks } from './seen-links.ts';
import { requireUnclaimed } from './staged-volume.ts';

type Deps = Pick<NodeDeps, 'host' | 'journal'> & { readonly links: SeenLinks };

/**
 * NodeUnpublishVolume: removes the pod's link, or an empty folder left in its place, and nothing else (law 4).
 * CSI spec: fine when nothing is there, and for a volume nobody knows.
 */
export async function unpublishVolume(
  deps: Deps,
  request: NodeUnpublishVolumeRequest__Output,
  { signal, log }: CallContext,
): Promise<NodeUnpublishVolumeResponse> {
  const volumeId = asVolumeId(request.volume_id);
  const path = requiredPath(request.target_path, 'target_path');
  const record = recordOf(await deps.journal.read(volumeId));
  requireNotStagingPath(record, path);

  const known = record?.targets.find((target) => isSamePath(target.path, path));
  deps.links.forget(volumeId, known?.path ?? path);
  if (known?.state === 'published') await removeLinkOrEmptyFolder(deps.host, path, signal);
  else await removeUnproven(deps, { volumeId, record, path }, signal);
  if (record !== undefined && known !== undefined) {
    await deps.journal.write({ ...record, targets: record.targets.filter((target) => target !== known) });
  }
  log.info({ volumeId, path }, 'unpublished the volume');
  return {};
}

function requireNotStagingPath(record: JournalRecord | undefined, path: string): void {
  if (record?.stagingPath === undefined || !isSamePath(record.stagingPath, path)) return;
  throw new StorageError(
    'failed-precondition',
    `${path} is the staging path of volume ${record.volumeId}, not a place it was published at: use NodeUnstageVolume`,
  );
}

/**
 * The journal never heard of this target, or lost it, or does not know whether its link was ever made: a live link
 * goes only when it is not another volume's: by the host's word, or by the journal's where the host cannot tell.
 */
async function removeUnproven(
  { host, journal }: Deps,
  asked: {
    readonly volumeId: VolumeId;
    readonly record: JournalRecord | undefined;
    readonly path: string;
  },
  signal: AbortSignal,
): Promise<void> {
  const { volumeId, record, path } = asked;
  if (!(await host.files.pathExists(path, signal))) return;
  await requireUnclaimed(journal, volumeId, { path });
  const { targetPathLookup } = await host.capabilities(signal);
  if (targetPathLookup && record !== undefined && (await pathState(host.files, path, signal)) === 'live') {
    await requireOurs(host, record, path, signal);
  }
  await removeLinkOrEmptyFolder(host, path, signal);
}
