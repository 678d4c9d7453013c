import type { ControllerGetCapabilitiesRequest__Output } from '../gen/csi/csi/v1/ControllerGetCapabilitiesRequest.ts';
import type { ControllerGetCapabilitiesResponse } from '../gen/csi/csi/v1/ControllerGetCapabilitiesResponse.ts';
import type { UnaryHandler } from '../rpc/call.ts';

/** What the controller advertises: each has its handlers and its csi-sanity specs. */
const CONTROLLER_CAPABILITIES = [
  'CREATE_DELETE_VOLUME',
  'PUBLISH_UNPUBLISH_VOLUME',
  'LIST_VOLUMES',
  'LIST_VOLUMES_PUBLISHED_NODES',
  'GET_CAPACITY',
  'CREATE_DELETE_SNAPSHOT',
  'LIST_SNAPSHOTS',
  'GET_SNAPSHOT',
  'CLONE_VOLUME',
  'EXPAND_VOLUME',
  'GET_VOLUME',
  'VOLUME_CONDITION',
  'SINGLE_NODE_MULTI_WRITER',
] as const;

/** ControllerGetCapabilities. */
export function getCapabilities(): UnaryHandler<
  ControllerGetCapabilitiesRequest__Output,
  ControllerGetCapabilitiesResponse
> {
  const capabilities = CONTROLLER_CAPABILITIES.map((type) => ({ rpc: { type } }));
  return () => Promise.resolve({ capabilities });
}
