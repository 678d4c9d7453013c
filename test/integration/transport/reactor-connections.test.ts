import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { withReactorServer } from '../../support/reactor-server.ts';

const echo = (connection: Duplex): void => void connection.pipe(connection);
const ignore = (): void => undefined;

const handles = async (): Promise<number> => (await readdir('/proc/self/fd')).length;

async function read(socket: Socket): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let round = 0; round < 200; round += 1) {
    if (await condition()) return;
    await wait(10);
  }
  throw new Error('it did not come true in 2 s');
}

describe('connections of the reactor, on real sockets', () => {
  it('echoes megabytes to a half-open peer: it has ended, and gets all of it and then the end', async () => {
    await withReactorServer(echo, async ({ dial, connections }) => {
      const bytes = randomBytes(5_000_001);
      const socket = await dial();
      const got = read(socket);
      socket.end(bytes);
      expect((await got).equals(bytes)).toBe(true);
      await until(() => connections[0]?.closed === true);
    });
  });

  it('tells a writer to wait while the peer does not read, and loses nothing', async () => {
    await withReactorServer(ignore, async ({ dial, connections }) => {
      const socket = await dial();
      await until(() => connections.length === 1);
      const [connection] = connections;
      let written = 0;
      const chunk = Buffer.alloc(64 * 1024, 1);
      while (connection?.write(chunk) === true) written += chunk.length;
      await wait(50);
      expect(written).toBeLessThan(4 * 1024 * 1024);
      expect(connection?.writableNeedDrain).toBe(true);
      if (connection === undefined) throw new Error('nothing was accepted');
      const drained = once(connection, 'drain');
      let got = 0;
      socket.on('data', (bytes: Buffer) => (got += bytes.length));
      await drained;
      connection.end();
      await once(socket, 'end');
      expect(got).toBe(written + chunk.length);
    });
  });

  it('holds 300 connections at once, each with its own bytes', async () => {
    await withReactorServer(echo, async ({ dial }) => {
      const sockets = await Promise.all(Array.from({ length: 300 }, dial));
      const answers = sockets.map(async (socket, index) => {
        socket.end(`connection ${index}`);
        return (await read(socket)).toString();
      });
      expect(await Promise.all(answers)).toEqual(sockets.map((_, index) => `connection ${index}`));
    });
  });

  it('leaks no handle over 1000 connects and disconnects', async () => {
    await withReactorServer(echo, async ({ dial, connections }) => {
      const before = await handles();
      for (let round = 0; round < 20; round += 1) {
        const sockets = await Promise.all(Array.from({ length: 50 }, dial));
        for (const socket of sockets) socket.destroy();
      }
      await until(() => connections.length === 1000 && connections.every(({ closed }) => closed));
      await until(async () => (await handles()) <= before);
      expect(await handles()).toBeLessThanOrEqual(before);
    });
  });

  it('closes the connection of a peer that is killed, while it reads and while it writes', async () => {
    await withReactorServer(
      (connection) => connection.resume(),
      async ({ path, connections }) => {
        const script = `const s = require('net').connect(process.argv[1]); s.write('x'); setInterval(() => {}, 1000)`;
        const peers: ChildProcess[] = [0, 1].map(() => spawn(process.execPath, ['-e', script, path]));
        await until(() => connections.length === 2);
        connections[1]?.write(Buffer.alloc(8 * 1024 * 1024));
        await wait(50);
        expect(connections.some(({ closed }) => closed)).toBe(false);
        for (const peer of peers) peer.kill('SIGKILL');
        await until(() => connections.every(({ closed }) => closed));
      },
    );
  });

  it('is woken at once: neither a reader that resumes nor a close waits for the poll to end', async () => {
    await withReactorServer(ignore, async ({ dial, connections }) => {
      const delays: number[] = [];
      for (let round = 0; round < 20; round += 1) {
        const socket = await dial();
        await until(() => connections.length === round + 1);
        const connection = connections[round];
        if (connection === undefined) throw new Error('nothing was accepted');
        socket.write('x');
        await wait(5); // The poll goes on without this connection: nobody reads.
        let begin = performance.now();
        connection.resume();
        await once(connection, 'data');
        delays.push(performance.now() - begin);
        begin = performance.now();
        connection.destroy();
        await once(socket, 'close');
        delays.push(performance.now() - begin);
      }
      const [median = Infinity] = delays.sort((one, other) => one - other).slice(delays.length / 2);
      expect(median).toBeLessThan(50);
    });
  });
});
