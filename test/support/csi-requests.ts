import type { CsiApi } from '../../src/rpc/csi-api.ts';
import { wireRequest } from './wire-caller.ts';

const mountNtfs = { mount: { fs_type: 'ntfs' }, access_mode: { mode: 'SINGLE_NODE_WRITER' } };

/** For each RPC the smallest request that CSI allows. */
export const MINIMAL_REQUESTS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  GetPluginInfo: {},
  GetPluginCapabilities: {},
  Probe: {},
  CreateVolume: { name: 'pvc-1', volume_capabilities: [mountNtfs] },
  DeleteVolume: { volume_id: 'vol-1' },
  ControllerPublishVolume: { volume_id: 'vol-1', node_id: 'node-1', volume_capability: mountNtfs },
  ControllerUnpublishVolume: { volume_id: 'vol-1' },
  ValidateVolumeCapabilities: { volume_id: 'vol-1', volume_capabilities: [mountNtfs] },
  ListVolumes: {},
  GetCapacity: {},
  ControllerGetCapabilities: {},
  CreateSnapshot: { source_volume_id: 'vol-1', name: 'snap-1' },
  DeleteSnapshot: { snapshot_id: 'snap-1' },
  ListSnapshots: {},
  GetSnapshot: { snapshot_id: 'snap-1' },
  ControllerExpandVolume: { volume_id: 'vol-1', capacity_range: { required_bytes: '1' } },
  ControllerGetVolume: { volume_id: 'vol-1' },
  ControllerModifyVolume: { volume_id: 'vol-1', mutable_parameters: { speed: 'fast' } },
  NodeStageVolume: { volume_id: 'vol-1', staging_target_path: '/stage', volume_capability: mountNtfs },
  NodeUnstageVolume: { volume_id: 'vol-1', staging_target_path: '/stage' },
  NodePublishVolume: {
    volume_id: 'vol-1',
    staging_target_path: '/stage',
    target_path: '/pod',
    volume_capability: mountNtfs,
  },
  NodeUnpublishVolume: { volume_id: 'vol-1', target_path: '/pod' },
  NodeGetVolumeStats: { volume_id: 'vol-1', volume_path: '/pod' },
  NodeExpandVolume: { volume_id: 'vol-1', volume_path: '/pod' },
  NodeGetCapabilities: {},
  NodeGetInfo: {},
};

export function serviceOf(method: string): 'Identity' | 'Controller' | 'Node' {
  if (['GetPluginInfo', 'GetPluginCapabilities', 'Probe'].includes(method)) return 'Identity';
  return method.startsWith('Node') ? 'Node' : 'Controller';
}

/** The minimal request with changes, as a handler gets it. `undefined` takes a field away. */
export function receivedRequest(
  api: CsiApi,
  method: string,
  changes: Readonly<Record<string, unknown>> = {},
): unknown {
  const request = { ...MINIMAL_REQUESTS[method], ...changes };
  const set = Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined));
  return wireRequest(api, serviceOf(method), method, set);
}
