import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type DriverProcess, startDriver } from '../../../src/app/demo/driver-process.ts';
import { builtDriver, driverFolder, type Finished, runDriver } from '../../support/built-driver.ts';

let folder: string;
let remove: () => Promise<void>;
let proxy: DriverProcess | undefined;

beforeEach(async () => {
  ({ folder, remove } = await driverFolder());
  await mkdir(join(folder, 'pipes'));
});

afterEach(async () => {
  await proxy?.kill();
  proxy = undefined;
  await remove();
});

async function startProxy(apiVersions: string): Promise<void> {
  proxy = await startDriver({
    program: [process.execPath, await builtDriver()],
    mode: 'proxy',
    flags: {
      host: 'simulated',
      'pipe-dir': join(folder, 'pipes'),
      'api-versions': apiVersions,
      'attach-dir': join(folder, 'attach'),
      'state-dir': join(folder, 'proxy'),
      'node-id': 'node-1',
    },
    logFile: join(folder, 'proxy.log'),
  });
}

const doctor = (...args: readonly string[]): Promise<Finished> =>
  runDriver([
    'doctor',
    ...['--host', 'simulated'],
    ...['--endpoint', `unix://${folder}/csi.sock`],
    ...['--pool-dir', join(folder, 'pool')],
    ...['--attach-dir', join(folder, 'attach')],
    ...['--state-dir', join(folder, 'state')],
    ...['--pipe-dir', join(folder, 'pipes')],
    ...args,
  ]);

describe('doctor at the pipes of a CSI Proxy', () => {
  it('finds all that 1.3 offers, uses the newest, and nothing lost', async () => {
    await startProxy('1.3');
    const { code, stdout } = await doctor();
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /✔ disk API +v1 is used, out of v1, v1beta3, v1beta2, v1beta1, v1alpha1; handshake \d+\.\d ms/,
    );
    expect(stdout).toMatch(/✔ volume API +v1 is used, out of v2alpha1, v1,/);
    expect(stdout).toMatch(/✔ iscsi API +v1alpha2 is used/);
    expect(stdout).toMatch(/✔ CSI Proxy +looks like csi-proxy 1\.1 or newer: their pipes are the same/);
    expect(stdout).not.toMatch(/· \w+ API/);
  });

  it('says the same of 1.1, whose pipes are the same', async () => {
    await startProxy('1.1');
    const { code, stdout } = await doctor('--host', 'proxy');
    expect(code).toBe(0);
    expect(stdout).toMatch(/host +proxy: a CSI Proxy does the work/);
    expect(stdout).toMatch(/✔ filesystem API v1 is used, out of v2alpha1, v1, v1beta2, v1beta1, v1alpha1/);
  });

  it('says in plain words what is lost with 0.2.2', async () => {
    await startProxy('0.2.2');
    const { code, stdout } = await doctor();
    expect(code).toBe(0);
    expect(stdout).toMatch(/✔ disk API +v1beta2 is used, out of v1beta2, v1beta1, v1alpha1/);
    expect(stdout).toMatch(/✔ filesystem API v1beta1 is used/);
    expect(stdout).toMatch(/✔ CSI Proxy +looks like csi-proxy 0\.2\.2\n +→ .*1\.1 or newer/);
    expect(stdout).toMatch(/· disk API +without v1, v1beta3: that costs nothing this driver needs/);
    expect(stdout).toMatch(/· volume API +without v2alpha1, v1, v1beta3: that costs nothing/);
    expect(stdout).toMatch(/· filesystem API without v2alpha1, v1, v1beta2: that costs nothing/);
    expect(stdout).toMatch(/· iscsi API +without v1alpha2, which costs:\n· iscsi API +– mutual CHAP needs/);
    expect(stdout).not.toMatch(/· system API/);
  });

  it('says of 1.0 that only its extensions are missing, and that it costs nothing', async () => {
    await startProxy('1.0');
    const { stdout } = await doctor();
    expect(stdout).toMatch(/✔ CSI Proxy +looks like csi-proxy 1\.0\n✔/);
    expect(stdout.match(/· \w+ API .*/g)).toEqual([
      '· volume API     without v2alpha1: that costs nothing this driver needs',
      '· filesystem API without v2alpha1: that costs nothing this driver needs',
    ]);
  });

  it('says what is lost with the oldest versions', async () => {
    await startProxy('v1alpha1');
    const { stdout } = await doctor();
    expect(stdout).toMatch(/· CSI Proxy +like no release: only disk v1alpha1, volume v1alpha1, .*\n +→/);
    expect(stdout).toMatch(/· disk API +without v1, v1beta3, v1beta2, v1beta1, which costs:/);
    expect(stdout).toMatch(/· disk API +– a disk is found only by its page 83 id/);
    expect(stdout).toMatch(/· disk API +– .*SAN policy .* OnlineAll/);
  });

  it('reports pipes that nobody serves any more as none, with the mend', async () => {
    await startProxy('all');
    await proxy?.kill();
    const { code, stdout } = await doctor();
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /✘ CSI Proxy +no pipe of a CSI Proxy in .*pipes\n +→ install or start the service csiproxy/,
    );
  });

  it('reports a group that is missing and one whose pipe is silent', async () => {
    const silent = createServer();
    const path = join(folder, 'pipes', 'csi-proxy-disk-v1.sock');
    await new Promise<void>((resolve) => silent.listen(path, resolve));
    try {
      const { code, stdout } = await doctor();
      expect(code).toBe(1);
      expect(stdout).toMatch(
        /✘ disk API .*csi-proxy-disk-v1\.sock: .*said nothing.*\n +→ restart the service csiproxy/,
      );
      expect(stdout).toMatch(/✘ volume API +no usable pipe: no volume can be staged\n +→ mount the pipes/);
      expect(stdout).toMatch(/· smb API +not offered/);
    } finally {
      silent.close();
    }
  }, 60_000);
});
