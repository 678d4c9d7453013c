import { describe, expect, it } from '@jest/globals';
import { GIB, MINIMUM_VOLUME_BYTES } from '../../../src/core/capacity.ts';
import { loadCsiApi } from '../../../src/rpc/csi-api.ts';
import { controllerWorld, makeVolume, MOUNT, ZONE } from '../../support/controller-world.ts';

const api = loadCsiApi();

describe('GetCapacity', () => {
  it('is what may still be promised, and the sizes a volume can have', async () => {
    const world = controllerWorld(api, { poolBytes: 10n * GIB });
    await makeVolume(world, 'data');
    expect(await world.call('GetCapacity', {})).toStrictEqual({
      available_capacity: (9n * GIB).toString(),
      maximum_volume_size: { value: (9n * GIB).toString() },
      minimum_volume_size: { value: MINIMUM_VOLUME_BYTES.toString() },
    });
  });

  it('counts for our place and capabilities', async () => {
    const world = controllerWorld(api, { poolBytes: 10n * GIB });
    const answer = await world.call('GetCapacity', {
      accessible_topology: { segments: ZONE },
      volume_capabilities: [MOUNT],
      parameters: { 'csi.storage.k8s.io/fstype': 'ntfs' },
    });
    expect(answer.available_capacity).toBe((10n * GIB).toString());
  });

  it.each([
    ['at another place', { accessible_topology: { segments: { zone: 'mars' } } }],
    ['for block access', { volume_capabilities: [{ ...MOUNT, mount: null, block: {} }] }],
  ])('is none %s', async (_what, request) => {
    expect((await controllerWorld(api).call('GetCapacity', request)).available_capacity).toBe('0');
  });
});
