import { status } from '@grpc/grpc-js';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { CsiClient } from '../../../src/rpc/csi-client.ts';
import { withCsiServer } from '../../support/csi-server.ts';
import type { RealNode } from '../../support/real-node.ts';
import { type ProxiedNode, proxiedNode } from './proxied-node.ts';

jest.setTimeout(60_000);

const OFFER = { versions: '1.3', era: '1.3' } as const;
/** So soon that a change which hangs is overdue while it is watched. */
const OVERDUE_SECONDS = 0.2;

describe('a server in trouble', () => {
  let made: ProxiedNode | undefined;

  afterEach(async () => {
    await made?.proxied.cleanup();
    made = undefined;
  });

  /** Counts the formats that the host behind the server finishes; `before` runs before each. */
  function watchFormats({ proxied }: ProxiedNode, before: () => Promise<unknown>): () => number {
    let formats = 0;
    proxied.around = async (call, run) => {
      if (call.method !== 'formatVolume') return run();
      await before();
      const result = await run();
      formats += 1;
      return result;
    };
    return () => formats;
  }

  it('slow: a stage takes its time and is done', async () => {
    made = await proxiedNode(OFFER);
    made.proxied.around = async (_call, run) => {
      await wait(40);
      return run();
    };
    const { node } = made;
    await node.call('NodeStageVolume');
    await node.write(node.stagingPath, 'slowly');
    await node.call('NodeUnstageVolume');
    await node.call('NodeStageVolume');
    expect(await node.read(node.stagingPath)).toBe('slowly');
  });

  it('law 6: a format that hangs outlives its caller, and no second one begins beside it', async () => {
    made = await proxiedNode(OFFER, { client: { storageTimeoutSeconds: OVERDUE_SECONDS } });
    const { node } = made;
    const [begin, end] = [makeGate(), makeGate()];
    let begun = 0;
    const formats = watchFormats(made, () => {
      begun += 1;
      begin.open();
      return end.opened;
    });
    await withCsiServer([node.service], async ({ client }) => {
      const caller = new AbortController();
      const staging = codeOf(stage(client, node, caller.signal));
      await begin.opened;
      caller.abort();
      expect(await staging).toBe(status.CANCELLED);
      for (let repeat = 0; repeat < 3; repeat += 1) {
        expect(await codeOf(stage(client, node))).toBe(status.ABORTED);
        await wait(OVERDUE_SECONDS * 1000);
      }
      expect([begun, formats()]).toEqual([1, 0]);
      end.open();
      await untilStaged(client, node);
      expect([begun, formats()]).toEqual([1, 1]);
    });
    await node.write(node.stagingPath, 'kept');
    await node.call('NodeUnstageVolume');
    await node.call('NodeStageVolume');
    expect(await node.read(node.stagingPath)).toBe('kept');
  });

  it('a read that hangs costs its caller the deadline, and nobody after it', async () => {
    made = await proxiedNode(OFFER, { client: { readTimeoutSeconds: 0.5 } });
    const { node, proxied } = made;
    const gate = makeGate();
    proxied.around = async (call, run) => {
      if (call.method === 'listDiskIds') await gate.opened;
      return run();
    };
    await expect(node.call('NodeStageVolume')).rejects.toThrow(/ListDiskIDs/);
    gate.open();
    await node.call('NodeStageVolume');
    expect(node.formats).toBe(1);
  });
});

function makeGate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return {
    opened,
    open: () => {
      open();
    },
  };
}

const stage = (client: CsiClient, node: RealNode, signal?: AbortSignal): Promise<unknown> =>
  client.node.nodeStageVolume(node.request(), signal === undefined ? {} : { signal });

async function codeOf(call: Promise<unknown>): Promise<status> {
  const [outcome] = await Promise.allSettled([call]);
  return outcome.status === 'fulfilled' ? status.OK : (outcome.reason as { code: status }).code;
}

async function untilStaged(client: CsiClient, node: RealNode): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    const code = await codeOf(stage(client, node));
    if (code === status.OK) return;
    if (code !== status.ABORTED) throw new Error(`a stage that only waits was answered ${status[code]}`);
    await wait(50);
  }
  throw new Error('the stage does not end');
}
