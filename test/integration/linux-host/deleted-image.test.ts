import { link, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { MIB } from '../../../src/core/capacity.ts';
import { runCommand } from '../../../src/hosts/linux/command.ts';
import { LoopDevices } from '../../../src/hosts/linux/loop-devices.ts';
import { leftoversBelow } from '../../support/linux-leftovers.ts';
import { type LinuxUnderTest, linuxUnderTest } from '../../support/linux-under-test.ts';
import { describeWhere, LINUX_HOST } from '../../support/requires.ts';

const SIGNAL = new AbortController().signal;

describeWhere(LINUX_HOST, 'a disk whose volume is deleted before the host looks', () => {
  let linux: LinuxUnderTest;

  beforeEach(async () => {
    linux = await linuxUnderTest('online');
  });

  afterEach(async () => {
    await linux.cleanup();
  });

  it('lets go of the loop device though the image was moved away first, as a pool does', async () => {
    const { host, root } = linux;
    const kept = await linux.plugDisk(64n * MIB);
    const disk = await linux.plugDisk(64n * MIB);
    await host.disks.listDiskIds(SIGNAL);
    expect(leftoversBelow(root).loops).toHaveLength(2);

    await linux.unplugDisk(disk);
    await deleteAsAPool(disk.imagePath, root);
    await host.disks.rescan(SIGNAL);
    expect(leftoversBelow(root).loops).toHaveLength(1);
    await linux.unplugDisk(kept);
    await host.disks.rescan(SIGNAL);
    expect(leftoversBelow(root).loops).toEqual([]);
  });

  it('law 3: lets go of it also when the host was killed before the image was moved away', async () => {
    const { host, root } = linux;
    const disk = await linux.plugDisk(64n * MIB);
    await host.disks.listDiskIds(SIGNAL);
    await linux.unplugDisk(disk);
    await deleteAsAPool(disk.imagePath, root);
    expect(leftoversBelow(root).loops).toHaveLength(1);

    await linux.start().disks.listDiskIds(SIGNAL);
    expect(leftoversBelow(root).loops).toEqual([]);
  });

  it('lets go of it also when the image was moved away right after the device was made', async () => {
    const { root } = linux;
    const disk = await linux.plugDisk(64n * MIB);
    const host = linux.start(async (doing, command, args) => {
      const out = await runCommand(doing, command, args);
      if (args.includes('--find')) await deleteAsAPool(disk.imagePath, root);
      return out;
    });
    await host.disks.listDiskIds(SIGNAL);
    expect(leftoversBelow(root).loops).toHaveLength(1);
    await linux.unplugDisk(disk);
    await host.disks.rescan(SIGNAL);
    expect(leftoversBelow(root).loops).toEqual([]);
  });
});

describeWhere(LINUX_HOST, 'a loop device that was used before', () => {
  let linux: LinuxUnderTest;

  beforeEach(async () => {
    linux = await linuxUnderTest();
  });

  afterEach(async () => {
    await linux.cleanup();
  });

  it('law 2: is not taken for that of a deleted image whose inode the next image has', async () => {
    const { root } = linux;
    const loops = new LoopDevices(runCommand);
    const [gone, next] = [join(root, 'gone.img'), join(root, 'next.img')];
    await writeFile(gone, Buffer.alloc(Number(MIB)));
    await loops.detach(await loops.attach(gone));
    // A link of the image, made after it was let go, is the next image: the same inode for certain.
    await link(gone, next);
    await rm(gone);
    await loops.attach(next);
    await expect(loops.find(gone)).resolves.toBeUndefined();
  });
});

/** A pool moves a volume away before it removes it. */
async function deleteAsAPool(imagePath: string, root: string): Promise<void> {
  const gone = join(root, '.gone.img');
  await rename(imagePath, gone);
  await rm(gone);
}
