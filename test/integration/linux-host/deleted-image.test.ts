import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { MIB } from '../../../src/core/capacity.ts';
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
    const gone = join(root, '.gone.img');
    await rename(disk.imagePath, gone);
    await rm(gone);
    await host.disks.rescan(SIGNAL);
    expect(leftoversBelow(root).loops).toHaveLength(1);
    await linux.unplugDisk(kept);
    await host.disks.rescan(SIGNAL);
    expect(leftoversBelow(root).loops).toEqual([]);
  });
});
