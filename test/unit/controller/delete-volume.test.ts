import { describe, expect, it } from '@jest/globals';
import { volumeIdFor } from '../../../src/core/ids.ts';
import { loadCsiApi } from '../../../src/rpc/csi-api.ts';
import { controllerWorld, makeSnapshot, makeVolume } from '../../support/controller-world.ts';

const api = loadCsiApi();

describe('DeleteVolume', () => {
  it('law 3: deletes, and a repeat is done', async () => {
    const world = controllerWorld(api);
    const volume_id = await makeVolume(world, 'data');
    await world.call('DeleteVolume', { volume_id });
    expect(await world.backend.getVolume(volumeIdFor('data'))).toBeUndefined();
    await expect(world.call('DeleteVolume', { volume_id })).resolves.toStrictEqual({});
  });

  it('keeps the snapshots of the volume', async () => {
    const world = controllerWorld(api);
    const volume_id = await makeVolume(world, 'data');
    const snapshot_id = await makeSnapshot(world, 'snapshot', volume_id);
    await world.call('DeleteVolume', { volume_id });
    const { snapshot } = await world.call('GetSnapshot', { snapshot_id });
    expect(snapshot?.source_volume_id).toBe(volume_id);
  });

  it.each(['never-made', '../../etc', 'x'.repeat(128), 'Größe'])(
    'is done for the unknown id %s',
    async (volume_id) => {
      await expect(controllerWorld(api).call('DeleteVolume', { volume_id })).resolves.toStrictEqual({});
    },
  );
});
