import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, open, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type DriverProcess, startDriver } from '../../../src/app/demo/driver-process.ts';
import { connectCsi, type CsiClient } from '../../../src/rpc/csi-client.ts';
import { builtDriver, driverFolder, runDriver } from '../../support/built-driver.ts';

let folder: string;
let remove: () => Promise<void>;
let driver: DriverProcess | undefined;
let client: CsiClient | undefined;

beforeEach(async () => {
  ({ folder, remove } = await driverFolder());
});

afterEach(async () => {
  client?.close();
  await driver?.kill();
  driver = undefined;
  client = undefined;
  await remove();
});

const flags = (): Record<string, string> => ({
  endpoint: `unix://${folder}/csi.sock`,
  host: 'simulated',
  'node-id': 'node-1',
  'pool-dir': join(folder, 'pool'),
  'attach-dir': join(folder, 'attach'),
  'state-dir': join(folder, 'state'),
});

async function start(extra: Record<string, string> = {}): Promise<CsiClient> {
  driver = await startDriver({
    program: [process.execPath, await builtDriver()],
    mode: 'all',
    flags: { ...flags(), ...extra },
    logFile: join(folder, 'driver.log'),
  });
  client = connectCsi(`unix://${folder}/csi.sock`);
  return client;
}

const logText = (): Promise<string> => readFile(join(folder, 'driver.log'), 'utf8');

describe('the built driver in mode all', () => {
  it('is ready, says who it is, and serves three services on a socket of mode 0660', async () => {
    const csi = await start();
    expect(await csi.identity.probe({})).toEqual({ ready: { value: true } });
    expect(await csi.identity.getPluginInfo({})).toMatchObject({
      name: 'ntfs.csi.io',
      vendor_version: '0.1.0',
    });
    expect(await csi.node.nodeGetInfo({})).toMatchObject({
      node_id: 'node-1',
      max_volumes_per_node: '256',
      accessible_topology: { segments: { 'topology.ntfs.csi.io/zone': 'local' } },
    });
    expect((await stat(join(folder, 'csi.sock'))).mode & 0o777).toBe(0o660);
  });

  it('ends with code 0 on SIGTERM, removes its socket and says that it stopped', async () => {
    await start();
    await driver?.stop();
    driver = undefined;
    await expect(stat(join(folder, 'csi.sock'))).rejects.toThrow('ENOENT');
    expect(await logText()).toContain('"msg":"stopped"');
  });

  it('starts again over the stale socket that SIGKILL left', async () => {
    await start();
    client?.close();
    await driver?.kill();
    const csi = await start();
    expect(await csi.identity.probe({})).toEqual({ ready: { value: true } });
  });

  it('serves health, readiness and metrics with the version in them', async () => {
    await start();
    const url = /"url":"(http:[^"]+)"/.exec(await logText())?.[1] ?? '';
    expect(await (await fetch(`${url}/healthz`)).text()).toBe('alive\n');
    expect(await (await fetch(`${url}/readyz`)).text()).toBe('ready\n');
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toMatch(
      /csi_ntfs_build_info\{version="0\.1\.0",commit="\w+",mode="all",host="simulated"\} 1/,
    );
  });

  it('refuses a pool that another controller has, and says who has it', async () => {
    await start();
    const { code, stderr } = await runDriver([
      'controller',
      ...['--endpoint', `unix://${folder}/other.sock`],
      ...['--pool-dir', join(folder, 'pool')],
      ...['--attach-dir', join(folder, 'attach')],
    ]);
    expect(code).toBe(1);
    expect(stderr).toContain(String(driver?.pid));
  });

  it('ends with code 1 when it cannot listen, although it serves metrics already', async () => {
    const { code, stderr } = await runDriver([
      'controller',
      ...['--endpoint', `unix://${folder}/missing/csi.sock`],
      ...['--http-endpoint', '127.0.0.1:0'],
      ...['--pool-dir', join(folder, 'pool')],
      ...['--attach-dir', join(folder, 'attach')],
    ]);
    expect(stderr).toContain('DirectoryOrCreate');
    expect(code).toBe(1);
  });

  it('stops cleanly on a SIGTERM that comes while it still starts', async () => {
    const tools = join(folder, 'tools');
    await mkdir(tools);
    await writeFile(join(tools, 'flock'), '#!/bin/sh\nkill -TERM $PPID\nexec /usr/bin/flock "$@"\n');
    await chmod(join(tools, 'flock'), 0o755);
    const { code, stdout } = await runDriver(
      [
        'controller',
        ...['--endpoint', `unix://${folder}/csi.sock`],
        ...['--pool-dir', join(folder, 'pool')],
        ...['--attach-dir', join(folder, 'attach')],
      ],
      { PATH: `${tools}:${process.env['PATH'] ?? ''}` },
    );
    expect(code).toBe(0);
    expect(stdout).toContain('"msg":"stopped"');
    await expect(stat(join(folder, 'csi.sock'))).rejects.toThrow('ENOENT');
  });

  it('works on when its log cannot be written', async () => {
    const full = await open('/dev/full', 'w');
    const child = spawn(
      process.execPath,
      [
        await builtDriver(),
        'controller',
        ...['--endpoint', `unix://${folder}/csi.sock`],
        ...['--pool-dir', join(folder, 'pool')],
        ...['--attach-dir', join(folder, 'attach')],
      ],
      { stdio: ['ignore', full.fd, 'ignore'] },
    );
    const ended = once(child, 'exit');
    client = connectCsi(`unix://${folder}/csi.sock`);
    try {
      await client.ready(10);
      expect(await client.identity.probe({})).toEqual({ ready: { value: true } });
    } finally {
      child.kill('SIGKILL');
      await ended;
      await full.close();
    }
  });

  it('takes flags from the environment, and the command line wins', async () => {
    const { code, stderr } = await runDriver(['node', '--host', 'simulated'], {
      CSI_NTFS_STATE_DIR: 'relative',
    });
    expect(code).toBe(2);
    expect(stderr).toMatch(/--state-dir \(or CSI_NTFS_STATE_DIR\): expected an absolute path/);
  });
});
