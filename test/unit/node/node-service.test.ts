import { describe, expect, it } from '@jest/globals';
import { asNodeId } from '../../../src/core/ids.ts';
import { nodeService } from '../../../src/node/node-service.ts';
import { VolumeConditions } from '../../../src/node/volume-conditions.ts';
import { callContext } from '../../support/call-context.ts';
import { NodeWorld } from '../../support/node-world.ts';

const LOCKED = [
  'NodeStageVolume',
  'NodeUnstageVolume',
  'NodePublishVolume',
  'NodeUnpublishVolume',
  'NodeExpandVolume',
];

describe('the Node service', () => {
  it('law 6: locks each volume by itself in every RPC that changes something', () => {
    const { lockKeys } = new NodeWorld().process.service;
    expect(Object.keys(lockKeys)).toEqual(LOCKED);
    const keys = LOCKED.map((method) => lockKeys[method]?.({ volume_id: 'vol-1' }));
    expect(keys).toEqual(LOCKED.map(() => ['node/vol-1']));
  });

  it('reports who and where it is, and what the host can take', async () => {
    expect(await new NodeWorld().call('NodeGetInfo')).toEqual({
      node_id: 'node-1',
      max_volumes_per_node: '7',
      accessible_topology: { segments: { zone: 'local' } },
    });
  });

  it('prefers the configured number of volumes', async () => {
    const world = new NodeWorld();
    const deps = {
      host: world.host,
      journal: world.journal,
      conditions: new VolumeConditions(),
      log: world.log,
      now: () => world.time,
    };
    const options = { nodeId: asNodeId('node-1'), topology: {}, maxVolumes: 3, statsCacheSeconds: 30 };
    const context = callContext({ service: 'Node', method: 'NodeGetInfo' });
    const answer = nodeService(deps, options).methods['NodeGetInfo']?.({}, context);
    await expect(answer).resolves.toMatchObject({ max_volumes_per_node: '3' });
  });

  it('advertises what it does', async () => {
    const { capabilities } = await new NodeWorld().call('NodeGetCapabilities');
    expect(capabilities).toEqual(
      [
        'STAGE_UNSTAGE_VOLUME',
        'GET_VOLUME_STATS',
        'EXPAND_VOLUME',
        'VOLUME_CONDITION',
        'SINGLE_NODE_MULTI_WRITER',
      ].map((type) => ({ rpc: { type }, type: 'rpc' })),
    );
  });
});
