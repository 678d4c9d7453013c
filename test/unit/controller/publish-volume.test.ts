import { beforeEach, describe, expect, it } from '@jest/globals';
import { GIB } from '../../../src/core/capacity.ts';
import { asNodeId, volumeIdFor } from '../../../src/core/ids.ts';
import { decodePublishContext } from '../../../src/core/publish-context.ts';
import { loadCsiApi } from '../../../src/rpc/csi-api.ts';
import {
  controllerWorld,
  type ControllerWorld,
  makeVolume,
  MOUNT,
  NODE_A,
  NODE_B,
} from '../../support/controller-world.ts';

const api = loadCsiApi();
const ID = volumeIdFor('data');
const publish = { volume_id: ID, node_id: NODE_A, volume_capability: MOUNT };

describe('ControllerPublishVolume', () => {
  let world: ControllerWorld;
  beforeEach(async () => {
    world = controllerWorld(api);
    await makeVolume(world, 'data');
  });

  it('attaches, and tells how the node finds the disk', async () => {
    const { publish_context } = await world.call('ControllerPublishVolume', publish);
    const disk = await world.backend.getVolume(ID);
    expect(disk?.attachedTo).toStrictEqual([NODE_A]);
    expect(decodePublishContext(publish_context)).toMatchObject({
      serialNumber: disk?.serialNumber,
      page83: disk?.page83,
      capacityBytes: GIB,
      content: { state: 'blank' },
    });
  });

  it('law 3: a repeat gets the same answer', async () => {
    const first = await world.call('ControllerPublishVolume', publish);
    expect(await world.call('ControllerPublishVolume', publish)).toStrictEqual(first);
  });

  it('law 7: a volume attached to one node is refused to another until it is detached', async () => {
    await world.call('ControllerPublishVolume', publish);
    const other = { ...publish, node_id: NODE_B };
    await expect(world.call('ControllerPublishVolume', other)).rejects.toMatchObject({
      code: 'failed-precondition',
      message: expect.stringContaining(NODE_A),
    });
    await world.call('ControllerUnpublishVolume', { volume_id: ID, node_id: NODE_A });
    await expect(world.call('ControllerPublishVolume', other)).resolves.toBeDefined();
  });

  it('a full node is resource-exhausted', async () => {
    world.backend.announceNode(asNodeId(NODE_A), 0);
    await expect(world.call('ControllerPublishVolume', publish)).rejects.toMatchObject({
      code: 'resource-exhausted',
    });
  });

  it('law 1: says what a foreign disk holds, to the node and in the log', async () => {
    world.backend.setContent(ID, { state: 'foreign', found: 'an ext4 file system', fileSystemBytes: 0n });
    const { publish_context } = await world.call('ControllerPublishVolume', publish);
    expect(decodePublishContext(publish_context).content).toMatchObject({
      state: 'foreign',
      found: 'an ext4 file system',
    });
    expect(world.log.lines).toMatchObject([{ level: 'warn', fields: { found: 'an ext4 file system' } }]);
  });

  it('logs nothing for an ordinary disk', async () => {
    await world.call('ControllerPublishVolume', publish);
    expect(world.log.lines).toStrictEqual([]);
  });
});

describe('ControllerUnpublishVolume', () => {
  let world: ControllerWorld;
  beforeEach(async () => {
    world = controllerWorld(api);
    await makeVolume(world, 'data');
    await world.call('ControllerPublishVolume', publish);
  });

  const attachedTo = async () => (await world.backend.getVolume(ID))?.attachedTo;

  it.each([
    ['from that node', NODE_A],
    ['from every node when none is named', ''],
  ])('detaches %s', async (_what, node_id) => {
    await world.call('ControllerUnpublishVolume', { volume_id: ID, node_id });
    expect(await attachedTo()).toStrictEqual([]);
  });

  it.each([NODE_A, ''])('law 3: a repeat is done (node "%s")', async (node_id) => {
    const request = { volume_id: ID, node_id };
    await world.call('ControllerUnpublishVolume', request);
    await expect(world.call('ControllerUnpublishVolume', request)).resolves.toStrictEqual({});
  });

  it.each([
    ['another node', ID, NODE_B],
    ['an unknown node', ID, 'node-z'],
    ['an unknown volume', volumeIdFor('gone'), NODE_A],
    ['an unknown volume on every node', volumeIdFor('gone'), ''],
    ['a volume id that is a path', '../../etc', NODE_A],
  ])('is done for %s, and the disk stays where it is', async (_what, volume_id, node_id) => {
    await expect(world.call('ControllerUnpublishVolume', { volume_id, node_id })).resolves.toStrictEqual({});
    expect(await attachedTo()).toStrictEqual([NODE_A]);
  });
});
