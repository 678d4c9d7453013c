import type { DiskVolume } from '../core/ports/disk-backend.ts';
import type { ValidateVolumeCapabilitiesRequest__Output } from '../gen/csi/csi/v1/ValidateVolumeCapabilitiesRequest.ts';
import type { ValidateVolumeCapabilitiesResponse } from '../gen/csi/csi/v1/ValidateVolumeCapabilitiesResponse.ts';
import type { UnaryHandler } from '../rpc/call.ts';
import { missingField, requiredText } from '../rpc/wire/required.ts';
import { firstUnsupported } from '../rpc/wire/volume-capability.ts';
import type { ControllerParts } from './controller-parts.ts';
import { requireVolume } from './lookup.ts';
import { ownParameters, parameterProblem, VOLUME_PARAMETERS } from './parameters.ts';

/** ValidateVolumeCapabilities: confirms all of what is asked, or says in `message` what does not hold. */
export function validateVolumeCapabilities({
  backend,
}: ControllerParts): UnaryHandler<
  ValidateVolumeCapabilitiesRequest__Output,
  ValidateVolumeCapabilitiesResponse
> {
  return async (request, { signal }) => {
    const id = requiredText(request.volume_id, 'volume_id');
    if (request.volume_capabilities.length === 0) throw missingField('volume_capabilities');
    const volume = await requireVolume(backend, id, signal);

    const message = mismatch(request, volume);
    if (message !== undefined) return { message };
    const { volume_context, volume_capabilities, parameters } = request;
    return { confirmed: { volume_context, volume_capabilities, parameters } };
  };
}

function mismatch(
  request: ValidateVolumeCapabilitiesRequest__Output,
  volume: DiskVolume,
): string | undefined {
  const [mutable] = Object.keys(request.mutable_parameters);
  return (
    firstUnsupported(request.volume_capabilities) ??
    contextMismatch(request.volume_context) ??
    parameterProblem(request.parameters, VOLUME_PARAMETERS) ??
    parameterMismatch(request.parameters, volume) ??
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

/** Parameters are optional here; those that are given must be those the volume was made with. */
function parameterMismatch(
  asked: Readonly<Record<string, string>>,
  { parameters }: DiskVolume,
): string | undefined {
  const differs = Object.entries(ownParameters(asked, VOLUME_PARAMETERS)).find(
    ([key, value]) => parameters[key] !== value,
  );
  if (differs === undefined) return undefined;
  const [key, value] = differs;
  return `parameter ${key} is "${parameters[key] ?? ''}" in the volume, not "${value}"`;
}
