import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { findLeftovers, removeLeftovers } from '../../../src/app/demo/leftovers.ts';
import { builtDriver, driverFolder, runDriver } from '../../support/built-driver.ts';
import { describeWhere, LINUX_HOST } from '../../support/requires.ts';

const demoFolders = async (): Promise<string[]> =>
  (await readdir(tmpdir())).filter((name) => name.startsWith('csi-ntfs-demo-'));

async function expectWholeLife(args: readonly string[], firstLine: RegExp): Promise<string> {
  const before = await demoFolders();
  const { code, stdout, stderr } = await runDriver(['demo', ...args], { HOME: '/root' });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(firstLine);
  expect(stdout).toContain('Every check held.');
  expect(stdout).not.toContain('✘');
  expect(await demoFolders()).toEqual(before);
  return stdout;
}

/** Process ids whose command line names the folder. */
async function processesOver(folder: string): Promise<string[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')));
  return ids.filter((_id, index) => lines[index]?.includes(folder));
}

/** Sends SIGTERM to the demo alone, not to its children, when it has printed a text; nothing may be left. */
async function expectCleanInterrupt(args: readonly string[], when: string): Promise<void> {
  const { folder, remove } = await driverFolder();
  const real = join(folder, 'a folder');
  const link = join(folder, 'link');
  await mkdir(real);
  await symlink(real, link);
  const child = spawn(process.execPath, [await builtDriver(), 'demo', ...args], {
    env: { PATH: process.env['PATH'], TMPDIR: link },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  try {
    let stdout = '';
    child.stdout.on('data', (chunk: Buffer) => {
      const before = stdout.includes(when);
      stdout += chunk.toString();
      if (!before && stdout.includes(when)) child.kill('SIGTERM');
    });
    const [code] = (await closed) as [number | null];
    expect({ code, left: await readdir(real) }).toEqual({ code: 143, left: [] });
    expect(await findLeftovers(real)).toEqual({ mounts: [], loops: [] });
    expect(await processesOver(folder)).toEqual([]);
    expect(stdout).toContain('SIGTERM: the demo ends.');
  } finally {
    child.kill('SIGKILL');
    for (const id of await processesOver(folder)) process.kill(Number(id), 'SIGKILL');
    await removeLeftovers(real);
    await remove();
  }
}

/** While its processes start, and at work. */
const MOMENTS = ['Pool:', '✔ NodePublishVolume'];

describe('demo on the simulated host', () => {
  it('walks a volume through its life as any user and leaves nothing', async () => {
    const stdout = await expectWholeLife(['--host', 'simulated'], /^Host layer: simulated/);
    expect(stdout).toMatch(/files in the restored volume .* equal/);
  }, 60_000);

  it('law 10: goes on over a CSI Proxy that is killed and started again under a staged volume', async () => {
    const stdout = await expectWholeLife(['--host', 'simulated'], /^Host layer: simulated/);
    expect(stdout).toMatch(/✔ SIGKILL the proxy .* the node is not ready, the pod reads on/);
    expect(stdout).toMatch(/✔ start the proxy again .* the node is ready, without a restart/);
  }, 60_000);

  it.each([
    ['v1', /disk v1, volume v1, filesystem v1/, 'disk offline'],
    ['v1beta1', /disk v1beta1, volume v1beta1, filesystem v1beta1/, 'disk v1beta1 cannot take it offline'],
    ['v1alpha1', /disk v1alpha1, volume v1alpha1, filesystem v1alpha1/, 'volume v1alpha1 has no statistics'],
  ])(
    'does the same with %s of the API, and says what that cannot do',
    async (version, agreed, says) => {
      const args = ['--host', 'simulated', '--api-version', version];
      const stdout = await expectWholeLife(args, /^Host layer: simulated/);
      expect(stdout).toMatch(agreed);
      expect(stdout).toContain(says);
      expect(stdout).toMatch(/✔ NodeStage, blank disk +\d of 9\n✔ NodeStage, formatted disk/);
    },
    60_000,
  );

  it('says which versions there are when it is asked for another', async () => {
    const { code, stderr } = await runDriver(['demo', '--host', 'simulated', '--api-version', '2.0']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/"2\.0" is no release or version of CSI Proxy: use all, 0\.2\.2/);
  });

  it.each(MOMENTS)(
    'leaves nothing when it is interrupted at "%s"',
    async (moment) => {
      await expectCleanInterrupt(['--host', 'simulated'], moment);
    },
    60_000,
  );

  it('says what to do when there is no folder for temporary files', async () => {
    const { code, stderr } = await runDriver(['demo', '--host', 'simulated'], { TMPDIR: '/nonexistent' });
    expect(code).toBe(1);
    expect(stderr).toMatch(/cannot make a folder for the demo in \/nonexistent \(TMPDIR names another\)/);
  });
});

describeWhere(LINUX_HOST, 'demo on the linux host', () => {
  it('takes the snapshot of the attached volume on an xfs pool', async () => {
    const stdout = await expectWholeLife([], /^Host layer: linux/);
    expect(stdout).toMatch(/CreateSnapshot, attached .* instant/);
  }, 60_000);

  it('leaves nothing of disks that nobody can take offline, as with v1beta1', async () => {
    const stdout = await expectWholeLife(['--api-version', 'v1beta1'], /^Host layer: linux/);
    expect(stdout).toContain('the disk stays online: disk v1beta1 cannot take it offline');
  }, 60_000);

  it('takes the snapshot of the detached volume on a plain pool', async () => {
    const stdout = await expectWholeLife(['--pool', 'plain'], /^Host layer: linux/);
    expect(stdout).toMatch(/CreateSnapshot, detached/);
  }, 60_000);

  it.each(MOMENTS)(
    'leaves nothing when it is interrupted at "%s"',
    async (moment) => {
      await expectCleanInterrupt([], moment);
    },
    60_000,
  );
});
