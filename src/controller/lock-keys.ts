import { snapshotIdFor, volumeIdFor } from '../core/ids.ts';
import type { ControllerExpandVolumeRequest__Output } from '../gen/csi/csi/v1/ControllerExpandVolumeRequest.ts';
import type { CreateSnapshotRequest__Output } from '../gen/csi/csi/v1/CreateSnapshotRequest.ts';
import type { CreateVolumeRequest__Output } from '../gen/csi/csi/v1/CreateVolumeRequest.ts';
import type { DeleteSnapshotRequest__Output } from '../gen/csi/csi/v1/DeleteSnapshotRequest.ts';
import type { LockKeys } from '../rpc/call.ts';

/**
 * What each call works on (law 6). Calls that change a volume or snapshot lock it by id, those that copy lock
 * their source too, so that nothing changes or deletes it meanwhile. Reads take no lock.
 */
export const CONTROLLER_LOCK_KEYS: Readonly<Record<string, LockKeys>> = {
  CreateVolume: ({ name, volume_content_source: source }: CreateVolumeRequest__Output) =>
    keys(
      name === '' ? '' : volumeIdFor(name),
      source?.snapshot?.snapshot_id ?? '',
      source?.volume?.volume_id ?? '',
    ),
  DeleteVolume: volumeKey,
  ControllerPublishVolume: volumeKey,
  ControllerUnpublishVolume: volumeKey,
  ControllerExpandVolume: volumeKey,
  CreateSnapshot: ({ name, source_volume_id }: CreateSnapshotRequest__Output) =>
    keys(name === '' ? '' : snapshotIdFor(name), source_volume_id),
  DeleteSnapshot: ({ snapshot_id }: DeleteSnapshotRequest__Output) => keys(snapshot_id),
};

function volumeKey({
  volume_id,
}: Pick<ControllerExpandVolumeRequest__Output, 'volume_id'>): readonly string[] {
  return keys(volume_id);
}

/** A field that is missing locks nothing: its handler is about to refuse the call. */
function keys(...ids: readonly string[]): readonly string[] {
  return ids.filter((id) => id !== '').map((id) => `controller/${id}`);
}
