import { StorageError } from '../core/errors.ts';
import { asNodeId, asVolumeId, isMadeId } from '../core/ids.ts';
import { encodePublishContext } from '../core/publish-context.ts';
import type { ControllerPublishVolumeRequest__Output } from '../gen/csi/csi/v1/ControllerPublishVolumeRequest.ts';
import type { ControllerPublishVolumeResponse } from '../gen/csi/csi/v1/ControllerPublishVolumeResponse.ts';
import type { ControllerUnpublishVolumeRequest__Output } from '../gen/csi/csi/v1/ControllerUnpublishVolumeRequest.ts';
import type { ControllerUnpublishVolumeResponse } from '../gen/csi/csi/v1/ControllerUnpublishVolumeResponse.ts';
import type { UnaryHandler } from '../rpc/call.ts';
import { requireSupportedCapability } from '../rpc/wire/volume-capability.ts';
import type { ControllerParts } from './controller-parts.ts';
import { requireVolume } from './lookup.ts';

/** ControllerPublishVolume: makes the disk visible to one node, and tells how that node finds it. */
export function publishVolume({
  backend,
}: ControllerParts): UnaryHandler<ControllerPublishVolumeRequest__Output, ControllerPublishVolumeResponse> {
  return async (request, { signal, log }) => {
    const nodeId = asNodeId(request.node_id);
    requireSupportedCapability(request.volume_capability);
    refuseReadonly(request.readonly);

    const { id } = await requireVolume(backend, request.volume_id, signal);
    await backend.attach(id, nodeId, signal);
    const attachment = await backend.describeAttachment(id, nodeId, signal);
    if (attachment.content.state === 'foreign') {
      log.warn(
        { volumeId: id, nodeId, found: attachment.content.found },
        'attached a disk that holds something other than NTFS: the node will refuse to stage it',
      );
    }
    return { publish_context: encodePublishContext(attachment) };
  };
}

/** ControllerUnpublishVolume: an empty node_id means every node; what is not attached is done (law 3). */
export function unpublishVolume({
  backend,
}: ControllerParts): UnaryHandler<
  ControllerUnpublishVolumeRequest__Output,
  ControllerUnpublishVolumeResponse
> {
  return async (request, { signal }) => {
    if (!isMadeId(request.volume_id)) return {};
    const id = asVolumeId(request.volume_id);
    const everywhere = request.node_id === '';
    const nodes = everywhere
      ? ((await backend.getVolume(id, signal))?.attachedTo ?? [])
      : [asNodeId(request.node_id)];
    for (const node of nodes) await backend.detach(id, node, signal);
    return {};
  };
}

/** Law 11: NTFS on Windows cannot be attached read-only per pod, and silently writable is worse than refused. */
function refuseReadonly(readonly: boolean): void {
  if (!readonly) return;
  throw new StorageError(
    'invalid-argument',
    'readonly is set, but an NTFS volume cannot be attached read-only: remove readOnly from the volume of the pod',
  );
}
