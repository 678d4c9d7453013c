import { mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type DriverProcess, startDriver } from '../../../src/app/demo/driver-process.ts';
import { ALL_PIPES, pipeName } from '../../../src/proxyapi/api-versions.ts';
import { pipesOf } from '../../../src/proxyapi/releases.ts';
import { connectCsi, type CsiClient } from '../../../src/rpc/csi-client.ts';
import { sleep } from '../../../src/util/sleep.ts';
import { builtDriver, driverFolder, runDriver } from '../../support/built-driver.ts';

let folder: string;
let remove: () => Promise<void>;
let running: DriverProcess[];
let client: CsiClient | undefined;

beforeEach(async () => {
  ({ folder, remove } = await driverFolder());
  await mkdir(join(folder, 'pipes'));
  running = [];
});

afterEach(async () => {
  client?.close();
  client = undefined;
  for (const driver of running) await driver.kill();
  await remove();
});

const common = (): Record<string, string> => ({
  'pipe-dir': join(folder, 'pipes'),
  'kubelet-path': `C:${join(folder, 'kubelet').replaceAll('/', '\\')}`,
  'attach-dir': join(folder, 'attach'),
  'node-id': 'node-1',
});

async function start(mode: 'proxy' | 'node', flags: Record<string, string>): Promise<DriverProcess> {
  const driver = await startDriver({
    program: [process.execPath, await builtDriver()],
    mode,
    flags: { ...common(), 'state-dir': join(folder, mode), ...flags },
    logFile: join(folder, `${mode}.log`),
  });
  running.push(driver);
  return driver;
}

const startProxy = (flags: Record<string, string> = {}): Promise<DriverProcess> =>
  start('proxy', { host: 'simulated', ...flags });

async function startNode(): Promise<CsiClient> {
  await start('node', { endpoint: `unix://${folder}/csi.sock`, host: 'proxy' });
  client = connectCsi(`unix://${folder}/csi.sock`);
  return client;
}

const sockets = (): Promise<string[]> => readdir(join(folder, 'pipes'));

async function isReady(csi: CsiClient): Promise<boolean> {
  const { ready } = await csi.identity.probe({});
  return ready?.value === true;
}

/** A node finds out within its back-off. */
async function untilReady(csi: CsiClient, wanted: boolean): Promise<void> {
  for (let tries = 0; (await isReady(csi)) !== wanted; tries++) {
    if (tries === 300) throw new Error(`the node did not become ${wanted ? 'ready' : 'not ready'}`);
    await sleep(100, new AbortController().signal);
  }
}

describe('the built driver in mode proxy', () => {
  it('serves every pipe on a socket of mode 0660, and on SIGTERM ends with code 0 and removes them', async () => {
    const proxy = await startProxy();
    expect((await sockets()).sort()).toEqual(ALL_PIPES.map((pipe) => `${pipeName(pipe)}.sock`).sort());
    const [first = ''] = await sockets();
    expect((await stat(join(folder, 'pipes', first))).mode & 0o777).toBe(0o660);
    await proxy.stop();
    expect(await sockets()).toEqual([]);
  });

  it('offers the pipes that it is asked to offer', async () => {
    await startProxy({ 'api-versions': '0.2.2,v1' });
    const offered = pipesOf('0.2.2,v1').map((pipe) => `${pipeName(pipe)}.sock`);
    expect((await sockets()).sort()).toEqual(offered.sort());
  });

  it('starts again over the sockets that SIGKILL left', async () => {
    const first = await startProxy();
    await first.kill();
    expect(await sockets()).not.toEqual([]);
    const second = await startProxy();
    await second.stop();
    expect(await sockets()).toEqual([]);
  });

  it.each([
    ['itself as its host', ['--host', 'proxy'], /--host proxy would have the proxy serve itself/],
    [
      'a version that never was',
      ['--api-versions', 'v3'],
      /"v3" is no release or version of CSI Proxy: use all, 0\.2\.2/,
    ],
  ])('refuses %s and says what it takes', async (_id, args, says) => {
    const { code, stderr } = await runDriver(['proxy', '--host', 'simulated', ...args]);
    expect(code).toBe(2);
    expect(stderr).toMatch(says);
  });
});

describe('the built driver in mode node behind a CSI Proxy', () => {
  it('law 10: starts and serves without one, says why it is not ready, and finds each one that comes', async () => {
    const csi = await startNode();
    expect(await csi.node.nodeGetInfo({})).toMatchObject({ node_id: 'node-1' });
    expect(await isReady(csi)).toBe(false);
    const proxy = await startProxy({ 'api-versions': '0.2.2' });
    await untilReady(csi, true);
    await proxy.stop();
    await untilReady(csi, false);
    await startProxy({ 'api-versions': '1.3' });
    await untilReady(csi, true);
    const node = running[0];
    const metrics = await node?.metrics();
    expect(metrics?.labelsOf('csi_ntfs_proxy_negotiated_version')).toContainEqual({
      group: 'disk',
      version: 'v1',
    });
    await node?.stop();
  }, 60_000);

  it('law 10: answers calls with UNAVAILABLE and what to do while no CSI Proxy is there', async () => {
    const csi = await startNode();
    const staging = join(folder, 'kubelet', 'globalmount');
    const call = csi.node.nodeUnstageVolume({ volume_id: 'vol-1', staging_target_path: staging });
    await expect(call).rejects.toMatchObject({
      code: 14,
      details: expect.stringMatching(
        /no CSI Proxy .*install or start the service csiproxy/,
      ) as unknown as string,
    });
  });
});
