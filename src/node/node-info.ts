import type { NodeGetCapabilitiesResponse } from '../gen/csi/csi/v1/NodeGetCapabilitiesResponse.ts';
import type { NodeGetInfoResponse } from '../gen/csi/csi/v1/NodeGetInfoResponse.ts';
import type { NodeDeps, NodeOptions } from './node-deps.ts';

const CAPABILITIES = [
  'STAGE_UNSTAGE_VOLUME',
  'GET_VOLUME_STATS',
  'EXPAND_VOLUME',
  'VOLUME_CONDITION',
  'SINGLE_NODE_MULTI_WRITER',
] as const;

/** NodeGetInfo: the id the controller attaches to, where this node is, and how many disks it can take. */
export function nodeInfo(
  { host }: Pick<NodeDeps, 'host'>,
  { nodeId, topology, maxVolumes }: NodeOptions,
): NodeGetInfoResponse {
  const most = maxVolumes ?? host.maxVolumes;
  return {
    node_id: nodeId,
    max_volumes_per_node: most.toString(),
    accessible_topology: { segments: { ...topology } },
  };
}

/** NodeGetCapabilities. */
export function nodeCapabilities(): NodeGetCapabilitiesResponse {
  return { capabilities: CAPABILITIES.map((type) => ({ rpc: { type }, type: 'rpc' })) };
}
