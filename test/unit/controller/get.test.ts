import { describe, expect, it } from '@jest/globals';
import { volumeIdFor } from '../../../src/core/ids.ts';
import { loadCsiApi } from '../../../src/rpc/csi-api.ts';
import { controllerWorld, makeSnapshot, makeVolume, MOUNT, NODE_A } from '../../support/controller-world.ts';

const api = loadCsiApi();

describe('ControllerGetVolume', () => {
  it('answers what CreateVolume answered, where it is attached and how it is', async () => {
    const world = controllerWorld(api);
    const { volume } = await world.call('CreateVolume', { name: 'data', volume_capabilities: [MOUNT] });
    const volume_id = volumeIdFor('data');
    await world.call('ControllerPublishVolume', { volume_id, node_id: NODE_A, volume_capability: MOUNT });
    expect(await world.call('ControllerGetVolume', { volume_id })).toMatchObject({
      volume,
      status: { published_node_ids: [NODE_A], volume_condition: { abnormal: false } },
    });
  });

  it('passes on what the backend says of a sick volume', async () => {
    const world = controllerWorld(api);
    const volume_id = await makeVolume(world, 'data');
    world.backend.setCondition(volumeIdFor('data'), { abnormal: true, message: 'its image is gone' });
    const { status } = await world.call('ControllerGetVolume', { volume_id });
    expect(status?.volume_condition).toStrictEqual({ abnormal: true, message: 'its image is gone' });
  });
});

describe('GetSnapshot', () => {
  it('answers what CreateSnapshot answered', async () => {
    const world = controllerWorld(api);
    const source = await makeVolume(world, 'data');
    const snapshot_id = await makeSnapshot(world, 'nightly', source);
    const created = await world.call('CreateSnapshot', { name: 'nightly', source_volume_id: source });
    expect(await world.call('GetSnapshot', { snapshot_id })).toStrictEqual(created);
  });
});
