import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { type BudgetedOperation, CALL_BUDGETS } from '../../../src/core/call-budgets.ts';
import type { RealNode } from '../../support/real-node.ts';
import { SEQUENCES } from '../node/node-life.ts';
import { EVERY_VERSION, type ProxiedNode, proxiedNode, type ProxiedNodeOptions } from './proxied-node.ts';

jest.setTimeout(60_000);

describe('call budgets at the server', () => {
  const open: ProxiedNode[] = [];

  afterEach(async () => {
    for (const { proxied } of open.splice(0)) await proxied.cleanup();
  });

  async function make(
    offer: (typeof EVERY_VERSION)[number],
    extra: ProxiedNodeOptions = {},
  ): Promise<ProxiedNode> {
    const made = await proxiedNode(offer, { sanPolicy: offer.sanPolicy, ...extra });
    open.push(made);
    return made;
  }

  /** What the server answers while `run` goes on, whether it is let succeed or not. */
  async function expectWithin(
    { proxied, node }: ProxiedNode,
    operation: BudgetedOperation,
    run: (node: RealNode) => Promise<unknown>,
  ): Promise<void> {
    const before = proxied.calls.length;
    await run(node);
    const calls = proxied.calls.slice(before);
    const failed = calls.filter(({ code }) => code !== 'OK');
    const rpcs = calls.map(({ rpc }) => rpc);
    const isWithin = rpcs.length <= CALL_BUDGETS[operation];
    expect({ operation, rpcs, failed, isWithin }).toEqual({ operation, rpcs, failed: [], isWithin: true });
  }

  describe.each(EVERY_VERSION)('CSI Proxy $versions of era $era', (offer) => {
    it.each(SEQUENCES)('$operation', async ({ operation, before, run }) => {
      const made = await make(offer);
      await before(made.node);
      await expectWithin(made, operation, run);
    });

    it('NodeGetVolumeStats', async () => {
      const made = await make(offer);
      await made.node.call('NodeStageVolume');
      await expectWithin(made, 'NodeGetVolumeStats', (node) => node.call('NodeGetVolumeStats'));
    });

    it('NodeGetVolumeStats, local path', async () => {
      const statVolume = (): Promise<{ totalBytes: bigint; usedBytes: bigint }> =>
        Promise.resolve({ totalBytes: 100n, usedBytes: 1n });
      const made = await make(offer, { statVolume });
      await made.node.call('NodeStageVolume');
      await expectWithin(made, 'NodeGetVolumeStats, local path', (node) => node.call('NodeGetVolumeStats'));
    });
  });
});
