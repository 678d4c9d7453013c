import { status } from '@grpc/grpc-js';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type DriverProcess, startDriver } from '../../../src/app/demo/driver-process.ts';
import { connectCsi, type CsiClient } from '../../../src/rpc/csi-client.ts';
import { builtDriver } from '../../support/built-driver.ts';
import { LocalDisks } from '../../support/local-disks.ts';
import { ProxyProcess } from './proxy-process.ts';

jest.setTimeout(90_000);

describe('a node without its CSI Proxy', () => {
  let disks: LocalDisks;
  let proxy: ProxyProcess;
  let node: DriverProcess;
  let client: CsiClient;

  beforeEach(async () => {
    disks = await LocalDisks.create();
    proxy = new ProxyProcess(disks);
    await mkdir(proxy.pipeDir);
    const endpoint = `unix://${join(disks.root, 'csi.sock')}`;
    node = await startDriver({
      program: [process.execPath, await builtDriver()],
      mode: 'node',
      logFile: join(disks.root, 'node.log'),
      flags: {
        endpoint,
        host: 'proxy',
        'pipe-dir': proxy.pipeDir,
        'node-id': 'node-1',
        'attach-dir': join(disks.root, 'attach'),
        'state-dir': join(disks.root, 'node-state'),
      },
    });
    client = connectCsi(endpoint, { timeoutSeconds: 20 });
  });

  afterEach(async () => {
    client.close();
    await node.kill();
    await proxy.kill();
    await disks.cleanup();
  });

  it('law 10: it is not ready and says why, lives on, and is ready when the proxy comes, goes and comes', async () => {
    expect(await isReady()).toBe(false);
    await expect(expectRefused()).resolves.toMatch(/csi-proxy-\w+-v1\.sock/);

    for (let lives = 0; lives < 2; lives += 1) {
      await proxy.start();
      await expect(untilReady(true)).resolves.toBe(true);
      await proxy.kill();
      await expect(untilReady(false)).resolves.toBe(false);
      await expectRefused();
    }
    await node.stop();
  });

  async function isReady(): Promise<boolean | undefined> {
    const { ready } = await client.identity.probe({});
    return ready?.value;
  }

  /** The text of what a call is refused with. */
  async function expectRefused(): Promise<string> {
    const volume = { volume_id: 'vol-0123456789abcdef0123456789abcdef' };
    const [outcome] = await Promise.allSettled([
      client.node.nodeUnstageVolume({ ...volume, staging_target_path: join(disks.root, 'globalmount') }),
    ]);
    const reason = (outcome as PromiseRejectedResult).reason as { code: status; details: string };
    expect(reason).toMatchObject({ code: status.UNAVAILABLE });
    return reason.details;
  }

  /** kubelet probes again and again. */
  async function untilReady(wanted: boolean): Promise<boolean | undefined> {
    for (let tries = 0; tries < 100; tries += 1) {
      if ((await isReady()) === wanted) return wanted;
      await wait(100);
    }
    return isReady();
  }
});
