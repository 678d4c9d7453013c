import { asSnapshotId, isMadeId, snapshotIdFor } from '../core/ids.ts';
import type { CreateSnapshotRequest__Output } from '../gen/csi/csi/v1/CreateSnapshotRequest.ts';
import type { CreateSnapshotResponse } from '../gen/csi/csi/v1/CreateSnapshotResponse.ts';
import type { DeleteSnapshotRequest__Output } from '../gen/csi/csi/v1/DeleteSnapshotRequest.ts';
import type { DeleteSnapshotResponse } from '../gen/csi/csi/v1/DeleteSnapshotResponse.ts';
import type { UnaryHandler } from '../rpc/call.ts';
import type { ControllerParts } from './controller-parts.ts';
import { madeVolumeId } from './lookup.ts';
import { ownParameters, SNAPSHOT_PARAMETERS } from './parameters.ts';
import { snapshotMessage } from './snapshot-message.ts';

/** CreateSnapshot: a repeat gets the first snapshot; the same name for another source is `already-exists` (law 3). */
export function createSnapshot({
  backend,
}: ControllerParts): UnaryHandler<CreateSnapshotRequest__Output, CreateSnapshotResponse> {
  return async (request, { signal }) => {
    const { name } = request;
    ownParameters(request.parameters, SNAPSHOT_PARAMETERS);

    const spec = { id: snapshotIdFor(name), name, sourceVolumeId: madeVolumeId(request.source_volume_id) };
    return { snapshot: snapshotMessage(await backend.createSnapshot(spec, signal)) };
  };
}

/** DeleteSnapshot: a snapshot that is not there is deleted (law 3). */
export function deleteSnapshot({
  backend,
}: ControllerParts): UnaryHandler<DeleteSnapshotRequest__Output, DeleteSnapshotResponse> {
  return async ({ snapshot_id: id }, { signal }) => {
    if (isMadeId(id)) await backend.deleteSnapshot(asSnapshotId(id), signal);
    return {};
  };
}
