import { capacityFor, isWithin, type CapacityRange } from '../core/capacity.ts';
import { StorageError } from '../core/errors.ts';
import { volumeIdFor } from '../core/ids.ts';
import type { ContentSource, DiskBackend, DiskVolume } from '../core/ports/disk-backend.ts';
import { satisfies, topologyText, type Topology } from '../core/topology.ts';
import type { CreateVolumeRequest__Output } from '../gen/csi/csi/v1/CreateVolumeRequest.ts';
import type { CreateVolumeResponse } from '../gen/csi/csi/v1/CreateVolumeResponse.ts';
import type { TopologyRequirement__Output } from '../gen/csi/csi/v1/TopologyRequirement.ts';
import type { VolumeContentSource__Output } from '../gen/csi/csi/v1/VolumeContentSource.ts';
import type { UnaryHandler } from '../rpc/call.ts';
import { capacityRange } from '../rpc/wire/capacity-range.ts';
import { requireSupportedCapabilities } from '../rpc/wire/volume-capability.ts';
import type { ControllerParts } from './controller-parts.ts';
import { madeSnapshotId, madeVolumeId, requireSnapshot, requireVolume } from './lookup.ts';
import { ownParameters, refuseMutableParameters, VOLUME_PARAMETERS } from './parameters.ts';
import { volumeMessage } from './volume-message.ts';

/**
 * CreateVolume: empty, from a snapshot or from another volume. The id follows from the name, so a repeat finds
 * the volume; one that fits the request is answered again, another is `already-exists` (law 3).
 */
export function createVolume({
  backend,
  topology,
}: ControllerParts): UnaryHandler<CreateVolumeRequest__Output, CreateVolumeResponse> {
  return async (request, { signal }) => {
    const { name } = request;
    requireSupportedCapabilities(request.volume_capabilities);
    refuseMutableParameters(request.mutable_parameters);
    const parameters = ownParameters(request.parameters, VOLUME_PARAMETERS);
    const range = capacityRange(request.capacity_range);
    requireAccessible(request.accessibility_requirements, topology);
    const source = contentSource(request.volume_content_source);

    const id = volumeIdFor(name);
    const existing = await backend.getVolume(id, signal);
    // An existing volume keeps its size, and its source may be gone by now: neither is worked out again.
    const capacityBytes =
      existing?.capacityBytes ?? capacityFor(range, await sourceBytes(source, backend, signal));
    const spec = { id, name, capacityBytes, parameters, ...(source === undefined ? {} : { source }) };
    const volume = await backend.createVolume(spec, signal);
    requireFits(volume, range);
    return { volume: volumeMessage(volume, topology) };
  };
}

/** `already-exists` when the volume of this name has a size that was not asked for. */
function requireFits({ name, id, capacityBytes }: DiskVolume, range: CapacityRange): void {
  if (isWithin(capacityBytes, range)) return;
  throw new StorageError(
    'already-exists',
    `volume "${name}" (${id}) exists with ${capacityBytes} bytes, but required_bytes ${range.requiredBytes} and ` +
      `limit_bytes ${range.limitBytes} were asked for: use another name, or a range that holds its size`,
  );
}

async function sourceBytes(
  source: ContentSource | undefined,
  backend: DiskBackend,
  signal: AbortSignal,
): Promise<bigint> {
  if (source === undefined) return 0n;
  if (source.kind === 'volume') return (await requireVolume(backend, source.volumeId, signal)).capacityBytes;
  return (await requireSnapshot(backend, source.snapshotId, signal)).sizeBytes;
}

/** What a request wants copied; `not-found` when we never made it. */
function contentSource(wire: VolumeContentSource__Output | null): ContentSource | undefined {
  if (wire?.snapshot) return { kind: 'snapshot', snapshotId: madeSnapshotId(wire.snapshot.snapshot_id) };
  if (wire?.volume) return { kind: 'volume', volumeId: madeVolumeId(wire.volume.volume_id) };
  return undefined;
}

function requireAccessible(wire: TopologyRequirement__Output | null, ours: Topology): void {
  if (wire === null) return;
  const places = { requisite: wire.requisite.map(segments), preferred: wire.preferred.map(segments) };
  if (satisfies(places, ours)) return;
  const asked = [...places.requisite, ...places.preferred].map(topologyText).join(' or ');
  throw new StorageError(
    'resource-exhausted',
    `no storage at ${asked}: volumes of this pool are reached only from ${topologyText(ours)}; ` +
      'correct allowedTopologies of the StorageClass or --topology of the driver',
  );
}

const segments = (place: { readonly segments: Topology }): Topology => place.segments;
