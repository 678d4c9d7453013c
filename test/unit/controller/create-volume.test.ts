import { beforeEach, describe, expect, it } from '@jest/globals';
import { GIB, MIB, MINIMUM_VOLUME_BYTES } from '../../../src/core/capacity.ts';
import { volumeIdFor } from '../../../src/core/ids.ts';
import { loadCsiApi } from '../../../src/rpc/csi-api.ts';
import {
  controllerWorld,
  type ControllerWorld,
  createRequest,
  makeSnapshot,
  makeVolume,
  NODE_A,
  MOUNT,
  ZONE,
} from '../../support/controller-world.ts';

const api = loadCsiApi();
const sized = (required: bigint, limit: bigint) => ({
  capacity_range:
    required === 0n && limit === 0n
      ? null
      : { required_bytes: required.toString(), limit_bytes: limit.toString() },
});

describe('CreateVolume', () => {
  let world: ControllerWorld;
  beforeEach(() => {
    world = controllerWorld(api);
  });

  it('answers id, size and place', async () => {
    const { volume } = await world.call('CreateVolume', createRequest('data', sized(2n * GIB, 0n)));
    expect(volume).toMatchObject({
      volume_id: volumeIdFor('data'),
      capacity_bytes: (2n * GIB).toString(),
      volume_context: {},
      content_source: null,
      accessible_topology: [{ segments: ZONE }],
    });
  });

  it.each([
    ['unset: 1 GiB', 0n, 0n, GIB],
    ['required and limit equal: exactly that', 10n * GIB, 10n * GIB, 10n * GIB],
    ['rounded up to 1 MiB', 100n * MIB + 1n, 0n, 101n * MIB],
    ['below the minimum: the minimum', 1n, 0n, MINIMUM_VOLUME_BYTES],
    ['only a limit below the default: the limit, rounded down', 0n, 500n * MIB + 1n, 500n * MIB],
  ])('size %s', async (_what, required, limit, expected) => {
    const { volume } = await world.call('CreateVolume', createRequest('data', sized(required, limit)));
    expect(volume?.capacity_bytes).toBe(expected.toString());
  });

  it('law 3: a repeat gets the same volume, and no second disk is made', async () => {
    const request = createRequest('data', sized(2n * GIB, 0n));
    const first = await world.call('CreateVolume', request);
    const disk = await world.backend.getVolume(volumeIdFor('data'));
    expect(await world.call('CreateVolume', request)).toStrictEqual(first);
    expect(await world.backend.getVolume(volumeIdFor('data'))).toStrictEqual(disk);
  });

  it('law 3: another range that holds the present size gets the present volume', async () => {
    await makeVolume(world, 'data', sized(2n * GIB, 0n));
    const { volume } = await world.call('CreateVolume', createRequest('data', sized(GIB, 3n * GIB)));
    expect(volume?.capacity_bytes).toBe((2n * GIB).toString());
  });

  it('law 2: a volume deleted and made again under its name has the same id and is another disk', async () => {
    const id = volumeIdFor('data');
    await makeVolume(world, 'data');
    const first = await world.backend.getVolume(id);
    await world.call('DeleteVolume', { volume_id: id });
    await makeVolume(world, 'data');
    expect((await world.backend.getVolume(id))?.serialNumber).not.toBe(first?.serialNumber);
  });

  it.each(['csi.storage.k8s.io/pvc/name', 'csi.storage.k8s.io/pv/name', 'csi.storage.k8s.io/pvc/namespace'])(
    "takes the provisioner's %s, and keeps it out of what is compared",
    async (key) => {
      const id = await makeVolume(world, 'data', { parameters: { [key]: 'one' } });
      expect(await makeVolume(world, 'data', { parameters: { [key]: 'other' } })).toBe(id);
      expect((await world.backend.getVolume(volumeIdFor('data')))?.parameters).toStrictEqual({});
    },
  );

  it.each(['ntfs', 'NTFS', ''])('takes fstype "%s"', async (fstype) => {
    const capability = { ...MOUNT, mount: { fs_type: fstype } };
    const request = {
      parameters: { 'csi.storage.k8s.io/fstype': fstype },
      volume_capabilities: [capability],
    };
    expect(await makeVolume(world, 'data', request)).toBe(volumeIdFor('data'));
  });

  it.each(['SINGLE_NODE_WRITER', 'SINGLE_NODE_SINGLE_WRITER', 'SINGLE_NODE_MULTI_WRITER'] as const)(
    'takes access mode %s',
    async (mode) => {
      const request = { volume_capabilities: [{ mount: {}, access_mode: { mode } }] };
      expect(await makeVolume(world, 'data', request)).toBe(volumeIdFor('data'));
    },
  );

  it.each([
    ['ours among others', { requisite: [{ segments: { zone: 'mars' } }, { segments: ZONE }], preferred: [] }],
    ['ours preferred, nothing required', { requisite: [], preferred: [{ segments: ZONE }] }],
    ['nothing', null],
  ])('takes a topology requirement of %s', async (_what, accessibility_requirements) => {
    expect(await makeVolume(world, 'data', { accessibility_requirements })).toBe(volumeIdFor('data'));
  });

  it('has no place when the pool is reached from everywhere', async () => {
    const everywhere = controllerWorld(api, { topology: {} });
    const { volume } = await everywhere.call(
      'CreateVolume',
      createRequest('data', { accessibility_requirements: { requisite: [{ segments: { zone: 'mars' } }] } }),
    );
    expect(volume?.accessible_topology).toStrictEqual([]);
  });
});

describe('CreateVolume from a source', () => {
  let world: ControllerWorld;
  let sourceId: string;
  let snapshotId: string;
  const small = 100n * MIB;

  beforeEach(async () => {
    world = controllerWorld(api);
    sourceId = await makeVolume(world, 'source', sized(small, 0n));
    snapshotId = await makeSnapshot(world, 'snapshot', sourceId);
  });

  const sources = () => [
    { volume_content_source: { snapshot: { snapshot_id: snapshotId } } },
    { volume_content_source: { volume: { volume_id: sourceId } } },
  ];

  it.each([
    ['unset: the size of the source', 0n, 0n, small],
    ['smaller than the source: the size of the source', 50n * MIB, 0n, small],
    ['larger than the source: as asked', 200n * MIB, 200n * MIB, 200n * MIB],
  ])('size %s', async (_what, required, limit, expected) => {
    for (const [index, source] of sources().entries()) {
      const { volume } = await world.call(
        'CreateVolume',
        createRequest(`copy-${index}`, { ...source, ...sized(required, limit) }),
      );
      expect(volume?.capacity_bytes).toBe(expected.toString());
      expect(volume?.content_source).toMatchObject(source.volume_content_source);
    }
  });

  it('law 3: a repeat gets the copy also when its source is gone by now', async () => {
    for (const [index, source] of sources().entries()) {
      await makeVolume(world, `copy-${index}`, source);
    }
    await world.call('DeleteSnapshot', { snapshot_id: snapshotId });
    await world.call('DeleteVolume', { volume_id: sourceId });
    for (const [index, source] of sources().entries()) {
      expect(await makeVolume(world, `copy-${index}`, source)).toBe(volumeIdFor(`copy-${index}`));
    }
  });

  it('refuses to copy an attached volume when the pool cannot, and says so', async () => {
    const plain = controllerWorld(api, { liveSnapshots: false });
    const id = await makeVolume(plain, 'source');
    await plain.call('ControllerPublishVolume', { volume_id: id, node_id: NODE_A, volume_capability: MOUNT });
    const copy = makeVolume(plain, 'copy', { volume_content_source: { volume: { volume_id: id } } });
    await expect(copy).rejects.toMatchObject({ code: 'failed-precondition' });
  });
});
