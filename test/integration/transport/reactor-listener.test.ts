import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstat, mkdir, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { socketsOf } from '../../../src/app/sockets-of.ts';
import type { CsiService } from '../../../src/rpc/call.ts';
import { connectCsi } from '../../../src/rpc/csi-client.ts';
import { CsiServer } from '../../../src/rpc/csi-server.ts';
import { parseEndpoint } from '../../../src/rpc/endpoint.ts';
import { KeyedLock } from '../../../src/util/keyed-lock.ts';
import { csiApi, withFolder } from '../../support/csi-server.ts';
import { dialPath, withReactorServer } from '../../support/reactor-server.ts';
import { RecordingLogger } from '../../support/recording-logger.ts';

const identity: CsiService = {
  name: 'Identity',
  methods: { Probe: () => Promise.resolve({ ready: { value: true } }) },
  lockKeys: {},
};

/** Serves CSI on the reactor at an endpoint, calls it, and stops. */
async function expectServable(endpoint: string): Promise<void> {
  const server = new CsiServer({
    services: [identity],
    log: new RecordingLogger(),
    observer: { started: () => undefined, finished: () => undefined },
    lock: new KeyedLock(),
    api: csiApi,
    openListener: socketsOf('reactor'),
  });
  try {
    const client = connectCsi(await server.listen(endpoint), { api: csiApi, timeoutSeconds: 5 });
    const calls = Array.from({ length: 20 }, () => client.identity.probe({}));
    expect(await Promise.all(calls)).toEqual(calls.map(() => ({ ready: { value: true } })));
    client.close();
  } finally {
    await server.stop(0);
  }
}

const listen = (endpoint: string): Promise<unknown> =>
  socketsOf('reactor')(parseEndpoint(endpoint), { connection: () => undefined, error: () => undefined });

const STAY = join(__dirname, '../../support/stay-listening.ts');

/** Runs a test with a process that listens; kills it however the test ends. */
async function withListening(
  path: string,
  then: 'exit' | 'stay',
  test: (child: ChildProcess) => Promise<void>,
): Promise<void> {
  const args = ['--import', 'tsx', STAY, path, then];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    await once(child.stdout, 'data');
    await test(child);
  } finally {
    child.kill('SIGKILL');
  }
}

const gone = (path: string): Promise<unknown> =>
  expect(lstat(path)).rejects.toMatchObject({ code: 'ENOENT' });

describe('the listener of the reactor', () => {
  it('serves CSI on a unix socket and, for tests, on TCP', async () => {
    await withFolder(async (folder) => {
      await expectServable(`unix://${folder}/csi.sock`);
      await gone(`${folder}/csi.sock`);
    });
    await expectServable('tcp://127.0.0.1:0');
  });

  it('makes the socket with mode 0660, and takes its file away when it closes', async () => {
    await withReactorServer(
      () => undefined,
      async ({ path, close }) => {
        expect((await stat(path)).mode & 0o777).toBe(0o660);
        close();
        await gone(path);
        await expect(dialPath(path)).rejects.toMatchObject({ code: 'ENOENT' });
      },
    );
  });

  it('takes its file away when the process exits, which does not wait for the poll', async () => {
    await withFolder(async (folder) => {
      const path = join(folder, 'csi.sock');
      await withListening(path, 'exit', async (child) => {
        const signal = AbortSignal.timeout(3000);
        const [code] = (await once(child, 'exit', { signal })) as [number];
        expect(code).toBe(7);
        await gone(path);
      });
    });
  });

  it('replaces the socket of a killed process', async () => {
    await withFolder(async (folder) => {
      const path = join(folder, 'csi.sock');
      await withListening(path, 'stay', async (child) => {
        child.kill('SIGKILL');
        await once(child, 'exit');
      });
      expect((await lstat(path)).isSocket()).toBe(true);
      await expectServable(`unix://${path}`);
    });
  });

  it('refuses a path where someone listens, whoever that is, and leaves them alone', async () => {
    await withFolder(async (folder) => {
      const path = join(folder, 'csi.sock');
      const other = createServer().listen(path);
      await once(other, 'listening');
      await expect(listen(`unix://${path}`)).rejects.toThrow('another process listens there');
      (await dialPath(path)).destroy();
      other.close();
    });
    await withReactorServer(
      () => undefined,
      async ({ path, dial }) => {
        await expect(listen(`unix://${path}`)).rejects.toThrow('another process listens there');
        await dial();
      },
    );
  });

  it('refuses what is no socket, and leaves it', async () => {
    await withFolder(async (folder) => {
      await writeFile(join(folder, 'file'), '');
      await mkdir(join(folder, 'folder'));
      for (const name of ['file', 'folder']) {
        await expect(listen(`unix://${folder}/${name}`)).rejects.toThrow('something that is no socket');
        await lstat(join(folder, name));
      }
    });
  });

  it('says what is wrong with a path that cannot be', async () => {
    const on = { connection: () => undefined, error: () => undefined };
    const open = (path: string): Promise<unknown> => socketsOf('reactor')({ kind: 'unix', path }, on);
    await expect(open(`/${'x'.repeat(107)}`)).rejects.toThrow(/108 bytes.*may have 107: shorten it/);
    await expect(open('C:\\csi\\csi.sock')).rejects.toThrow('that is a path of Windows');
    await expect(listen('unix:///no/such/folder/csi.sock')).rejects.toThrow(
      '/no/such/folder is not a folder',
    );
  });
});
