import { MIB } from '../../../src/core/capacity.ts';
import { snapshotIdFor, volumeIdFor } from '../../../src/core/ids.ts';
import { CONTROLLER, type DriverWorld, type ProcessName } from '../../support/driver-world.ts';
import { contextOf, type DriverModel } from './driver-model.ts';
import {
  type Call,
  type ControllerCall,
  isNodeCall,
  type Mode,
  type NodeCall,
  type Source,
} from './steps.ts';

export interface Request {
  readonly process: ProcessName;
  readonly method: string;
  readonly fields: object;
}

const capability = (mode: Mode = 'SINGLE_NODE_WRITER'): object => ({
  mount: { fs_type: 'ntfs' },
  access_mode: { mode },
});
const range = (mib: number): object => ({ required_bytes: (BigInt(mib) * MIB).toString() });

/** The rpc that a CO makes of a call. */
export function requestOf(call: Call, world: Paths, model: DriverModel): Request {
  return isNodeCall(call) ? nodeRequest(call, world, model) : controllerRequest(call);
}

function controllerRequest(call: ControllerCall): Request {
  const controller = (method: string, fields: object): Request => ({ process: CONTROLLER, method, fields });
  switch (call.do) {
    case 'create':
      return controller('CreateVolume', {
        name: call.volume,
        capacity_range: range(call.mib),
        volume_capabilities: [capability()],
        ...sourceFields(call.from),
      });
    case 'delete':
      return controller('DeleteVolume', { volume_id: volumeIdFor(call.volume) });
    case 'attach':
      return controller('ControllerPublishVolume', {
        volume_id: volumeIdFor(call.volume),
        node_id: call.node,
        volume_capability: capability(),
      });
    case 'detach':
      return controller('ControllerUnpublishVolume', {
        volume_id: volumeIdFor(call.volume),
        node_id: call.node,
      });
    case 'expand':
      return controller('ControllerExpandVolume', {
        volume_id: volumeIdFor(call.volume),
        capacity_range: range(call.mib),
      });
    case 'snapshot':
      return controller('CreateSnapshot', {
        name: call.snapshot,
        source_volume_id: volumeIdFor(call.volume),
      });
    case 'forget':
      return controller('DeleteSnapshot', { snapshot_id: snapshotIdFor(call.snapshot) });
  }
}

type Paths = Pick<DriverWorld, 'stagingPath' | 'targetPath'>;
function nodeRequest(call: NodeCall, world: Paths, model: DriverModel): Request {
  const { volume, node } = call;
  const disk = model.disks.get(volume);
  const staging_target_path = world.stagingPath(node, volume);
  const volume_id = volumeIdFor(volume);
  const ofNode = (method: string, fields: object): Request => ({
    process: node,
    method,
    fields: { volume_id, ...fields },
  });
  switch (call.do) {
    case 'stage':
      return ofNode('NodeStageVolume', {
        staging_target_path,
        volume_capability: capability(),
        publish_context: contextOf(call.context, disk?.contexts ?? []) ?? {},
      });
    case 'unstage':
      return ofNode('NodeUnstageVolume', { staging_target_path });
    case 'publish':
      return ofNode('NodePublishVolume', {
        staging_target_path,
        target_path: world.targetPath(node, volume, call.pod),
        volume_capability: capability(call.mode),
        publish_context: disk?.contexts.at(-1) ?? {},
      });
    case 'unpublish':
      return ofNode('NodeUnpublishVolume', { target_path: world.targetPath(node, volume, call.pod) });
    case 'grow':
      return ofNode('NodeExpandVolume', {
        volume_path: staging_target_path,
        staging_target_path,
        capacity_range: { required_bytes: (disk?.capacity ?? MIB).toString() },
      });
    case 'stats':
      return ofNode('NodeGetVolumeStats', { volume_path: staging_target_path });
  }
}

function sourceFields(from: Source): object {
  const [kind, name = ''] = from.split(' ');
  if (kind === 'volume') return { volume_content_source: { volume: { volume_id: volumeIdFor(name) } } };
  if (kind === 'snapshot') {
    return { volume_content_source: { snapshot: { snapshot_id: snapshotIdFor(name) } } };
  }
  return {};
}
