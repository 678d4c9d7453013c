import type { CsiService } from '../rpc/call.ts';
import { getCapabilities } from './capabilities.ts';
import { getCapacity } from './capacity.ts';
import type { ControllerParts } from './controller-parts.ts';
import { createVolume } from './create-volume.ts';
import { deleteVolume } from './delete-volume.ts';
import { expandVolume } from './expand-volume.ts';
import { getSnapshot, getVolume } from './get.ts';
import { listSnapshots, listVolumes } from './list.ts';
import { CONTROLLER_LOCK_KEYS } from './lock-keys.ts';
import { publishVolume, unpublishVolume } from './publish-volume.ts';
import { createSnapshot, deleteSnapshot } from './snapshots.ts';
import { validateVolumeCapabilities } from './validate-capabilities.ts';

/** The CSI Controller service over a backend whose repeats are answers (`IdempotentBackend`). */
export function controllerService(
  deps: Pick<ControllerParts, 'backend'>,
  options: Pick<ControllerParts, 'topology'>,
): CsiService {
  const parts: ControllerParts = { backend: deps.backend, topology: options.topology };
  return {
    name: 'Controller',
    methods: {
      CreateVolume: createVolume(parts),
      DeleteVolume: deleteVolume(parts),
      ControllerPublishVolume: publishVolume(parts),
      ControllerUnpublishVolume: unpublishVolume(parts),
      ValidateVolumeCapabilities: validateVolumeCapabilities(parts),
      ListVolumes: listVolumes(parts),
      GetCapacity: getCapacity(parts),
      ControllerGetCapabilities: getCapabilities(),
      CreateSnapshot: createSnapshot(parts),
      DeleteSnapshot: deleteSnapshot(parts),
      ListSnapshots: listSnapshots(parts),
      GetSnapshot: getSnapshot(parts),
      ControllerExpandVolume: expandVolume(parts),
      ControllerGetVolume: getVolume(parts),
    },
    lockKeys: CONTROLLER_LOCK_KEYS,
  };
}
