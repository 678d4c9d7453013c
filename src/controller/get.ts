import type { ControllerGetVolumeRequest__Output } from '../gen/csi/csi/v1/ControllerGetVolumeRequest.ts';
import type { ControllerGetVolumeResponse } from '../gen/csi/csi/v1/ControllerGetVolumeResponse.ts';
import type { GetSnapshotRequest__Output } from '../gen/csi/csi/v1/GetSnapshotRequest.ts';
import type { GetSnapshotResponse } from '../gen/csi/csi/v1/GetSnapshotResponse.ts';
import type { UnaryHandler } from '../rpc/call.ts';
import type { ControllerParts } from './controller-parts.ts';
import { requireSnapshot, requireVolume } from './lookup.ts';
import { snapshotMessage } from './snapshot-message.ts';
import { volumeMessage, volumeStatusMessage } from './volume-message.ts';

/** ControllerGetVolume: one volume with its condition and the nodes it is attached to. */
export function getVolume({
  backend,
  topology,
}: ControllerParts): UnaryHandler<ControllerGetVolumeRequest__Output, ControllerGetVolumeResponse> {
  return async ({ volume_id: id }, { signal }) => {
    const volume = await requireVolume(backend, id, signal);
    return { volume: volumeMessage(volume, topology), status: volumeStatusMessage(volume) };
  };
}

/** GetSnapshot: one snapshot. */
export function getSnapshot({
  backend,
}: ControllerParts): UnaryHandler<GetSnapshotRequest__Output, GetSnapshotResponse> {
  return async ({ snapshot_id: id }, { signal }) => {
    const snapshot = await requireSnapshot(backend, id, signal);
    return { snapshot: snapshotMessage(snapshot) };
  };
}
