import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { type CsiClient, connectCsi } from '../../src/rpc/csi-client.ts';
import { NODE_ID, ownFolders, QUICK_SECONDS, withDriver } from './wine-driver.ts';
import type { WineSession } from './wine-session.ts';

const CALLS = 300;
const AT_ONCE = 50;
const CYCLES = 200;
/** More than the reactor receives at once, and than a socket's buffer has room for. */
const LARGE_BYTES = 1_000_000;

/** A node whose CSI endpoint is served by the reactor: `WSAPoll` and its companions through koffi. */
const withReactor = (
  session: WineSession,
  owner: string,
  use: (client: CsiClient, port: number) => Promise<string>,
): Promise<string> => {
  const args = ['node', '--host', 'simulated', '--socket-backend', 'reactor', ...ownFolders(owner)];
  return withDriver(session, args, use);
};

export function winsockCalls(session: WineSession): Promise<string> {
  return withReactor(session, 'calls', async ({ identity, node }) => {
    assert.equal((await identity.getPluginInfo({})).name, 'ntfs.csi.io');
    assert.equal((await node.nodeGetInfo({})).node_id, NODE_ID);
    assert.ok((await node.nodeGetCapabilities({})).capabilities.length > 0);
    const oneByOne = await timed(async () => {
      for (let call = 0; call < CALLS; call += 1) await requireReady(identity);
    });
    const together = await timed(async () => {
      for (let call = 0; call < CALLS; call += AT_ONCE)
        await Promise.all(Array.from({ length: AT_ONCE }, () => requireReady(identity)));
    });
    const large = node.nodeGetVolumeStats({
      volume_id: 'v'.repeat(LARGE_BYTES),
      volume_path: '/',
      staging_target_path: '',
    });
    await assert.rejects(large, /INVALID_ARGUMENT/);
    await requireReady(identity);
    const each = [oneByOne, together].map((milliseconds) => (milliseconds / CALLS).toFixed(1));
    return `${CALLS} calls one by one, ${each[0]} ms each; ${CALLS} at ${AT_ONCE} a time, ${each[1]} ms each; one of ${LARGE_BYTES / 1e6} MB`;
  });
}

export function winsockConnections(session: WineSession): Promise<string> {
  return withReactor(session, 'connections', async (first, port) => {
    const milliseconds = await timed(async () => {
      for (let cycle = 0; cycle < CYCLES; cycle += 1) await callOnce(port);
    });
    for (let cycle = 0; cycle < CYCLES; cycle += 1) await breakOff(port, cycle % 2 === 0);
    await requireReady(first.identity);
    return `${CYCLES} with a call, ${(milliseconds / CYCLES).toFixed(1)} ms each; ${CYCLES} broken off; the first one still serves`;
  });
}

async function callOnce(port: number): Promise<void> {
  const client = connectCsi(`tcp://127.0.0.1:${port}`);
  try {
    await client.ready(QUICK_SECONDS);
    await requireReady(client.identity);
  } finally {
    client.close();
  }
}

/** In the middle of the greeting of HTTP/2, by an end or by a reset. */
async function breakOff(port: number, isReset: boolean): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write('PRI * HTTP/2.0');
  if (isReset) socket.resetAndDestroy();
  else socket.destroy();
  await once(socket, 'close');
}

async function requireReady(identity: CsiClient['identity']): Promise<void> {
  const { ready } = await identity.probe({});
  assert.equal(ready?.value, true, 'Probe says that it is not ready');
}

async function timed(work: () => Promise<void>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}
