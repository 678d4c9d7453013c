import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstat, mkdir, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { CsiService } from '../../../src/rpc/call.ts';
import { connectCsi } from '../../../src/rpc/csi-client.ts';
import { CsiServer } from '../../../src/rpc/csi-server.ts';
import { KeyedLock } from '../../../src/util/keyed-lock.ts';
import { csiApi, withCsiServer, withFolder } from '../../support/csi-server.ts';
import { RecordingLogger } from '../../support/recording-logger.ts';

const identity: CsiService = {
  name: 'Identity',
  methods: { Probe: () => Promise.resolve({ ready: { value: true } }) },
  lockKeys: {},
};

const newServer = (): CsiServer =>
  new CsiServer({
    services: [identity],
    log: new RecordingLogger(),
    observer: { started: () => undefined, finished: () => undefined },
    lock: new KeyedLock(),
    api: csiApi,
  });

/** Runs a test with a server that does not listen yet; stops it however the test ends. */
async function withServer(test: (server: CsiServer) => Promise<void>): Promise<void> {
  const server = newServer();
  try {
    await test(server);
  } finally {
    await server.stop(0);
  }
}

/** A process that listens on a socket and is killed: nothing removes the file. */
async function leaveStaleSocket(path: string): Promise<void> {
  const script = `require('net').createServer().listen(process.argv[1], () => console.log('up'))`;
  const child = spawn(process.execPath, ['-e', script, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  child.kill('SIGKILL');
  await once(child, 'exit');
}

async function expectServed(endpoint: string): Promise<void> {
  const client = connectCsi(endpoint, { api: csiApi, timeoutSeconds: 5 });
  try {
    await expect(client.identity.probe({})).resolves.toEqual({ ready: { value: true } });
  } finally {
    client.close();
  }
}

describe('the unix socket', () => {
  it('has mode 0660 from the moment it exists, whatever the umask, and goes when the server stops', async () => {
    const before = process.umask(0);
    try {
      await withCsiServer([identity], async ({ server, folder, endpoint }) => {
        const path = join(folder, 'csi.sock');
        expect((await stat(path)).mode & 0o777).toBe(0o660);
        expect(process.umask(0)).toBe(0);
        await expectServed(endpoint);
        await server.stop(1);
        await expect(lstat(path)).rejects.toMatchObject({ code: 'ENOENT' });
      });
    } finally {
      process.umask(before);
    }
  });

  it('replaces a stale socket of a killed process', async () => {
    await withFolder(async (folder) => {
      const path = join(folder, 'csi.sock');
      await leaveStaleSocket(path);
      expect((await lstat(path)).isSocket()).toBe(true);
      await withServer(async (server) => {
        await expectServed(await server.listen(`unix://${path}`));
      });
    });
  });

  it('leaves a live socket to its owner', async () => {
    await withCsiServer([identity], async ({ endpoint }) => {
      await withServer(async (second) => {
        await expect(second.listen(endpoint)).rejects.toMatchObject({
          code: 'failed-precondition',
          message: expect.stringMatching(
            /^cannot listen on .*csi\.sock: another process listens there; stop it/,
          ),
        });
      });
      await expectServed(endpoint);
    });
  });

  it.each<[string, (path: string) => Promise<unknown>]>([
    ['a file', (path) => writeFile(path, 'precious')],
    ['a folder', (path) => mkdir(path)],
    ['a link', (path) => symlink('/nowhere', path)],
  ])('never removes %s that is no socket', async (_what, make) => {
    await withFolder(async (folder) => {
      const path = join(folder, 'csi.sock');
      await make(path);
      const before = await lstat(path);
      await withServer(async (server) => {
        await expect(server.listen(`unix://${path}`)).rejects.toThrow(/no socket; move it away/);
      });
      expect(await lstat(path)).toMatchObject({
        ino: before.ino,
        size: before.size,
        mtimeMs: before.mtimeMs,
      });
    });
  });

  it('says which folder is missing', async () => {
    await withFolder(async (folder) => {
      await withServer(async (server) => {
        const call = server.listen(`unix://${folder}/absent/csi.sock`);
        await expect(call).rejects.toThrow(`${folder}/absent is not a folder; make it`);
      });
    });
  });

  it('says that Windows paths wait for Windows', async () => {
    await withServer(async (server) => {
      await expect(server.listen('unix://C:\\csi\\csi.sock')).rejects.toMatchObject({
        code: 'unimplemented',
      });
    });
  });
});

describe('TCP', () => {
  it('serves on a port the system chooses', async () => {
    await withServer(async (server) => {
      const endpoint = await server.listen('tcp://127.0.0.1:0');
      expect(endpoint).toMatch(/^tcp:\/\/127\.0\.0\.1:[1-9]\d+$/);
      await expectServed(endpoint);
    });
  });

  it('says that a port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    try {
      await withServer(async (server) => {
        await expect(server.listen(`tcp://127.0.0.1:${port}`)).rejects.toThrow(
          /cannot listen on tcp:.*EADDRINUSE/,
        );
      });
    } finally {
      other.close();
      await once(other, 'close');
    }
  });
});
