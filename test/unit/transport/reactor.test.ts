import type { Duplex } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Acceptor } from '../../../src/transport/acceptor.ts';
import { Reactor } from '../../../src/transport/reactor.ts';
import { SocketError } from '../../../src/transport/socket-error.ts';
import { ScriptedSockets, settled } from '../../support/scripted-sockets.ts';

const LISTENER = 100;
const PEER = 101;

/** A listener over scripted sockets, with one connection (handle 101) accepted when `connected`. */
class World {
  readonly api = new ScriptedSockets();
  readonly errors: Error[] = [];
  readonly connections: Duplex[] = [];
  readonly reactor = new Reactor({ api: this.api, report: (error) => this.errors.push(error) });
  readonly acceptor = new Acceptor(LISTENER, this, {
    connection: (connection) => this.connections.push(connection),
    error: (error) => this.errors.push(error),
  });

  static async listening(): Promise<World> {
    const world = new World();
    world.reactor.watch(world.acceptor);
    await settled();
    return world;
  }

  static async connected(): Promise<{ world: World; api: ScriptedSockets; peer: Duplex }> {
    const world = await World.listening();
    world.api.accepts.push(PEER);
    await world.api.report(LISTENER, { readable: true });
    const [peer] = world.connections;
    if (peer === undefined) throw new Error('nothing was accepted');
    return { world, api: world.api, peer };
  }

  async close(): Promise<void> {
    this.acceptor.close();
    for (const connection of this.connections) connection.destroy();
    await settled();
  }
}

let open: World[] = [];
const connected = async (): ReturnType<typeof World.connected> => {
  const made = await World.connected();
  open.push(made.world);
  return made;
};
const listening = async (): Promise<World> => {
  const world = await World.listening();
  open.push(world);
  return world;
};

afterEach(async () => {
  for (const world of open) await world.close();
  expect(process.listenerCount('exit')).toBe(0);
  open = [];
});

describe('a connection over the reactor', () => {
  it('reads only while someone wants bytes: back-pressure leaves them with the peer', async () => {
    const { api, peer } = await connected();
    expect(api.interestIn(PEER)).toBeUndefined();
    peer.resume().pause();
    await settled();
    expect(api.interestIn(PEER)).toEqual({ read: true, write: false });
    for (let round = 0; api.interestIn(PEER) !== undefined && round < 10; round += 1) {
      api.receives.push(Buffer.alloc(60_000));
      await api.report(PEER, { readable: true });
    }
    expect(peer.readableLength).toBeLessThanOrEqual(120_000);
    expect(api.interestIn(PEER)).toBeUndefined();
    peer.resume();
    await settled();
    expect(api.interestIn(PEER)).toEqual({ read: true, write: false });
  });

  it('sends what the system did not take when it takes more, in order', async () => {
    const { api, peer } = await connected();
    api.sends.push(3, 'again', 2, 'again');
    const done: string[] = [];
    peer.write('abcdefgh', () => done.push('first'));
    peer.write('ijk', () => done.push('second'));
    await settled();
    expect(api.interestIn(PEER)).toEqual({ read: false, write: true });
    await api.report(PEER, { writable: true });
    await api.report(PEER, { writable: true });
    await api.report(PEER, { writable: true });
    expect(done).toEqual([]);
    await api.report(PEER, { writable: true });
    expect(api.sent.join('')).toBe('abcdefghijk');
    expect(done).toEqual(['first', 'second']);
    expect(api.interestIn(PEER)).toBeUndefined();
  });

  it('tries again when a read was interrupted or found nothing', async () => {
    const { api, peer } = await connected();
    const got: string[] = [];
    peer.on('data', (bytes: Buffer) => got.push(bytes.toString()));
    await settled();
    api.receives.push('again');
    await api.report(PEER, { readable: true });
    api.receives.push(Buffer.from('late'));
    await api.report(PEER, { readable: true });
    expect(got).toEqual(['late']);
    expect(peer.destroyed).toBe(false);
  });

  it('a peer that ends gets the rest, then the end, and the handle is closed', async () => {
    const { api, peer } = await connected();
    let ended = false;
    peer.on('end', () => (ended = true)).resume();
    await settled();
    api.receives.push(0);
    await api.report(PEER, { readable: true });
    expect(ended).toBe(true);
    expect(api.ended).toEqual([PEER]);
    expect(api.closed).toContain(PEER);
  });

  it.each(['ECONNRESET', 'EPIPE'])('a peer that is gone closes it without an error: %s', async (code) => {
    const { api, peer } = await connected();
    const seen: string[] = [];
    peer.on('error', () => seen.push('error')).on('close', () => seen.push('close'));
    peer.resume();
    await settled();
    api.receives.push(new SocketError('recv', code));
    await api.report(PEER, { broken: true });
    expect(seen).toEqual(['close']);
    expect(api.closed).toContain(PEER);
  });

  it('another failure is told, and nobody has to listen', async () => {
    const { api, peer } = await connected();
    api.sends.push(new SocketError('send', 'EIO'));
    peer.write('x');
    await settled();
    expect(peer.errored).toMatchObject({ code: 'EIO' });
    expect(api.closed).toContain(PEER);
  });

  it('a write that waits when the connection is destroyed is called back with an error', async () => {
    const { api, peer } = await connected();
    api.sends.push('again');
    const called: unknown[] = [];
    peer.write('x', (error) => called.push(error));
    await settled();
    peer.destroy();
    await settled();
    expect(called).toEqual([expect.any(Error)]);
    expect(api.closed).toContain(PEER);
  });
});

describe('the reactor', () => {
  it('closes a handle only after the poll that uses it has ended, which it ends at once', async () => {
    const { api, peer } = await connected();
    peer.resume();
    await settled();
    const before = api.polls;
    peer.destroy(); // ScriptedSockets throws when a handle is closed during a poll.
    expect(api.closed).toEqual([]);
    await settled();
    expect(api.closed).toEqual([PEER]);
    expect(api.polls).toBe(before + 1);
  });

  it('polls again when the poll was interrupted', async () => {
    const { api, world } = { ...(await connected()) };
    const before = api.polls;
    await api.endPoll('again');
    expect(api.polls).toBe(before + 1);
    expect(world.errors).toEqual([]);
  });

  it('reports a poll that fails, and goes on', async () => {
    const { api, world } = await connected();
    await api.endPoll(new SocketError('poll', 'ENOMEM'));
    expect(world.errors).toMatchObject([{ code: 'ENOMEM' }]);
    expect(api.isPolling).toBe(false);
    await wait(150);
    expect(api.isPolling).toBe(true);
  });

  it('ends, with its own socket, when there is nothing left to watch', async () => {
    const world = await listening();
    world.acceptor.close();
    await settled();
    expect(world.api.isPolling).toBe(false);
    expect(world.api.closed).toEqual([LISTENER, 1]);
  });

  it('ends the poll when the process exits, which would wait for its thread', async () => {
    const { api } = await listening();
    for (const listener of process.listeners('exit')) (listener as () => void)();
    expect(api.isPolling).toBe(false);
    await settled();
  });
});

describe('accepting', () => {
  it('takes all who wait, and skips those who are gone already', async () => {
    const world = await listening();
    world.api.accepts.push(101, new SocketError('accept', 'ECONNABORTED'), 102);
    await world.api.report(LISTENER, { readable: true });
    expect(world.connections).toHaveLength(2);
    expect(world.errors).toEqual([]);
  });

  it('rests when the process has no handle left, without spinning, and tells', async () => {
    const world = await listening();
    world.api.accepts.push(new SocketError('accept', 'EMFILE'));
    await world.api.report(LISTENER, { readable: true });
    expect(world.errors).toMatchObject([{ code: 'EMFILE' }]);
    expect(world.api.interestIn(LISTENER)).toBeUndefined();
    await wait(150);
    expect(world.api.interestIn(LISTENER)).toEqual({ read: true, write: false });
  });
});
