import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { connectCsi } from '../../src/rpc/csi-client.ts';

const EXECUTABLE = resolve('dist', 'csi-driver-ntfs');
const READY_SECONDS = 10;

/** The same executable for Linux, away from every package: here its koffi serves the unix socket that Wine has not. */
export async function linuxExecutable(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'csi-ntfs-exe-'));
  const temporary = join(folder, 'tmp');
  await mkdir(temporary);
  const endpoint = `unix://${folder}/csi.sock`;
  const driver = spawn(
    EXECUTABLE,
    [
      ...['node', '--host', 'simulated', '--socket-backend', 'reactor', '--endpoint', endpoint],
      ...['--attach-dir', join(folder, 'attach'), '--state-dir', join(folder, 'state'), '--node-id', 'linux'],
    ],
    { cwd: folder, env: { TMPDIR: temporary }, stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const ended = once(driver, 'close');
  try {
    await requireReady(endpoint);
    assert.deepEqual(await readdir(temporary), [], 'it left files in TMPDIR');
    driver.kill('SIGTERM');
    const [code] = (await ended) as [number | null];
    assert.equal(code, 0, 'it did not end well on SIGTERM');
    return 'Probe ready, nothing left in TMPDIR, ends with 0 on SIGTERM';
  } finally {
    driver.kill('SIGKILL');
    await ended;
    await rm(folder, { recursive: true, force: true });
  }
}

async function requireReady(endpoint: string): Promise<void> {
  const client = connectCsi(endpoint);
  try {
    await client.ready(READY_SECONDS);
    const { ready } = await client.identity.probe({});
    assert.equal(ready?.value, true, 'Probe says that it is not ready');
  } finally {
    client.close();
  }
}
