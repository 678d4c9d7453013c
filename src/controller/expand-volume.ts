import { capacityFor } from '../core/capacity.ts';
import type { ControllerExpandVolumeRequest__Output } from '../gen/csi/csi/v1/ControllerExpandVolumeRequest.ts';
import type { ControllerExpandVolumeResponse } from '../gen/csi/csi/v1/ControllerExpandVolumeResponse.ts';
import type { UnaryHandler } from '../rpc/call.ts';
import { capacityRange } from '../rpc/wire/capacity-range.ts';
import { requireSupportedCapability } from '../rpc/wire/volume-capability.ts';
import type { ControllerParts } from './controller-parts.ts';
import { requireVolume } from './lookup.ts';

/** ControllerExpandVolume: grows the disk, never shrinks it; the node then grows partition and file system. */
export function expandVolume({
  backend,
}: ControllerParts): UnaryHandler<ControllerExpandVolumeRequest__Output, ControllerExpandVolumeResponse> {
  return async (request, { signal }) => {
    const range = capacityRange(request.capacity_range);
    if (request.volume_capability !== null) requireSupportedCapability(request.volume_capability);

    const present = await requireVolume(backend, request.volume_id, signal);
    const grown = await backend.expandVolume(present.id, capacityFor(range, present.capacityBytes), signal);
    return { capacity_bytes: grown.capacityBytes.toString(), node_expansion_required: true };
  };
}
