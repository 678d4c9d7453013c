import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { describe, expect, it } from '@jest/globals';
import { runDriver } from '../../support/built-driver.ts';
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

describe('demo on the simulated host', () => {
  it('walks a volume through its life as any user and leaves nothing', async () => {
    const stdout = await expectWholeLife(['--host', 'simulated'], /^Host layer: simulated/);
    expect(stdout).toMatch(/files in the restored volume .* equal/);
  }, 60_000);
});

describeWhere(LINUX_HOST, 'demo on the linux host', () => {
  it('takes the snapshot of the attached volume on an xfs pool', async () => {
    const stdout = await expectWholeLife([], /^Host layer: linux/);
    expect(stdout).toMatch(/CreateSnapshot, attached .* instant/);
  }, 60_000);

  it('takes the snapshot of the detached volume on a plain pool', async () => {
    const stdout = await expectWholeLife(['--pool', 'plain'], /^Host layer: linux/);
    expect(stdout).toMatch(/CreateSnapshot, detached/);
  }, 60_000);
});
