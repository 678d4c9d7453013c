import { readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { runCommand } from '../../../src/hosts/linux/command.ts';
import { watchHotPlug } from '../../../src/hosts/hot-plug.ts';
import { Bench, SIGNAL, SMALL_DISK_BYTES } from '../../contract/host-storage/bench.ts';
import { leftoversBelow } from '../../support/linux-leftovers.ts';
import { linuxUnderTest } from '../../support/linux-under-test.ts';
import type { LinuxUnderTest } from '../../support/linux-under-test.ts';
import { describeWhere, LINUX_HOST } from '../../support/requires.ts';

describeWhere(LINUX_HOST, 'disks that arrive online on the Linux host', () => {
  let linux: LinuxUnderTest;
  let bench: Bench;

  beforeEach(async () => {
    linux = await linuxUnderTest('online');
    bench = new Bench(linux);
  });

  afterEach(async () => {
    await bench.cleanup();
  });

  const loops = (): number => leftoversBelow(linux.root).loops.length;
  const records = async (): Promise<number> =>
    (await readdir(join(linux.disks.stateDir, 'online-disks')).catch(() => [])).length;

  it('keeps neither loop device nor record of a disk that was unplugged, online or taken offline', async () => {
    const online = await linux.plugDisk(SMALL_DISK_BYTES);
    const offline = await linux.plugDisk(SMALL_DISK_BYTES);
    await bench.numberOf(online);
    await bench.host.disks.setDiskState(await bench.numberOf(offline), false, SIGNAL);
    expect([loops(), await records()]).toEqual([1, 2]);
    await linux.unplugDisk(online);
    await linux.unplugDisk(offline);
    await bench.host.disks.listDiskIds(SIGNAL);
    expect([loops(), await records()]).toEqual([0, 0]);
  });

  it('keeps nothing either of disks that were unplugged while this process was not running', async () => {
    const { disk } = await bench.rawVolume();
    const offline = await bench.onlineDisk();
    await bench.host.disks.setDiskState(offline.number, false, SIGNAL);
    await linux.unplugDisk(disk);
    await linux.unplugDisk(offline.disk);
    await bench.restart();
    await bench.host.disks.listDiskIds(SIGNAL);
    expect([loops(), await records()]).toEqual([0, 0]);
  });

  it('law 3: knows the disk again after a crash before or after its loop device was attached', async () => {
    const disk = await linux.plugDisk(SMALL_DISK_BYTES);
    for (const when of ['before', 'after'] as const) {
      const crashing = linux.start(async (doing, command, args) => {
        if (command !== 'losetup' || !args.includes('--find')) throw new Error('not expected here');
        if (when === 'before') return new Promise<never>(() => undefined);
        await runCommand(doing, command, args);
        return new Promise<never>(() => undefined);
      });
      void crashing.disks.listDiskIds(SIGNAL);
      while ((await records()) === 0 || loops() < (when === 'after' ? 1 : 0)) await wait(10);
      await bench.restart();
      const number = await bench.numberOf(disk);
      await expect(bench.host.disks.getDiskState(number, SIGNAL)).resolves.toEqual({ online: true });
      expect(loops()).toBe(1);
      await linux.unplugDisk(disk);
      await expect(bench.findDisk(disk)).resolves.toBeUndefined();
      expect([loops(), await records()]).toEqual([0, 0]);
      await linux.replugDisk(disk);
    }
  });

  it('takes a disk online as soon as its image can be opened', async () => {
    const disk = await linux.plugDisk(SMALL_DISK_BYTES);
    await rename(disk.imagePath, `${disk.imagePath}.away`);
    const number = await bench.numberOf(disk);
    await expect(bench.host.disks.getDiskState(number, SIGNAL)).resolves.toEqual({ online: false });
    await rename(`${disk.imagePath}.away`, disk.imagePath);
    await bench.host.disks.rescan(SIGNAL);
    await expect(bench.host.disks.getDiskState(number, SIGNAL)).resolves.toEqual({ online: true });
  });

  it('has a disk that is plugged in again after it was taken offline come online by itself', async () => {
    const { disk, number } = await bench.onlineDisk();
    await bench.host.disks.setDiskState(number, false, SIGNAL);
    await linux.unplugDisk(disk);
    await bench.host.disks.rescan(SIGNAL);
    await linux.replugDisk(disk);
    const again = await bench.numberOf(disk);
    await expect(bench.host.disks.getDiskState(again, SIGNAL)).resolves.toEqual({ online: true });
  });

  it('lets go of a disk that was unplugged while it was formatted as soon as that has ended', async () => {
    const { disk, volume } = await bench.rawVolume();
    let finish: () => void = () => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const slow = linux.start(async (...call) => {
      if (call[1] === 'mkfs.ntfs') await finished;
      return runCommand(...call);
    });
    await slow.disks.listDiskIds(SIGNAL);
    const formatted = slow.volumes.formatVolume(volume, SIGNAL);
    await wait(200);
    await linux.unplugDisk(disk);
    await expect(slow.disks.listDiskIds(SIGNAL)).resolves.toHaveProperty('size', 0);
    await expect(slow.disks.listDiskIds(SIGNAL)).resolves.toHaveProperty('size', 0);
    expect(loops()).toBe(1);
    finish();
    await formatted;
    while (loops() > 0 || (await records()) > 0) await wait(10);
    await expect(slow.disks.listDiskIds(SIGNAL)).resolves.toHaveProperty('size', 0);
  });

  it('lets go of a disk that is unplugged, without a call, and while the host works', async () => {
    const stop = new AbortController();
    const { attachDir } = linux.disks;
    const watching = watchHotPlug({ attachDir, host: bench.host, log: linux.log }, stop.signal);
    try {
      const used = await bench.mountedVolume();
      const disk = await linux.plugDisk(SMALL_DISK_BYTES);
      while (loops() < 2) await wait(10);
      await linux.unplugDisk(disk);
      await Promise.all([bench.mountedVolume(), bench.mountedVolume()]);
      while (loops() > 3) await wait(10);
      await linux.unplugDisk(used.disk);
      await wait(300);
      expect(loops()).toBe(3);
      await bench.host.volumes.unmountVolume(used.volume, used.path, SIGNAL);
      while (loops() > 2) await wait(10); // The file system's own process may end a moment after the unmount.
    } finally {
      stop.abort();
      await watching;
    }
  });
});
