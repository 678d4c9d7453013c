import { snapshotIdFor, volumeIdFor } from '../core/ids.ts';
import type { CreateSnapshotRequest__Output } from '../gen/csi/csi/v1/CreateSnapshotRequest.ts';
import type { CreateVolumeRequest__Output } from '../gen/csi/csi/v1/CreateVolumeRequest.ts';
import type { DeleteSnapshotRequest__Output } from '../gen/csi/csi/v1/DeleteSnapshotRequest.ts';
import type { LockKeys } from '../rpc/call.ts';

/**
 * What each call makes, changes or removes, by id (law 6). Reads take no lock, and neither does the source of a copy:
 * many may copy one disk at a time, and the backend lets nobody attach, change or delete it meanwhile.
 */
export const CONTROLLER_LOCK_KEYS: Readonly<Record<string, LockKeys>> = {
  CreateVolume: ({ name }: CreateVolumeRequest__Output) => key(volumeIdFor(name)),
  DeleteVolume: volumeKey,
  ControllerPublishVolume: volumeKey,
  ControllerUnpublishVolume: volumeKey,
  ControllerExpandVolume: volumeKey,
  CreateSnapshot: ({ name }: CreateSnapshotRequest__Output) => key(snapshotIdFor(name)),
  DeleteSnapshot: ({ snapshot_id }: DeleteSnapshotRequest__Output) => key(snapshot_id),
};

function volumeKey({ volume_id }: { readonly volume_id: string }): readonly string[] {
  return key(volume_id);
}

const key = (id: string): readonly string[] => [`controller/${id}`];
