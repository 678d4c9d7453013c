import { liesWithin } from '../core/topology.ts';
import type { GetCapacityRequest__Output } from '../gen/csi/csi/v1/GetCapacityRequest.ts';
import type { GetCapacityResponse } from '../gen/csi/csi/v1/GetCapacityResponse.ts';
import type { UnaryHandler } from '../rpc/call.ts';
import { firstUnsupported } from '../rpc/wire/volume-capability.ts';
import type { ControllerParts } from './controller-parts.ts';
import { ownParameters, VOLUME_PARAMETERS } from './parameters.ts';

/**
 * GetCapacity: what may still be promised. For another place, or for capabilities no volume of ours can have,
 * there is none; a StorageClass we would refuse is refused here too.
 */
export function getCapacity({
  backend,
  topology,
}: ControllerParts): UnaryHandler<GetCapacityRequest__Output, GetCapacityResponse> {
  return async (request, { signal }) => {
    ownParameters(request.parameters, VOLUME_PARAMETERS);
    const place = request.accessible_topology;
    const elsewhere = place !== null && !liesWithin(place.segments, topology);
    if (elsewhere || firstUnsupported(request.volume_capabilities) !== undefined)
      return { available_capacity: '0' };

    const { availableBytes, maximumVolumeBytes, minimumVolumeBytes } = await backend.capacity(signal);
    return {
      available_capacity: availableBytes.toString(),
      maximum_volume_size: { value: maximumVolumeBytes.toString() },
      minimum_volume_size: { value: minimumVolumeBytes.toString() },
    };
  };
}
