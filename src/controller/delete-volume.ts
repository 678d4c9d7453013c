import { asVolumeId, isMadeId } from '../core/ids.ts';
import type { DeleteVolumeRequest__Output } from '../gen/csi/csi/v1/DeleteVolumeRequest.ts';
import type { DeleteVolumeResponse } from '../gen/csi/csi/v1/DeleteVolumeResponse.ts';
import type { UnaryHandler } from '../rpc/call.ts';
import type { ControllerParts } from './controller-parts.ts';

/** DeleteVolume: a volume that is not there is deleted (law 3); an attached one is `failed-precondition`. */
export function deleteVolume({
  backend,
}: ControllerParts): UnaryHandler<DeleteVolumeRequest__Output, DeleteVolumeResponse> {
  return async ({ volume_id: id }, { signal }) => {
    if (isMadeId(id)) await backend.deleteVolume(asVolumeId(id), signal);
    return {};
  };
}
