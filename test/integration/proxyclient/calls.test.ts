import { afterEach, describe, expect, it } from '@jest/globals';
import { StorageError } from '../../../src/core/errors.ts';
import { asDiskNumber, hostVolumeIdOf } from '../../../src/core/ids.ts';
import type { ApiGroup, ApiVersion, Pipe } from '../../../src/proxyapi/api-versions.ts';
import { heldAnswer, servePipes } from '../../support/pipe-server.ts';
import { withProxyClient } from '../../support/proxy-client.ts';

const signal = new AbortController().signal;
const VOLUME = hostVolumeIdOf('6c1f3c4e-0000-4000-8000-000000000001');
const at = (version: ApiVersion, ...groups: ApiGroup[]): Pipe[] =>
  groups.map((group) => ({ group, version }));

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

const serve: typeof servePipes = async (...args) => {
  const server = await servePipes(...args);
  ends.push(server.kill);
  return server;
};

async function failure(call: Promise<unknown>): Promise<StorageError> {
  const answer = await call.catch((error: unknown) => error);
  expect(answer).toBeInstanceOf(StorageError);
  return answer as StorageError;
}

/** False while the promise is pending, looked at after everything that can happen has happened. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  const pause = new Promise((go) => setTimeout(go, 50, 'pending'));
  return (await Promise.race([promise.then(String, String), pause])) !== 'pending';
}

describe('calls through CSI Proxy', () => {
  it('50 at once never exceed the limit, and all are answered in the order they came', async () => {
    await withProxyClient({ concurrency: 3 }, async ({ host, pipeDir }) => {
      let now = 0;
      let most = 0;
      const order: string[] = [];
      await serve(pipeDir, at('v1', 'filesystem'), {
        PathExists: async (request) => {
          now += 1;
          most = Math.max(most, now);
          order.push((request as { path: string }).path);
          await new Promise((go) => setTimeout(go, 5));
          now -= 1;
          return { exists: true };
        },
      });
      const paths = Array.from({ length: 50 }, (_, index) => `/p/${index}`);
      const answers = await Promise.all(paths.map((path) => host.files.pathExists(path, signal)));
      expect(answers).toEqual(paths.map(() => true));
      expect(most).toBe(3);
      expect(order).toEqual(paths.map((path) => `C:${path.replaceAll('/', '\\')}`));
    });
  });

  it('say what was tried and what the server said on one line, and decide nothing on it', async () => {
    await withProxyClient({}, async ({ host, pipeDir, observer }) => {
      await serve(pipeDir, at('v1beta2', 'volume'), {
        MountVolume: () => Promise.reject(new Error(`Get-Item\r\n\tnot found ${'x'.repeat(2000)}`)),
      });
      const error = await failure(host.volumes.mountVolume(VOLUME, '/var/lib/kubelet/x', signal));
      expect(error.code).toBe('internal');
      expect(error.message).toContain(
        `MountVolume of ${VOLUME}, C:\\var\\lib\\kubelet\\x through CSI Proxy (volume v1beta2) failed: Error: Get-Item not found xxx`,
      );
      expect(error.message.length).toBeLessThan(700);
      expect(observer.calls).toEqual(['volume v1beta2 MountVolume UNKNOWN']);
    });
  });

  it('law 9: a secret that the server quotes is in no error, cause or line of log', async () => {
    await withProxyClient({}, async ({ host, pipeDir, log }) => {
      await serve(pipeDir, [...at('v1', 'smb'), ...at('v1alpha2', 'iscsi')], {
        NewSmbGlobalMapping: (request) => Promise.reject(new Error(`cmd: ${JSON.stringify(request)}`)),
        ConnectTarget: (request) => Promise.reject(new Error(`cmd: ${JSON.stringify(request)}`)),
        SetMutualChapSecret: (request) => Promise.reject(new Error(`cmd: ${JSON.stringify(request)}`)),
      });
      const secret = 'hunter"2\'s\\12';
      const mapping = { remotePath: '\\\\host\\share', localPath: '', username: 'bob', password: secret };
      const chap = { type: 'one-way-chap', username: 'bob', secret } as const;
      const errors = await Promise.all([
        failure(host.smb.newSmbGlobalMapping(mapping, signal)),
        failure(host.iscsi.connectTarget({ address: '10.0.0.1', port: 0 }, 'iqn.x', chap, signal)),
        failure(host.iscsi.setMutualChapSecret(secret, signal)),
      ]);
      const told =
        errors.map((error) => `${error.message} ${String(error.cause)}`).join() + JSON.stringify(log.lines);
      expect(told).not.toContain('hunter');
      expect(errors.map(({ message }) => message).join()).toContain('***');
    });
  });

  it('UNIMPLEMENTED: negotiates anew and asks once more', async () => {
    await withProxyClient({}, async ({ host, pipeDir, observer }) => {
      await serve(pipeDir, at('v1', 'disk'), { ListDiskIDs: () => ({ diskIDs: {} }) });
      const error = await failure(host.disks.setDiskState(asDiskNumber(1), true, signal));
      expect(error.code).toBe('unimplemented');
      expect(observer.calls).toEqual([
        'disk v1 SetDiskState UNIMPLEMENTED',
        'disk v1 SetDiskState UNIMPLEMENTED',
      ]);
      expect(observer.versions).toEqual(['disk v1', 'disk -', 'disk v1', 'disk -']);
      expect(await host.disks.listDiskIds(signal)).toEqual(new Map());
    });
  });

  it('what a version cannot do is unimplemented, with what that costs', async () => {
    await withProxyClient({}, async ({ host, pipeDir }) => {
      await serve(pipeDir, at('v1alpha1', 'disk', 'volume'));
      const error = await failure(host.disks.setDiskState(asDiskNumber(1), true, signal));
      expect(error.code).toBe('unimplemented');
      expect(error.message).toContain('SAN policy');
      expect(await host.capabilities(signal)).toEqual({
        kind: 'proxy',
        diskIds: false,
        diskState: false,
        volumeStats: false,
        targetPathLookup: false,
        localStat: false,
      });
    });
  });

  it('an answer that means nothing is the fault of the server', async () => {
    await withProxyClient({}, async ({ host, pipeDir }) => {
      await serve(pipeDir, at('v1', 'volume'), { GetVolumeIDFromTargetPath: () => ({ volume_id: 'D:' }) });
      const error = await failure(host.volumes.getVolumeIdFromTargetPath('/x', signal));
      expect(error.code).toBe('internal');
    });
  });

  it('a path that Windows has not is refused before anything is asked', async () => {
    await withProxyClient({}, async ({ host, pipeDir }) => {
      const server = await serve(pipeDir, at('v1', 'filesystem'), { Mkdir: () => ({}) });
      expect(await failure(host.files.mkdir('/a/../b', signal))).toMatchObject({ code: 'invalid-argument' });
      expect(server.asked).toEqual([]);
    });
  });

  it('the two rpcs that exist nowhere else go to v2alpha1, and are unimplemented without it', async () => {
    await withProxyClient({}, async ({ host }) => {
      expect(await failure(host.files.rmdirContents('/x', signal))).toMatchObject({ code: 'unavailable' });
    });
    await withProxyClient({}, async ({ host, pipeDir, observer }) => {
      const pipes = [...at('v1', 'filesystem', 'volume'), ...at('v2alpha1', 'filesystem')];
      const server = await serve(pipeDir, pipes, { RmdirContents: () => ({}), Mkdir: () => ({}) });
      await host.files.rmdirContents('/x', signal);
      await host.files.mkdir('/x', signal);
      expect(server.asked).toEqual(['filesystem v2alpha1 RmdirContents', 'filesystem v1 Mkdir']);
      expect(observer.versions).toEqual(['filesystem v1']);
      const error = await failure(host.volumes.getClosestVolumeIdFromTargetPath('/x', signal));
      expect(error.code).toBe('unimplemented');
      expect(error.message).toContain('v2alpha1');
    });
  });

  it('servers before 1.0 hear which root of the kubelet a path is below', async () => {
    await withProxyClient({ kubeletPath: '/srv/kubelet' }, async ({ host, pipeDir }) => {
      const contexts: unknown[] = [];
      await serve(pipeDir, at('v1beta1', 'filesystem'), {
        Mkdir: (request) => (contexts.push((request as { context: string }).context), { error: '' }),
      });
      await host.files.mkdir('/srv/kubelet/pods/1/volumes', signal);
      await host.files.mkdir('/srv/kubelet/plugins/kubernetes.io', signal);
      expect(contexts).toEqual(['POD', 'PLUGIN']);
    });
  });
});

describe('rmdir without force', () => {
  it('law 4: removes no plain file, which CSI Proxy would', async () => {
    const seen: string[] = [];
    const isPlainFile = (path: string): Promise<boolean> => (
      seen.push(path),
      Promise.resolve(path === '/a/file')
    );
    await withProxyClient({ deps: { isPlainFile } }, async ({ host, pipeDir }) => {
      const server = await serve(pipeDir, at('v1', 'filesystem'), { Rmdir: () => ({}) });
      const error = await failure(host.files.rmdir('/a/file', false, signal));
      expect(error.code).toBe('failed-precondition');
      expect(server.asked).toEqual([]);
      await host.files.rmdir('/a/dir', false, signal);
      await host.files.rmdir('/a/file', true, signal);
      expect(server.asked).toHaveLength(2);
      expect(seen).toEqual(['/a/file', '/a/dir']);
    });
  });
});

describe('a disk by its page 83 id', () => {
  it('is asked of the oldest version, and found in the table of ids of the others', async () => {
    await withProxyClient({}, async ({ host, pipeDir }) => {
      const server = await serve(pipeDir, at('v1alpha1', 'disk'), {
        GetDiskNumberByName: () => ({ disk_number: '4' }),
      });
      expect(await host.disks.getDiskNumberByPage83('naa.1', signal)).toBe(4);
      expect(server.asked).toEqual(['disk v1alpha1 GetDiskNumberByName']);
    });
    await withProxyClient({}, async ({ host, pipeDir }) => {
      const server = await serve(pipeDir, at('v1', 'disk'), {
        ListDiskIDs: () => ({
          diskIDs: { 4: { page83: 'naa.1', serial_number: '' }, 5: { page83: 'naa.12', serial_number: '' } },
        }),
      });
      expect(await host.disks.getDiskNumberByPage83('naa.1', signal)).toBe(4);
      expect(await failure(host.disks.getDiskNumberByPage83('naa', signal))).toMatchObject({
        code: 'not-found',
      });
      expect(server.asked).toEqual(['disk v1 ListDiskIDs', 'disk v1 ListDiskIDs']);
    });
  });
});

describe('deadlines', () => {
  it('a read that outlives its class is given up, and its slot is free', async () => {
    await withProxyClient({ concurrency: 1, readTimeoutSeconds: 0.1 }, async ({ host, pipeDir }) => {
      await serve(pipeDir, at('v1', 'disk'), {
        GetDiskState: heldAnswer().answer,
        ListDiskIDs: () => ({ diskIDs: {} }),
      });
      const error = await failure(host.disks.getDiskState(asDiskNumber(1), signal));
      expect(error.code).toBe('deadline-exceeded');
      expect(error.message).toContain('within 0.1 s');
      expect(await host.disks.listDiskIds(signal)).toEqual(new Map());
    });
  });

  it('law 6: a change that outlives its class keeps its caller, and its lock, until the server has ended; others go on', async () => {
    await withProxyClient({ concurrency: 1, storageTimeoutSeconds: 0.1 }, async ({ host, pipeDir, log }) => {
      const held = heldAnswer();
      await serve(pipeDir, at('v1', 'volume'), {
        FormatVolume: held.answer,
        IsVolumeFormatted: () => ({ formatted: true }),
      });
      const format = host.volumes.formatVolume(VOLUME, signal);
      await held.asked;
      expect(await host.volumes.isVolumeFormatted(VOLUME, signal)).toBe(true);
      expect(log.lines.filter(({ level }) => level === 'warn')).toMatchObject([
        { message: 'a change through CSI Proxy is overdue', fields: { rpc: 'FormatVolume' } },
      ]);
      expect(await isSettled(format)).toBe(false);
      held.finish();
      await format;
      expect(log.lines.at(-1)).toMatchObject({
        message: 'the overdue change has ended',
        fields: { rpc: 'FormatVolume', code: 'OK' },
      });
    });
  });

  it('law 6: a caller who goes does not end a change that has begun, and its promise stays pending', async () => {
    await withProxyClient({}, async ({ host, pipeDir, observer }) => {
      const held = heldAnswer();
      await serve(pipeDir, at('v1', 'volume'), { FormatVolume: held.answer });
      const caller = new AbortController();
      const format = host.volumes.formatVolume(VOLUME, caller.signal);
      await held.asked;
      caller.abort();
      expect(await isSettled(format)).toBe(false);
      held.finish();
      await format;
      expect(observer.calls).toEqual(['volume v1 FormatVolume OK']);
    });
  });

  it('law 6: a change whose connection is lost ends with an unknown outcome, and is not repeated', async () => {
    await withProxyClient({}, async ({ host, pipeDir }) => {
      const held = heldAnswer();
      const server = await serve(pipeDir, at('v1', 'volume'), { FormatVolume: held.answer });
      const format = failure(host.volumes.formatVolume(VOLUME, signal));
      await held.asked;
      server.kill();
      const { code, message } = await format;
      expect(code).toBe('unavailable');
      expect(message).toMatch(/FormatVolume .* whether it was done is not known/);
      expect(server.asked).toHaveLength(1);
      held.finish();
    });
  });
});

describe('a caller who goes', () => {
  it('is cancelled in a read, and before a change has begun, which then never begins', async () => {
    await withProxyClient({ concurrency: 1 }, async ({ host, pipeDir }) => {
      const held = heldAnswer();
      const server = await serve(pipeDir, at('v1', 'disk'), {
        GetDiskState: held.answer,
        Rescan: () => ({}),
      });
      const caller = new AbortController();
      const read = failure(host.disks.getDiskState(asDiskNumber(1), caller.signal));
      await held.asked;
      const change = failure(host.disks.partitionDisk(asDiskNumber(1), caller.signal));
      caller.abort();
      expect((await read).code).toBe('cancelled');
      expect((await change).code).toBe('cancelled');
      expect(await failure(host.disks.rescan(caller.signal))).toMatchObject({ code: 'cancelled' });
      await host.disks.rescan(signal);
      expect(server.asked).toEqual(['disk v1 GetDiskState', 'disk v1 Rescan']);
    });
  });
});

describe('ListDiskIDs', () => {
  it('law 2: is shared only by those who asked before it began', async () => {
    await withProxyClient({}, async ({ host, pipeDir }) => {
      const first = heldAnswer();
      let runs = 0;
      await serve(pipeDir, at('v1', 'disk'), {
        ListDiskIDs: async (request) => {
          runs += 1;
          const run = runs;
          if (run === 1) await first.answer(request);
          return { diskIDs: { [run]: { page83: '', serial_number: '' } } };
        },
      });
      const early = [host.disks.listDiskIds(signal), host.disks.listDiskIds(signal)];
      await first.asked;
      const late = Array.from({ length: 10 }, () => host.disks.listDiskIds(signal));
      first.finish();
      const disks = async (answers: Promise<ReadonlyMap<number, unknown>>[]): Promise<number[]> =>
        (await Promise.all(answers)).flatMap((table) => [...table.keys()]);
      expect(await disks(early)).toEqual([1, 1]);
      expect(await disks(late)).toEqual(Array<number>(10).fill(2));
      expect(runs).toBe(2);
    });
  });
});

describe('law 10: absent is not broken', () => {
  it('not ready with what is missing and what to do, calls are unavailable, and all is well when it comes', async () => {
    let now = 0;
    await withProxyClient({ deps: { now: () => now } }, async ({ host, pipeDir, log }) => {
      await serve(pipeDir, at('v1', 'filesystem'));
      const readiness = await host.readiness(signal);
      expect(readiness).toMatchObject({ ready: false });
      expect(readiness).toHaveProperty(
        'reason',
        expect.stringContaining(`${pipeDir}/csi-proxy-disk-v1.sock`),
      );
      expect(readiness).toHaveProperty('reason', expect.stringContaining('volume API'));
      expect(readiness).toHaveProperty('reason', expect.not.stringContaining('filesystem API'));
      expect(readiness).toHaveProperty('mend', expect.stringMatching(/csiproxy.*DaemonSet.*hostPath/));
      expect(await failure(host.disks.listDiskIds(signal))).toMatchObject({ code: 'unavailable' });
      expect(await failure(host.capabilities(signal))).toMatchObject({ code: 'unavailable' });
      await serve(pipeDir, at('v1beta1', 'disk', 'volume'));
      expect(await host.readiness(signal)).toMatchObject({ ready: false });
      now = 10_000;
      expect(await host.readiness(signal)).toEqual({ ready: true });
      expect([...host.negotiated()].filter(([, version]) => version !== undefined)).toEqual([
        ['disk', 'v1beta1'],
        ['volume', 'v1beta1'],
        ['filesystem', 'v1'],
      ]);
      expect(log.lines.filter(({ level }) => level === 'warn')).toHaveLength(2);
    });
  });

  it('a closed client says so', async () => {
    await withProxyClient({}, async ({ host, pipeDir }) => {
      await serve(pipeDir, at('v1', 'disk'), { Rescan: () => ({}) });
      await host.disks.rescan(signal);
      host.close();
      expect(await failure(host.disks.rescan(signal))).toMatchObject({ code: 'unavailable' });
    });
  });
});
