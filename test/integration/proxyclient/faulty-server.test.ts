import { writeFile } from 'node:fs/promises';
import { createServer as createHttp2Server } from 'node:http2';
import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { StorageError } from '../../../src/core/errors.ts';
import { asDiskNumber } from '../../../src/core/ids.ts';
import { listening } from '../../../src/util/listening.ts';
import { heldAnswer, servePipes } from '../../support/pipe-server.ts';
import { withProxyClient } from '../../support/proxy-client.ts';

const signal = new AbortController().signal;
const V1 = { group: 'disk', version: 'v1' } as const;
const V1BETA3 = { group: 'disk', version: 'v1beta3' } as const;
const IDS = { ListDiskIDs: () => ({ diskIDs: {} }) };
/** The first bytes of a SETTINGS frame of 18 bytes. */
const HALF_A_FRAME = Buffer.from([0, 0, 18, 4, 0, 0, 0, 0, 0, 0, 3, 0, 0]);

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** Something at the newest pipe of the disk group that is no CSI Proxy; gives the connections it was offered. */
async function impostor(pipeDir: string, greet: (socket: Socket) => void): Promise<Socket[]> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.resume();
    greet(socket);
  });
  await listenAt(server, `${pipeDir}/csi-proxy-disk-v1.sock`, sockets);
  return sockets;
}

async function listenAt(server: Server, path: string, sockets: readonly Socket[]): Promise<void> {
  await listening(server, () => {
    server.listen(path);
  });
  ends.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
}

async function failure(call: Promise<unknown>): Promise<StorageError> {
  const answer = await call.catch((error: unknown) => error);
  expect(answer).toBeInstanceOf(StorageError);
  return answer as StorageError;
}

async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; tries < 500 && !condition(); tries += 1) await new Promise((go) => setTimeout(go, 10));
  expect(condition()).toBe(true);
}

describe('a server that is stuck', () => {
  it.each([
    ['accepts and says nothing', () => undefined],
    ['stops in the middle of a frame', (socket: Socket) => socket.write(HALF_A_FRAME)],
  ])('and %s gets one more chance, then no older pipe is tried', async (_what, greet) => {
    await withProxyClient({ handshakeTimeoutSeconds: 0.2 }, async ({ host, pipeDir }) => {
      const sockets = await impostor(pipeDir, greet);
      const older = await servePipes(pipeDir, [V1BETA3], IDS);
      ends.push(older.kill);
      const error = await failure(host.disks.listDiskIds(signal));
      expect(error.code).toBe('unavailable');
      expect(error.message).toContain(
        `${pipeDir}/csi-proxy-disk-v1.sock: connected, but the server said nothing`,
      );
      expect(error.message).toContain('restart the service csiproxy');
      expect(sockets).toHaveLength(2);
      await until(() => sockets.every((socket) => socket.destroyed));
      expect(older.asked).toEqual([]);
    });
  });

  it('is asked no more until the back-off has passed: calls are told at once', async () => {
    await withProxyClient({ handshakeTimeoutSeconds: 0.2, deps: { now: () => 1 } }, async (world) => {
      const sockets = await impostor(world.pipeDir, () => undefined);
      await failure(world.host.disks.listDiskIds(signal));
      const errors = await Promise.all(
        Array.from({ length: 20 }, () => failure(world.host.disks.rescan(signal))),
      );
      expect(new Set(errors.map(({ code }) => code))).toEqual(new Set(['unavailable']));
      expect(sockets).toHaveLength(2);
    });
  });

  it('keeps readiness waiting no longer than a probe has time', async () => {
    await withProxyClient({ handshakeTimeoutSeconds: 30 }, async ({ host, pipeDir }) => {
      await impostor(pipeDir, () => undefined);
      const readiness = await host.readiness(signal);
      expect(readiness).toMatchObject({ ready: false });
      expect(JSON.stringify(readiness)).toContain('has not answered yet');
    });
  });
});

describe('something that is no CSI Proxy', () => {
  it.each([
    ['hangs up at once', (socket: Socket) => socket.destroy()],
    ['speaks HTTP/1', (socket: Socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')],
  ])('and %s is unavailable with the reason', async (_what, greet) => {
    await withProxyClient({}, async ({ host, pipeDir }) => {
      await impostor(pipeDir, greet);
      const error = await failure(host.disks.listDiskIds(signal));
      expect(error).toMatchObject({ code: 'unavailable', fault: 'broken' });
    });
  });

  it('but a file, or a socket that nobody serves any more, is as good as nothing', async () => {
    await withProxyClient({}, async ({ host, pipeDir }) => {
      await writeFile(`${pipeDir}/csi-proxy-disk-v1.sock`, '');
      const server = await servePipes(pipeDir, [V1BETA3], IDS);
      ends.push(server.kill);
      expect(await host.disks.listDiskIds(signal)).toEqual(new Map());
      expect(server.asked).toEqual(['disk v1beta3 ListDiskIDs']);
    });
  });
});

describe('a connection that is lost during a call', () => {
  /** Speaks HTTP/2, begins an answer of 100 bytes, and hangs up after 50 of them. */
  async function halfAnswering(pipeDir: string): Promise<string[]> {
    const asked: string[] = [];
    const server = createHttp2Server();
    server.on('stream', (stream, headers) => {
      asked.push(String(headers[':path']));
      stream.on('error', () => undefined);
      stream.respond({ ':status': 200, 'content-type': 'application/grpc+proto' });
      stream.write(Buffer.concat([Buffer.from([0, 0, 0, 0, 100]), Buffer.alloc(50)]), () => {
        stream.session?.destroy();
      });
    });
    await listenAt(server, `${pipeDir}/csi-proxy-disk-v1.sock`, []);
    return asked;
  }

  it('half an answer to a read: it is asked once more on a new connection', async () => {
    await withProxyClient({}, async ({ host, pipeDir, observer }) => {
      const asked = await halfAnswering(pipeDir);
      const error = await failure(host.disks.listDiskIds(signal));
      expect(error.code).toBe('unavailable');
      expect(asked).toEqual(['/v1.Disk/ListDiskIDs', '/v1.Disk/ListDiskIDs']);
      expect(observer.versions).toEqual(['disk v1', 'disk -', 'disk v1', 'disk -']);
    });
  });

  it('half an answer to a change: it is not repeated, and its outcome is not known', async () => {
    await withProxyClient({}, async ({ host, pipeDir }) => {
      const asked = await halfAnswering(pipeDir);
      const error = await failure(host.disks.partitionDisk(asDiskNumber(7), signal));
      expect(error.code).toBe('unavailable');
      expect(error.message).toContain('PartitionDisk of 7');
      expect(error.message).toContain('whether it was done is not known');
      expect(asked).toEqual(['/v1.Disk/PartitionDisk']);
    });
  });

  it('a server that dies at a read: the read goes to the one that took its place', async () => {
    await withProxyClient({}, async ({ host, pipeDir }) => {
      const dying = await servePipes(pipeDir, [V1BETA3], {
        ListDiskIDs: async () => {
          const successor = await servePipes(pipeDir, [V1], IDS);
          ends.push(successor.kill);
          dying.kill();
          return {};
        },
      });
      expect(await host.disks.listDiskIds(signal)).toEqual(new Map());
      expect(dying.asked).toEqual(['disk v1beta3 ListDiskIDs']);
      expect(host.negotiated().get('disk')).toBe('v1');
    });
  });

  it('a server that dies at a change: the next call finds the restarted one', async () => {
    await withProxyClient({}, async ({ host, pipeDir }) => {
      const dying = await servePipes(pipeDir, [V1], {
        PartitionDisk: () => {
          dying.kill();
          return new Promise(() => undefined);
        },
      });
      const error = await failure(host.disks.partitionDisk(asDiskNumber(7), signal));
      expect(error).toMatchObject({ code: 'unavailable' });
      const restarted = await servePipes(pipeDir, [V1], { ...IDS, PartitionDisk: () => ({}) });
      ends.push(restarted.kill);
      await host.disks.partitionDisk(asDiskNumber(7), signal);
      expect(restarted.asked).toEqual(['disk v1 PartitionDisk']);
    });
  });

  it('a graceful restart lets a change that has begun finish, while new calls go to the new server', async () => {
    await withProxyClient({}, async ({ host, pipeDir }) => {
      const held = heldAnswer();
      const leaving = await servePipes(pipeDir, [V1BETA3], { PartitionDisk: held.answer });
      const change = host.disks.partitionDisk(asDiskNumber(7), signal);
      await held.asked;
      const left = leaving.leave();
      const newer = await servePipes(pipeDir, [V1], IDS);
      ends.push(newer.kill);
      await until(() => host.negotiated().get('disk') === undefined);
      expect(await host.disks.listDiskIds(signal)).toEqual(new Map());
      expect(newer.asked).toEqual(['disk v1 ListDiskIDs']);
      held.finish();
      await change;
      await left;
    });
  });
});
