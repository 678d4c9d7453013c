import { controllerService } from '../../src/controller/controller-service.ts';
import { IdempotentBackend } from '../../src/core/idempotent-backend.ts';
import { asNodeId } from '../../src/core/ids.ts';
import type { DiskBackend } from '../../src/core/ports/disk-backend.ts';
import type { Topology } from '../../src/core/topology.ts';
import type { ControllerDefinition } from '../../src/gen/csi/csi/v1/Controller.ts';
import type { CreateVolumeRequest } from '../../src/gen/csi/csi/v1/CreateVolumeRequest.ts';
import type { VolumeCapability } from '../../src/gen/csi/csi/v1/VolumeCapability.ts';
import type { CsiService } from '../../src/rpc/call.ts';
import type { CsiApi } from '../../src/rpc/csi-api.ts';
import { MemoryBackend, type MemoryBackendOptions } from './memory-backend.ts';
import { RecordingLogger } from './recording-logger.ts';
import { type WireCaller, wireCaller } from './wire-caller.ts';

export const ZONE: Topology = { 'topology.ntfs.csi.io/zone': 'local' };
export const NODE_A = 'node-a';
export const NODE_B = 'node-b';

/** A capability every volume of ours has. */
export const MOUNT: VolumeCapability = {
  mount: { fs_type: 'ntfs' },
  access_mode: { mode: 'SINGLE_NODE_WRITER' },
};

/** A controller over a pool in memory that two nodes have announced themselves to. */
export interface ControllerWorld {
  readonly backend: MemoryBackend;
  readonly service: CsiService;
  readonly call: WireCaller<ControllerDefinition>;
  readonly log: RecordingLogger;
}

export interface ControllerWorldOptions {
  /** Default `ZONE`. */
  readonly topology?: Topology;
  /** Stands between the controller and the pool, to break it; default nothing. */
  readonly around?: (pool: DiskBackend) => DiskBackend;
}

export function controllerWorld(
  api: CsiApi,
  options: MemoryBackendOptions & ControllerWorldOptions = {},
): ControllerWorld {
  const backend = new MemoryBackend(options);
  backend.announceNode(asNodeId(NODE_A));
  backend.announceNode(asNodeId(NODE_B));
  const topology = options.topology ?? ZONE;
  const pool = options.around?.(backend) ?? backend;
  const service = controllerService({ backend: new IdempotentBackend(pool) }, { topology });
  const log = new RecordingLogger();
  return { backend, service, call: wireCaller(api, service, log), log };
}

/** A CreateVolume that succeeds, with what a test says differently. */
export const createRequest = (name: string, differently: CreateVolumeRequest = {}): CreateVolumeRequest => ({
  name,
  volume_capabilities: [MOUNT],
  ...differently,
});

/** Makes a volume and gives its id. */
export async function makeVolume(
  { call }: ControllerWorld,
  name: string,
  differently: CreateVolumeRequest = {},
): Promise<string> {
  const { volume } = await call('CreateVolume', createRequest(name, differently));
  return volume?.volume_id ?? '';
}

/** Makes a snapshot and gives its id. */
export async function makeSnapshot(
  { call }: ControllerWorld,
  name: string,
  sourceId: string,
): Promise<string> {
  const { snapshot } = await call('CreateSnapshot', { name, source_volume_id: sourceId });
  return snapshot?.snapshot_id ?? '';
}

/** All that a backend holds, for "state unchanged". */
export async function stateOf({ backend }: ControllerWorld): Promise<unknown> {
  const everything = { limit: Number.MAX_SAFE_INTEGER };
  return {
    volumes: (await backend.listVolumes(everything)).entries,
    snapshots: (await backend.listSnapshots(everything)).entries,
  };
}
