import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { constants } from 'node:fs';
import { open, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { GIB, MIB } from '../../../src/core/capacity.ts';
import { encodeGpt } from '../../../src/core/gpt-codec.ts';
import { growBasicPartition } from '../../../src/core/gpt.ts';
import { readTable } from '../../../src/hosts/partition-table.ts';
import { Bench, SIGNAL } from '../../contract/host-storage/bench.ts';
import type { MountedVolume } from '../../contract/host-storage/bench.ts';
import { CrashingRun } from '../../support/crashing-run.ts';
import type { CrashPoint } from '../../support/crashing-run.ts';
import { leftoversBelow, removeLeftovers } from '../../support/linux-leftovers.ts';
import { linuxUnderTest } from '../../support/linux-under-test.ts';
import type { LinuxUnderTest } from '../../support/linux-under-test.ts';
import { describeWhere, LINUX_HOST } from '../../support/requires.ts';

const BEFORE = 256n * MIB;
const AFTER = 512n * MIB;
/** sync, umount, partx, ntfsresize, ntfsfix, mount; twice the first two and a bind mount when mounted at two places. */
const CRASH_POINTS: readonly CrashPoint[] = Array.from({ length: 9 }, (_, index) => index + 1).flatMap(
  (tool) => [
    { tool, when: 'before' },
    { tool, when: 'after' },
  ],
);

describeWhere(LINUX_HOST, 'growing a volume on the Linux host', () => {
  let linux: LinuxUnderTest;
  let bench: Bench;

  beforeEach(async () => {
    linux = await linuxUnderTest();
    bench = new Bench(linux);
  });

  afterEach(async () => {
    await bench.cleanup();
  });

  /** A mounted volume with data in it, on a disk that has grown and was rescanned. */
  async function grownDisk(): Promise<MountedVolume & { readonly sum: string }> {
    const mounted = await bench.mountedVolume(BEFORE);
    const data = randomBytes(8 * Number(MIB));
    await writeFile(join(mounted.path, 'data.bin'), data);
    await linux.growDisk(mounted.disk, AFTER);
    await bench.host.disks.rescan(SIGNAL);
    return { ...mounted, sum: sha256(data) };
  }

  async function expectGrown({ volume, path, sum }: MountedVolume & { readonly sum: string }): Promise<void> {
    expect(await bench.totalBytes(volume)).toBeGreaterThan(AFTER - 18n * MIB);
    expect(sha256(await readFile(join(path, 'data.bin')))).toBe(sum);
  }

  it('keeps every byte, and every place where the volume is mounted', async () => {
    const mounted = await grownDisk();
    const second = await bench.mount(mounted.volume);
    await bench.host.volumes.resizeVolume(mounted.volume, 0n, SIGNAL);
    await expectGrown(mounted);
    await expectGrown({ ...mounted, path: second });
    expect(leftoversBelow(linux.root).mounts).toHaveLength(2);
  });

  it('leaves a volume mounted that is in use, names who uses it, and grows it when it is not', async () => {
    const mounted = await grownDisk();
    const second = await bench.mount(mounted.volume);
    const sleeper = spawn('sleep', ['60'], { cwd: mounted.path });
    try {
      await expect(bench.host.volumes.resizeVolume(mounted.volume, 0n, SIGNAL)).rejects.toThrow(
        'in use by sleep',
      );
      expect([...leftoversBelow(linux.root).mounts].sort()).toEqual([mounted.path, second].sort());
    } finally {
      sleeper.kill('SIGKILL');
      await once(sleeper, 'exit');
    }
    await bench.host.volumes.resizeVolume(mounted.volume, 0n, SIGNAL);
    await expectGrown(mounted);
  });

  it('grows a file system that is smaller than its partition, as after a growth that was cut off', async () => {
    const mounted = await grownDisk();
    await bench.host.volumes.unmountVolume(mounted.volume, mounted.path, SIGNAL);
    const [loop = ''] = leftoversBelow(linux.root).loops;
    const state = await readTable(loop, AFTER);
    if (state.kind !== 'gpt') throw new Error('the disk has lost its table');
    const { primary, backup, backupOffset } = encodeGpt(growBasicPartition(state.gpt, AFTER), AFTER);
    const device = await open(loop, 'r+');
    await device.write(backup, 0, backup.length, Number(backupOffset));
    await device.write(primary, 0, primary.length, 0);
    await device.sync();
    await device.close();
    await bench.host.volumes.resizeVolume(mounted.volume, 0n, SIGNAL);
    await bench.host.volumes.mountVolume(mounted.volume, mounted.path, SIGNAL);
    await expectGrown(mounted);
  });

  it('finishes a table of which only the new backup was written', async () => {
    const mounted = await grownDisk();
    const [loop = ''] = leftoversBelow(linux.root).loops;
    const state = await readTable(loop, AFTER);
    if (state.kind !== 'gpt') throw new Error('the disk has lost its table');
    const { backup, backupOffset } = encodeGpt(growBasicPartition(state.gpt, AFTER), AFTER);
    const device = await open(loop, 'r+');
    await device.write(backup, 0, backup.length, Number(backupOffset));
    await device.sync();
    await device.close();
    await bench.host.volumes.resizeVolume(mounted.volume, 0n, SIGNAL);
    await expectGrown(mounted);
  });

  it('does not touch the mounts when there is nothing to grow', async () => {
    const { volume, path } = await bench.mountedVolume(BEFORE);
    const file = await open(join(path, 'open.txt'), 'w');
    try {
      await bench.host.volumes.resizeVolume(volume, 0n, SIGNAL);
      await file.write('still open');
    } finally {
      await file.close();
    }
    await expect(readFile(join(path, 'open.txt'), 'utf8')).resolves.toBe('still open');
  });

  it.each(CRASH_POINTS)(
    'law 3: killed $when tool $tool, the next process has the mounts and data back, and a repeat grows it',
    async (point) => {
      const mounted = await grownDisk();
      const second = await bench.mount(mounted.volume);
      const crashing = new CrashingRun(point);
      const doomed = linux.start(crashing.run);
      await doomed.disks.listDiskIds(SIGNAL);
      crashing.arm();
      const resized = await doomed.volumes.resizeVolume(mounted.volume, 0n, SIGNAL).then(
        () => true,
        () => false,
      );
      expect(resized).toBe(!crashing.crashed);

      await bench.restart();
      await expect(bench.host.files.isSymlink(mounted.path, SIGNAL)).resolves.toBe(true);
      expect([...leftoversBelow(linux.root).mounts].sort()).toEqual([mounted.path, second].sort());
      expect(sha256(await readFile(join(second, 'data.bin')))).toBe(mounted.sum);
      await bench.host.volumes.resizeVolume(mounted.volume, 0n, SIGNAL);
      await expectGrown(mounted);
      await expectRecordsWithoutRemount(join(linux.disks.stateDir, 'online-disks'));
    },
  );

  it('law 3: waits with restoring the mounts while a tool of the killed process still has the volume', async () => {
    const mounted = await grownDisk();
    const crashing = new CrashingRun({ tool: 3, when: 'before' });
    const doomed = linux.start(crashing.run);
    await doomed.disks.listDiskIds(SIGNAL);
    crashing.arm();
    await expect(doomed.volumes.resizeVolume(mounted.volume, 0n, SIGNAL)).rejects.toThrow('killed');
    expect(leftoversBelow(linux.root).mounts).toEqual([]);
    const [loop = ''] = leftoversBelow(linux.root).loops;
    const tool = await open(`${loop}p2`, constants.O_RDWR | constants.O_EXCL);
    await bench.restart();
    const found = bench.numberOf(mounted.disk);
    await sleep(400);
    expect(leftoversBelow(linux.root).mounts).toEqual([]);
    await tool.close();
    await found;
    expect(leftoversBelow(linux.root).mounts).toEqual([mounted.path]);
    expect(linux.log.lines.at(-1)).toMatchObject({ level: 'warn' });
  });

  it('forgets mounts whose disk went offline or whose machine was restarted', async () => {
    const mounted = await grownDisk();
    const crashing = new CrashingRun({ tool: 3, when: 'before' });
    const doomed = linux.start(crashing.run);
    await doomed.disks.listDiskIds(SIGNAL);
    crashing.arm();
    await expect(doomed.volumes.resizeVolume(mounted.volume, 0n, SIGNAL)).rejects.toThrow('killed');
    removeLeftovers(linux.root);
    await bench.restart();
    const number = await bench.numberOf(mounted.disk);
    await expect(bench.host.disks.getDiskState(number, SIGNAL)).resolves.toEqual({ online: false });
    expect(leftoversBelow(linux.root)).toEqual({ mounts: [], loops: [] });
    await expect(readdir(join(linux.disks.stateDir, 'online-disks'))).resolves.toEqual([]);
  });

  it('grows by 1 GiB and more than once', async () => {
    const { disk, volume, path } = await bench.mountedVolume(BEFORE);
    for (const size of [BEFORE + GIB, BEFORE + 3n * GIB]) {
      await linux.growDisk(disk, size);
      await bench.host.disks.rescan(SIGNAL);
      await bench.host.volumes.resizeVolume(volume, 0n, SIGNAL);
      expect(await bench.totalBytes(volume)).toBeGreaterThan(size - 18n * MIB);
    }
    await expect(readdir(path)).resolves.not.toContain('lost+found');
  });
});

async function expectRecordsWithoutRemount(folder: string): Promise<void> {
  const names = await readdir(folder);
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  expect(texts.filter((text) => text.includes('remount'))).toEqual([]);
}

const sha256 = (data: Buffer): string => createHash('sha256').update(data).digest('hex');
