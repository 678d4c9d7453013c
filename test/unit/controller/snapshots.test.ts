import { beforeEach, describe, expect, it } from '@jest/globals';
import { GIB } from '../../../src/core/capacity.ts';
import { snapshotIdFor, volumeIdFor } from '../../../src/core/ids.ts';
import { loadCsiApi } from '../../../src/rpc/csi-api.ts';
import {
  controllerWorld,
  type ControllerWorld,
  makeSnapshot,
  makeVolume,
  MOUNT,
  NODE_A,
} from '../../support/controller-world.ts';

const api = loadCsiApi();
const SOURCE = volumeIdFor('data');

describe('CreateSnapshot', () => {
  let world: ControllerWorld;
  beforeEach(async () => {
    world = controllerWorld(api);
    await makeVolume(world, 'data');
  });

  it('answers id, source, size and the time it was taken', async () => {
    const before = Date.now();
    const { snapshot } = await world.call('CreateSnapshot', { name: 'nightly', source_volume_id: SOURCE });
    const { seconds, nanos } = snapshot?.creation_time ?? { seconds: '0', nanos: 0 };
    const taken = Number(seconds) * 1000 + nanos / 1_000_000;
    expect(snapshot).toMatchObject({
      snapshot_id: snapshotIdFor('nightly'),
      source_volume_id: SOURCE,
      size_bytes: GIB.toString(),
      ready_to_use: true,
    });
    expect(taken).toBeGreaterThanOrEqual(before);
    expect(taken).toBeLessThanOrEqual(Date.now());
  });

  it('law 3: a repeat gets the first snapshot, also when the volume has grown or gone', async () => {
    const request = { name: 'nightly', source_volume_id: SOURCE };
    const first = await world.call('CreateSnapshot', request);
    await world.call('ControllerExpandVolume', {
      volume_id: SOURCE,
      capacity_range: { required_bytes: (2n * GIB).toString() },
    });
    expect(await world.call('CreateSnapshot', request)).toStrictEqual(first);
    await world.call('DeleteVolume', { volume_id: SOURCE });
    expect(await world.call('CreateSnapshot', request)).toStrictEqual(first);
  });

  it("takes and ignores the snapshotter's own parameters", async () => {
    const request = {
      name: 'nightly',
      source_volume_id: SOURCE,
      parameters: { 'csi.storage.k8s.io/volumesnapshot/name': 'x' },
    };
    await expect(world.call('CreateSnapshot', request)).resolves.toBeDefined();
  });

  it('refuses an attached source when the pool cannot copy a live disk', async () => {
    const plain = controllerWorld(api, { liveSnapshots: false });
    await makeVolume(plain, 'data');
    await plain.call('ControllerPublishVolume', {
      volume_id: SOURCE,
      node_id: NODE_A,
      volume_capability: MOUNT,
    });
    await expect(makeSnapshot(plain, 'nightly', SOURCE)).rejects.toMatchObject({
      code: 'failed-precondition',
    });
  });
});

describe('DeleteSnapshot', () => {
  it('law 3: deletes, and a repeat is done', async () => {
    const world = controllerWorld(api);
    await makeVolume(world, 'data');
    const snapshot_id = await makeSnapshot(world, 'nightly', SOURCE);
    await world.call('DeleteSnapshot', { snapshot_id });
    await expect(world.call('GetSnapshot', { snapshot_id })).rejects.toMatchObject({ code: 'not-found' });
    await expect(world.call('DeleteSnapshot', { snapshot_id })).resolves.toStrictEqual({});
  });

  it.each(['never-made', '../../etc'])('is done for the unknown id %s', async (snapshot_id) => {
    await expect(controllerWorld(api).call('DeleteSnapshot', { snapshot_id })).resolves.toStrictEqual({});
  });
});
