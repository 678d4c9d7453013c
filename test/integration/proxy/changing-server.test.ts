import { readdir } from 'node:fs/promises';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { Offer } from '../../support/proxied-host.ts';
import { type ProxiedNode, proxiedNode } from './proxied-node.ts';

jest.setTimeout(60_000);

const OLD: Offer = { versions: '0.2.2', era: '1.2' };
const NEW: Offer = { versions: '1.3', era: '1.3' };
const DATA = 'what the pod wrote';

describe('a server that changes under a running node', () => {
  let made: ProxiedNode | undefined;

  afterEach(async () => {
    await made?.proxied.cleanup();
    made = undefined;
  });

  it.each([
    { change: 'upgrade 0.2.2 to 1.3', from: OLD, to: NEW, before: 'v1beta2', after: 'v1' },
    { change: 'downgrade 1.3 to 0.2.2', from: NEW, to: OLD, before: 'v1', after: 'v1beta2' },
  ])('law 10: $change with a volume staged', async ({ from, to, before, after }) => {
    made = await proxiedNode(from);
    const { node, proxied } = made;
    await node.call('NodeStageVolume');
    await node.write(node.stagingPath, DATA);
    expect(proxied.host.negotiated().get('disk')).toBe(before);

    await proxied.stopServer();
    await proxied.startServer(to);
    await node.call('NodePublishVolume');
    expect(await node.read(node.targetPath)).toBe(DATA);
    expect(await node.call('NodeGetVolumeStats')).toMatchObject({ usage: [{ unit: 'BYTES' }] });
    await node.call('NodeUnpublishVolume');
    await node.call('NodeUnstageVolume');
    expect(await readdir(node.stagingPath)).toEqual([]);
    expect(proxied.host.negotiated().get('disk')).toBe(after);

    await node.call('NodeStageVolume');
    expect(await node.read(node.stagingPath)).toBe(DATA);
    expect(node.formats).toBe(1);
  });

  it('law 10: upgrade and downgrade in the middle of a life, at every step', async () => {
    made = await proxiedNode(OLD);
    const { node, proxied } = made;
    const steps = [
      'NodeStageVolume',
      'NodePublishVolume',
      'NodeGetVolumeStats',
      'NodeUnpublishVolume',
      'NodeUnstageVolume',
    ];
    for (let life = 0; life < 2; life += 1) {
      for (const [index, step] of steps.entries()) {
        await proxied.stopServer();
        await proxied.startServer((index + life) % 2 === 0 ? OLD : NEW);
        await node.call(step);
        if (step === 'NodePublishVolume') await node.write(node.targetPath, `life ${life}`);
      }
    }
    await node.call('NodeStageVolume');
    expect(await node.read(node.stagingPath)).toBe('life 1');
    expect(node.formats).toBe(1);
  });
});
