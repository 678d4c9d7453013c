import { describe, expect, it } from '@jest/globals';
import { loadCsiApi } from '../../../src/rpc/csi-api.ts';
import { controllerWorld } from '../../support/controller-world.ts';

describe('ControllerGetCapabilities', () => {
  it('advertises exactly what is served', async () => {
    const { capabilities } = await controllerWorld(loadCsiApi()).call('ControllerGetCapabilities', {});
    expect(capabilities.map(({ rpc }) => rpc?.type)).toStrictEqual([
      'CREATE_DELETE_VOLUME',
      'PUBLISH_UNPUBLISH_VOLUME',
      'LIST_VOLUMES',
      'LIST_VOLUMES_PUBLISHED_NODES',
      'GET_CAPACITY',
      'CREATE_DELETE_SNAPSHOT',
      'LIST_SNAPSHOTS',
      'GET_SNAPSHOT',
      'CLONE_VOLUME',
      'EXPAND_VOLUME',
      'GET_VOLUME',
      'VOLUME_CONDITION',
      'SINGLE_NODE_MULTI_WRITER',
    ]);
  });
});
