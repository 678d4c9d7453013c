import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, jest } from '@jest/globals';
import { Relay } from '../../support/proxied-relay.ts';
import type { RealNode } from '../../support/real-node.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';
import { proxiedNode } from './proxied-node.ts';

jest.setTimeout(120_000);

const OFFER = { versions: 'v1', era: '1.3' } as const;
const STEP_BYTES = 23;
const MOST_TRIES = 100;

describe('a server that answers by half', () => {
  it('law 3: a stage converges wherever in its answers the connection ends', async () => {
    let after = 0;
    for (let isCut = true; isCut; after += STEP_BYTES) isCut = await stageWithCut(after);
    expect(after).toBeGreaterThan(10 * STEP_BYTES);
  });

  /** True when the cut came: the stage was not over before. */
  async function stageWithCut(afterBytes: number): Promise<boolean> {
    const clientDir = join(await makeTempFolder(), 'relayed');
    const { node, proxied } = await proxiedNode(OFFER, { client: { clientDir } });
    const relay = await Relay.open(clientDir, proxied.pipeDir);
    let formats = 0;
    proxied.around = async (call, run) => {
      const result = await run();
      if (call.method === 'formatVolume') formats += 1;
      return result;
    };
    try {
      relay.cutAfter(afterBytes);
      await untilStaged(node);
      const isCut = relay.cuts > 0;
      await node.write(node.stagingPath, 'kept');
      await node.call('NodeUnstageVolume');
      await node.call('NodeStageVolume');
      expect({ afterBytes, formats, file: await node.read(node.stagingPath) }).toEqual({
        afterBytes,
        formats: 1,
        file: 'kept',
      });
      return isCut;
    } finally {
      await proxied.cleanup();
      await relay.close();
    }
  }
});

async function untilStaged(node: RealNode): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await node.call('NodeStageVolume');
      return;
    } catch (error) {
      if (tries === MOST_TRIES) throw error;
      await wait(20);
    }
  }
}
