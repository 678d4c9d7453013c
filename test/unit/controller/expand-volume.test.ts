import { beforeEach, describe, expect, it } from '@jest/globals';
import { GIB, MIB } from '../../../src/core/capacity.ts';
import { volumeIdFor } from '../../../src/core/ids.ts';
import { loadCsiApi } from '../../../src/rpc/csi-api.ts';
import {
  controllerWorld,
  type ControllerWorld,
  makeVolume,
  MOUNT,
  NODE_A,
} from '../../support/controller-world.ts';

const api = loadCsiApi();
const ID = volumeIdFor('data');

describe('ControllerExpandVolume', () => {
  let world: ControllerWorld;
  beforeEach(async () => {
    world = controllerWorld(api);
    await makeVolume(world, 'data');
  });

  const expand = (required: bigint, limit = 0n) =>
    world.call('ControllerExpandVolume', {
      volume_id: ID,
      volume_capability: MOUNT,
      capacity_range: { required_bytes: required.toString(), limit_bytes: limit.toString() },
    });

  it.each([
    ['as asked', 2n * GIB, 2n * GIB, 2n * GIB],
    ['rounded up to 1 MiB', 2n * GIB + 1n, 0n, 2n * GIB + MIB],
    ['never smaller than it is', 100n * MIB, 0n, GIB],
    ['unchanged when only a limit is given', 0n, 4n * GIB, GIB],
  ])('grows: %s', async (_what, required, limit, expected) => {
    const answer = await expand(required, limit);
    expect(answer).toStrictEqual({ capacity_bytes: expected.toString(), node_expansion_required: true });
    expect((await world.backend.getVolume(ID))?.capacityBytes).toBe(expected);
  });

  it('law 3: a repeat gets the same answer', async () => {
    const first = await expand(2n * GIB);
    expect(await expand(2n * GIB)).toStrictEqual(first);
  });

  it('grows an attached volume', async () => {
    await world.call('ControllerPublishVolume', { volume_id: ID, node_id: NODE_A, volume_capability: MOUNT });
    expect((await expand(3n * GIB)).capacity_bytes).toBe((3n * GIB).toString());
  });

  it('needs no capability', async () => {
    const request = { volume_id: ID, capacity_range: { required_bytes: (2n * GIB).toString() } };
    await expect(world.call('ControllerExpandVolume', request)).resolves.toBeDefined();
  });
});
