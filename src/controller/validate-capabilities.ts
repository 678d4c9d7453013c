import type { ValidateVolumeCapabilitiesRequest__Output } from '../gen/csi/csi/v1/ValidateVolumeCapabilitiesRequest.ts';
import type { ValidateVolumeCapabilitiesResponse } from '../gen/csi/csi/v1/ValidateVolumeCapabilitiesResponse.ts';
import type { UnaryHandler } from '../rpc/call.ts';
import { firstUnsupported } from '../rpc/wire/volume-capability.ts';
import type { ControllerParts } from './controller-parts.ts';
import { requireVolume } from './lookup.ts';
import { parameterProblem, VOLUME_PARAMETERS } from './parameters.ts';

/** ValidateVolumeCapabilities: confirms all of what is asked, or says in `message` what does not hold. */
export function validateVolumeCapabilities({
  backend,
}: ControllerParts): UnaryHandler<
  ValidateVolumeCapabilitiesRequest__Output,
  ValidateVolumeCapabilitiesResponse
> {
  return async (request, { signal }) => {
    await requireVolume(backend, request.volume_id, signal);

    const message = mismatch(request);
    if (message !== undefined) return { message };
    const { volume_context, volume_capabilities, parameters } = request;
    return { confirmed: { volume_context, volume_capabilities, parameters } };
  };
}

/**
 * What does not hold. No volume keeps a parameter of its own yet, so those that can be honoured are those it has.
 */
function mismatch(request: ValidateVolumeCapabilitiesRequest__Output): string | undefined {
  const [mutable] = Object.keys(request.mutable_parameters);
  return (
    firstUnsupported(request.volume_capabilities) ??
    contextMismatch(request.volume_context) ??
    parameterProblem(request.parameters, VOLUME_PARAMETERS) ??
    (mutable === undefined ? undefined : `mutable parameter "${mutable}" was never set: the driver has none`)
  );
}

/** What the Kubernetes provisioner adds to the volume_context of a CreateVolume answer. */
const PROVISIONER_CONTEXT_PREFIX = 'storage.kubernetes.io/';

function contextMismatch(context: Readonly<Record<string, string>>): string | undefined {
  const foreign = Object.keys(context).find((key) => !key.startsWith(PROVISIONER_CONTEXT_PREFIX));
  return foreign === undefined
    ? undefined
    : `volume_context has the key "${foreign}", which CreateVolume never returned`;
}
