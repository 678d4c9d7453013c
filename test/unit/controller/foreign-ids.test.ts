import { expect, it } from '@jest/globals';
import type { DiskBackend } from '../../../src/core/ports/disk-backend.ts';
import type { ControllerDefinition } from '../../../src/gen/csi/csi/v1/Controller.ts';
import { loadCsiApi } from '../../../src/rpc/csi-api.ts';
import type { RpcOf } from '../../../src/rpc/csi-client.ts';
import { controllerWorld, createRequest, makeVolume, MOUNT, NODE_A } from '../../support/controller-world.ts';
import type { RequestOf } from '../../support/wire-caller.ts';

const api = loadCsiApi();
const PATH = '../../etc';

/** Notes the arguments of every call of the pool. */
function spyOn(heard: string[]): (pool: DiskBackend) => DiskBackend {
  return (pool) =>
    new Proxy(pool, {
      get: (target, property): unknown => {
        const value: unknown = Reflect.get(target, property);
        if (typeof value !== 'function') return value;
        const method = value as (...args: unknown[]) => unknown;
        return (...args: unknown[]) => {
          heard.push(...args.map((arg) => JSON.stringify(arg, (_key, item: unknown) => plain(item))));
          return method.apply(target, args);
        };
      },
    });
}

const plain = (item: unknown): unknown => (typeof item === 'bigint' ? item.toString() : item);

const requests = {
  CreateVolume: createRequest('data', { volume_content_source: { volume: { volume_id: PATH } } }),
  DeleteVolume: { volume_id: PATH },
  ControllerPublishVolume: { volume_id: PATH, node_id: NODE_A, volume_capability: MOUNT },
  ControllerUnpublishVolume: { volume_id: PATH, node_id: NODE_A },
  ValidateVolumeCapabilities: { volume_id: PATH, volume_capabilities: [MOUNT] },
  CreateSnapshot: { name: 'nightly', source_volume_id: PATH },
  DeleteSnapshot: { snapshot_id: PATH },
  ListSnapshots: { source_volume_id: PATH },
  GetSnapshot: { snapshot_id: PATH },
  ControllerExpandVolume: { volume_id: PATH, capacity_range: { required_bytes: 1 } },
  ControllerGetVolume: { volume_id: PATH },
} satisfies { [Name in RpcOf<ControllerDefinition>]?: RequestOf<ControllerDefinition[Name]> };

it.each(Object.keys(requests) as (keyof typeof requests)[])(
  '%s never asks the pool for an id that is a path',
  async (name) => {
    const heard: string[] = [];
    const world = controllerWorld(api, { around: spyOn(heard) });
    await makeVolume(world, 'data');
    await world.call(name, requests[name]).catch(() => undefined);
    expect(heard.filter((text) => text.includes(PATH))).toStrictEqual([]);
  },
);
