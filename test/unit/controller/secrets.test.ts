import { expect, it } from '@jest/globals';
import { loadCsiApi } from '../../../src/rpc/csi-api.ts';
import { controllerWorld, createRequest, MOUNT, NODE_A, stateOf } from '../../support/controller-world.ts';

const SECRET = 'hunter2';
const secrets = { password: SECRET };

/** Everything in it as text, also what JSON cannot hold. */
const textOf = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner));

it('law 9: no publish_context, no other answer, no log line and no record holds a secret of a request', async () => {
  const world = controllerWorld(loadCsiApi());
  const { call } = world;
  const created = await call('CreateVolume', createRequest('data', { secrets }));
  const volume_id = created.volume?.volume_id ?? '';
  const published = await call('ControllerPublishVolume', {
    volume_id,
    node_id: NODE_A,
    volume_capability: MOUNT,
    secrets,
  });
  await call('ControllerUnpublishVolume', { volume_id, node_id: NODE_A, secrets });
  const snapshot = await call('CreateSnapshot', { name: 'snap', source_volume_id: volume_id, secrets });

  expect(Object.keys(published.publish_context)).not.toHaveLength(0);
  const seen = textOf([created, published, snapshot, world.log.lines, await stateOf(world)]);
  expect(seen).toContain(volume_id);
  expect(seen).not.toContain(SECRET);
});
