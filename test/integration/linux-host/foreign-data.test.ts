import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFile, open, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { decodeGpt, encodeGpt, GPT_PRIMARY_BYTES } from '../../../src/core/gpt-codec.ts';
import { basicPartition, windowsLayout } from '../../../src/core/gpt.ts';
import { hostVolumeIdOf } from '../../../src/core/ids.ts';
import type { AttachedDisk } from '../../../src/core/attach-folder.ts';
import {
  Bench,
  readMarker,
  SIGNAL,
  SMALL_DISK_BYTES,
  writeMarker,
} from '../../contract/host-storage/bench.ts';
import { leftoversBelow } from '../../support/linux-leftovers.ts';
import { linuxUnderTest } from '../../support/linux-under-test.ts';
import type { LinuxUnderTest } from '../../support/linux-under-test.ts';
import { describeWhere, LINUX_HOST, MKFS_EXT4, SFDISK } from '../../support/requires.ts';

describeWhere([...LINUX_HOST, SFDISK, MKFS_EXT4], 'disks with data on the Linux host', () => {
  let linux: LinuxUnderTest;
  let bench: Bench;

  beforeEach(async () => {
    linux = await linuxUnderTest();
    bench = new Bench(linux);
  });

  afterEach(async () => {
    await bench.cleanup();
  });

  describe('partition tables', () => {
    it('writes one that sfdisk finds nothing wrong with', async () => {
      const { disk, number } = await bench.rawVolume();
      await bench.host.disks.setDiskState(number, false, SIGNAL);
      expect(run('sfdisk', ['--verify', disk.imagePath])).toContain('No errors detected');
      const dump = run('sfdisk', ['--dump', disk.imagePath]);
      expect(dump).toMatch(/start= *34, size= *32734, type=E3C9E316-0B5C-4DB8-817D-F92DF00215AE/);
      expect(dump).toMatch(/start= *32768, size= *98271, type=EBD0A0A2-B9E5-4433-87C0-68B6B72699C7/);
      expect(dump).toContain('name="Basic data partition"');
    });

    it('still has nothing wrong with it when it was grown', async () => {
      const { disk, number, volume } = await bench.formattedVolume();
      await linux.growDisk(disk, 4n * SMALL_DISK_BYTES);
      await bench.host.disks.rescan(SIGNAL);
      await bench.host.volumes.resizeVolume(volume, 0n, SIGNAL);
      await bench.host.disks.setDiskState(number, false, SIGNAL);
      expect(run('sfdisk', ['--verify', disk.imagePath])).toContain('No errors detected');
    });

    it('reads one that sfdisk wrote', async () => {
      const disk = await linux.plugDisk(SMALL_DISK_BYTES);
      const dataGuid = 'a1b2c3d4-0001-4002-8003-0123456789ab';
      const basic = 'start=32768, type=EBD0A0A2-B9E5-4433-87C0-68B6B72699C7';
      run(
        'sfdisk',
        ['-q', disk.imagePath],
        `label: gpt\nfirst-lba: 34\n${basic}, uuid=${dataGuid}, name="Grüße"\n`,
      );
      const gpt = decodeGpt(
        (await readFile(disk.imagePath)).subarray(0, GPT_PRIMARY_BYTES),
        SMALL_DISK_BYTES,
      );
      expect(gpt && basicPartition(gpt)).toMatchObject({
        uniqueGuid: dataGuid,
        firstLba: 32768n,
        name: 'Grüße',
      });
      const number = await bench.numberOf(disk);
      await bench.host.disks.setDiskState(number, true, SIGNAL);
      const volume = hostVolumeIdOf(dataGuid);
      await expect(bench.onlyVolumeOf(number)).resolves.toBe(volume);
      await bench.host.volumes.formatVolume(volume, SIGNAL);
      await writeMarker(await bench.mount(volume));
    });

    it('finishes one of which only the backup was written, under the same names', async () => {
      const gpt = windowsLayout(SMALL_DISK_BYTES, counting());
      const { backup, backupOffset } = encodeGpt(gpt, SMALL_DISK_BYTES);
      const disk = await linux.plugDisk(SMALL_DISK_BYTES, {
        content: (image) => image.write(backup, 0, backup.length, Number(backupOffset)),
      });
      const number = await bench.numberOf(disk);
      await bench.host.disks.setDiskState(number, true, SIGNAL);
      await bench.host.disks.partitionDisk(number, SIGNAL);
      await expect(bench.onlyVolumeOf(number)).resolves.toBe(
        hostVolumeIdOf(basicPartition(gpt)?.uniqueGuid ?? ''),
      );
    });

    it.each([
      ['an MBR partition', 'label: dos\nstart=2048, type=83\n', 'master boot record'],
      [
        'a Linux partition',
        'label: gpt\nstart=2048, type=0FC63DAF-8483-4772-8E79-3D69D8477DE4\n',
        'without a basic-data',
      ],
    ])('law 1: refuses to partition a disk with %s, and changes nothing', async (_what, table, found) => {
      const disk = await linux.plugDisk(SMALL_DISK_BYTES);
      run('sfdisk', ['-q', disk.imagePath], table);
      const before = await checksum(disk);
      const number = await bench.numberOf(disk);
      await bench.host.disks.setDiskState(number, true, SIGNAL);
      await expect(bench.host.disks.partitionDisk(number, SIGNAL)).rejects.toThrow(found);
      await expect(bench.host.volumes.listVolumesOnDisk(number, 0, SIGNAL)).resolves.toEqual([]);
      await bench.host.disks.setDiskState(number, false, SIGNAL);
      await expect(checksum(disk)).resolves.toBe(before);
    });
  });

  it('law 1: reports ext4 as not formatted, as Windows does, and leaves it alone when asked to grow or partition', async () => {
    const { disk, number, volume } = await bench.rawVolume();
    const [loop = ''] = leftoversBelow(linux.root).loops;
    run('mkfs.ext4', ['-q', `${loop}p2`]);
    run('sync', []);
    await expect(bench.host.volumes.isVolumeFormatted(volume, SIGNAL)).resolves.toBe(false);
    await expect(bench.host.volumes.getVolumeStats(volume, SIGNAL)).resolves.toEqual({
      totalBytes: 0n,
      usedBytes: 0n,
    });
    await bench.host.disks.partitionDisk(number, SIGNAL);
    await expect(bench.host.volumes.mountVolume(volume, await bench.stagingPath(), SIGNAL)).rejects.toThrow();
    await linux.growDisk(disk, 2n * SMALL_DISK_BYTES);
    await bench.host.disks.rescan(SIGNAL);
    await bench.host.volumes.resizeVolume(volume, 0n, SIGNAL);
    expect(run('e2fsck', ['-n', '-f', `${loop}p2`])).toContain('files');
  });

  it.each([
    ['FAT32', 0x52],
    ['FAT16', 0x36],
  ])('knows %s, as Windows does', async (name, offset) => {
    const { volume } = await bench.rawVolume();
    const [loop = ''] = leftoversBelow(linux.root).loops;
    const device = await open(`${loop}p2`, 'r+');
    const mark = Buffer.from(`${name}   `);
    await device.write(mark, 0, mark.length, offset);
    await device.sync();
    await device.close();
    await expect(bench.host.volumes.isVolumeFormatted(volume, SIGNAL)).resolves.toBe(true);
  });

  it('law 2: never chooses between two volumes with the same GUID', async () => {
    const source = await bench.mountedVolume();
    const { disks, volumes } = bench.host;
    await writeMarker(source.path, 'source');
    await volumes.unmountVolume(source.volume, source.path, SIGNAL);
    await disks.setDiskState(source.number, false, SIGNAL);
    const clone = await linux.plugDisk(SMALL_DISK_BYTES);
    await copyFile(source.disk.imagePath, clone.imagePath);
    await disks.setDiskState(source.number, true, SIGNAL);
    const cloneNumber = await bench.numberOf(clone);
    await disks.setDiskState(cloneNumber, true, SIGNAL);
    await expect(volumes.listVolumesOnDisk(cloneNumber, 0, SIGNAL)).resolves.toEqual([source.volume]);
    const path = await bench.stagingPath();
    for (const call of [
      volumes.formatVolume(source.volume, SIGNAL),
      volumes.mountVolume(source.volume, path, SIGNAL),
      volumes.resizeVolume(source.volume, 0n, SIGNAL),
      volumes.getDiskNumberFromVolumeId(source.volume, SIGNAL),
    ]) {
      await expect(call).rejects.toThrow(/is ambiguous/);
    }
    await disks.setDiskState(cloneNumber, false, SIGNAL);
    await volumes.mountVolume(source.volume, path, SIGNAL);
    await expect(readMarker(path)).resolves.toBe('source');
  });

  it('law 2: unmounts and measures by the device, also while a twin is online', async () => {
    const source = await bench.mountedVolume();
    const { disks, volumes } = bench.host;
    await writeMarker(source.path, 'source');
    await volumes.writeVolumeCache(source.volume, SIGNAL);
    const clone = await linux.plugDisk(SMALL_DISK_BYTES);
    await copyFile(source.disk.imagePath, clone.imagePath);
    await disks.setDiskState(await bench.numberOf(clone), true, SIGNAL);
    await expect(volumes.getVolumeIdFromTargetPath(source.path, SIGNAL)).resolves.toBe(source.volume);
    await volumes.unmountVolume(source.volume, source.path, SIGNAL);
    await disks.setDiskState(source.number, false, SIGNAL);
    await expect(readMarker(await bench.mount(source.volume))).resolves.toBe('source');
  });

  it.each(['rmdir', 'rmdirContents'] as const)(
    'law 4: %s of a folder that a volume is mounted in is refused before anything is removed',
    async (method) => {
      const { files } = bench.host;
      const { path } = await bench.mountedVolume();
      await writeMarker(path);
      const folder = dirname(path);
      await writeFile(join(folder, 'a-neighbour'), 'kept');
      const call =
        method === 'rmdir' ? files.rmdir(folder, true, SIGNAL) : files.rmdirContents(folder, SIGNAL);
      await expect(call).rejects.toThrow(`is mounted at ${path}`);
      expect((await readdir(folder)).sort()).toEqual(['a-neighbour', basename(path)]);
      await expect(readMarker(path)).resolves.toBe('kept');
    },
  );

  it('law 4: empties and removes no directory that a foreign file system is mounted in', async () => {
    const folder = await linux.tempPath();
    const { files } = bench.host;
    await files.mkdir(join(folder, 'tmpfs'), SIGNAL);
    run('mount', ['-t', 'tmpfs', 'none', join(folder, 'tmpfs')]);
    await writeMarker(join(folder, 'tmpfs'));
    const calls = [
      files.rmdir(join(folder, 'tmpfs'), false, SIGNAL),
      files.rmdir(join(folder, 'tmpfs'), true, SIGNAL),
      files.rmdirContents(join(folder, 'tmpfs'), SIGNAL),
      files.rmdir(folder, true, SIGNAL),
      files.rmdirContents(folder, SIGNAL),
    ];
    const outcomes = (await Promise.allSettled(calls)).map(({ status }) => status);
    expect(outcomes).toEqual(calls.map(() => 'rejected'));
    await expect(readMarker(join(folder, 'tmpfs'))).resolves.toBe('kept');
  });
});

function run(command: string, args: readonly string[], input = ''): string {
  const { status, stdout, stderr } = spawnSync(command, args, { input, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}${stdout}`);
  return stdout;
}

async function checksum({ imagePath }: AttachedDisk): Promise<string> {
  return createHash('sha256')
    .update(await readFile(imagePath))
    .digest('hex');
}

function counting(): () => string {
  let count = 0;
  return () => `bbbbbbbb-0000-4000-8000-${String(++count).padStart(12, '0')}`;
}
