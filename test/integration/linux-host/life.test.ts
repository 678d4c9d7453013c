import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { GIB } from '../../../src/core/capacity.ts';
import {
  Bench,
  MARKER,
  readMarker,
  SIGNAL,
  SMALL_DISK_BYTES,
  writeMarker,
} from '../../contract/host-storage/bench.ts';
import { leftoversBelow } from '../../support/linux-leftovers.ts';
import { linuxUnderTest } from '../../support/linux-under-test.ts';
import type { LinuxUnderTest } from '../../support/linux-under-test.ts';
import { describeWhere, LINUX_HOST } from '../../support/requires.ts';

describeWhere(LINUX_HOST, 'life of a disk on the Linux host', () => {
  let linux: LinuxUnderTest;
  let bench: Bench;

  beforeEach(async () => {
    linux = await linuxUnderTest();
    bench = new Bench(linux);
  });

  afterEach(async () => {
    await bench.cleanup();
  });

  it('leaves no loop device, no partition device and no mount', async () => {
    const { disks, volumes } = bench.host;
    const { number, volume, path } = await bench.mountedVolume();
    const [loop] = leftoversBelow(linux.root).loops;
    expect(existsSync(`${loop}p2`)).toBe(true);
    await volumes.unmountVolume(volume, path, SIGNAL);
    await disks.setDiskState(number, false, SIGNAL);
    expect(leftoversBelow(linux.root)).toEqual({ mounts: [], loops: [] });
    await expect(readdir(join(linux.disks.stateDir, 'online-disks'))).resolves.toEqual([]);
    expect(existsSync(`${loop}p1`) || existsSync(`${loop}p2`)).toBe(false);
  });

  it('law 8: an unreadable record in the attach folder takes no disk offline', async () => {
    const { disk, number } = await bench.onlineDisk();
    await writeFile(join(linux.disks.attachDir, `${disk.volumeId}.disk.json`), '{');
    await expect(bench.numberOf(disk)).resolves.toBe(number);
    await expect(bench.host.disks.getDiskState(number, SIGNAL)).resolves.toEqual({ online: true });
  });

  it('rescans the other disks when one cannot be read', async () => {
    const lost = await bench.onlineDisk();
    const { disk, number } = await bench.onlineDisk();
    await rm(lost.disk.imagePath);
    await linux.growDisk(disk, SMALL_DISK_BYTES * 2n);
    await bench.host.disks.rescan(SIGNAL);
    await expect(bench.host.disks.getDiskStats(number, SIGNAL)).resolves.toEqual({
      totalBytes: SMALL_DISK_BYTES * 2n,
    });
  });

  it('walks a volume of 1 GiB through its life, and says how long each step takes', async () => {
    const { disks, volumes } = bench.host;
    const disk = await linux.plugDisk(GIB);
    const path = await bench.stagingPath();
    const times: [string, number][] = [];
    const timed = async <Result>(step: string, run: () => Promise<Result>): Promise<Result> => {
      const began = performance.now();
      const result = await run();
      times.push([step, Math.round(performance.now() - began)]);
      return result;
    };
    const number = await timed('find', () => bench.numberOf(disk));
    await timed('online', () => disks.setDiskState(number, true, SIGNAL));
    await timed('partition', () => disks.partitionDisk(number, SIGNAL));
    const volume = await timed('list volumes', () => bench.onlyVolumeOf(number));
    await timed('formatted?', () => volumes.isVolumeFormatted(volume, SIGNAL));
    await timed('format', () => volumes.formatVolume(volume, SIGNAL));
    await timed('mount', () => volumes.mountVolume(volume, path, SIGNAL));
    await timed('write', () => writeMarker(path));
    await timed('unmount', () => volumes.unmountVolume(volume, path, SIGNAL));
    await timed('offline', () => disks.setDiskState(number, false, SIGNAL));
    const total = times.reduce((sum, [, ms]) => sum + ms, 0);
    process.stderr.write(
      `life of a volume: ${total} ms (${times.map((time) => time.join(' ')).join(', ')})\n`,
    );
    expect(total).toBeLessThan(10_000);
  });

  it('serves many disks at once, each on a loop device of its own', async () => {
    const made = await Promise.all(Array.from({ length: 6 }, () => bench.mountedVolume()));
    expect(new Set(made.map(({ volume }) => volume)).size).toBe(6);
    expect(leftoversBelow(linux.root).loops).toHaveLength(6);
    await Promise.all(made.map(({ path }, index) => writeMarker(path, `disk ${index}`)));
    await expect(Promise.all(made.map(({ path }) => readMarker(path)))).resolves.toEqual(
      made.map((_made, index) => `disk ${index}`),
    );
  });

  it('refuses to take a mounted disk offline, and names the mount', async () => {
    const { number, path } = await bench.mountedVolume();
    await expect(bench.host.disks.setDiskState(number, false, SIGNAL)).rejects.toThrow(
      `it is mounted at ${path}`,
    );
    await expect(bench.host.disks.getDiskState(number, SIGNAL)).resolves.toEqual({ online: true });
  });

  it('law 1: refuses to format a mounted volume', async () => {
    const { volume, path } = await bench.mountedVolume();
    await writeMarker(path);
    await expect(bench.host.volumes.formatVolume(volume, SIGNAL)).rejects.toThrow(`it is mounted at ${path}`);
    await expect(readMarker(path)).resolves.toBe('kept');
  });

  it('shows the files of a volume at two places, and keeps one when the other is unmounted', async () => {
    const { volumes } = bench.host;
    const { volume, path } = await bench.mountedVolume();
    const second = await bench.mount(volume);
    await writeMarker(path);
    await expect(readMarker(second)).resolves.toBe('kept');
    await volumes.unmountVolume(volume, path, SIGNAL);
    await expect(readMarker(second)).resolves.toBe('kept');
    await expect(readdir(path)).resolves.toEqual([]);
  });

  it('names who keeps a volume busy', async () => {
    const { volume, path } = await bench.mountedVolume();
    const sleeper = spawn('sleep', ['60'], { cwd: path });
    try {
      const unmounted = bench.host.volumes.unmountVolume(volume, path, SIGNAL);
      await expect(unmounted).rejects.toThrow(`in use by sleep (${String(sleeper.pid)})`);
      expect(leftoversBelow(linux.root).mounts).toEqual([path]);
    } finally {
      sleeper.kill('SIGKILL');
      await once(sleeper, 'exit');
    }
  });

  it('serves a disk unplugged while mounted until it is unmounted, also after a restart, then lets go of it', async () => {
    const { disk, volume, path } = await bench.mountedVolume();
    await writeMarker(path);
    await linux.unplugDisk(disk);
    await expect(bench.findDisk(disk)).resolves.toBeUndefined();
    await expect(readMarker(path)).resolves.toBe('kept');
    await bench.restart();
    await expect(bench.findDisk(disk)).resolves.toBeUndefined();
    await expect(bench.host.volumes.getVolumeIdFromTargetPath(path, SIGNAL)).resolves.toBe(volume);
    await bench.host.volumes.unmountVolume(volume, path, SIGNAL);
    expect(leftoversBelow(linux.root)).toEqual({ mounts: [], loops: [] });
  });

  it('lets go of a disk that was unplugged while this process was not running', async () => {
    const { disk } = await bench.rawVolume();
    await linux.unplugDisk(disk);
    await bench.restart();
    await expect(bench.findDisk(disk)).resolves.toBeUndefined();
    expect(leftoversBelow(linux.root).loops).toEqual([]);
  });

  it('gives the next disk on a loop device its own partitions, not those of the disk before', async () => {
    const first = await bench.formattedVolume(SMALL_DISK_BYTES);
    await bench.host.disks.setDiskState(first.number, false, SIGNAL);
    const second = await bench.formattedVolume(2n * SMALL_DISK_BYTES);
    const expected = 2n * SMALL_DISK_BYTES - SMALL_DISK_BYTES / 4n;
    expect(await bench.totalBytes(second.volume)).toBeGreaterThan(expected - SMALL_DISK_BYTES / 8n);
  });

  it('has the files again after unmount, offline and a restart', async () => {
    const { volumes, disks } = bench.host;
    const { disk, number, volume, path } = await bench.mountedVolume();
    const data = Buffer.alloc(3_000_001, 'ntfs');
    await writeFile(join(path, 'data.bin'), data);
    await volumes.unmountVolume(volume, path, SIGNAL);
    await disks.setDiskState(number, false, SIGNAL);
    await bench.restart();
    await bench.host.disks.setDiskState(await bench.numberOf(disk), true, SIGNAL);
    const again = await bench.mount(volume);
    expect((await readFile(join(again, 'data.bin'))).equals(data)).toBe(true);
  });

  it('refuses names Windows could not open', async () => {
    const { path } = await bench.mountedVolume();
    await expect(writeFile(join(path, 'a:b?'), '')).rejects.toThrow();
    await expect(writeFile(join(path, MARKER), '')).resolves.toBeUndefined();
  });

  it('heals a mount whose FUSE process died: it is no live link, and is mounted again', async () => {
    const { files, volumes } = bench.host;
    const { volume, path } = await bench.mountedVolume();
    await writeMarker(path);
    await volumes.writeVolumeCache(volume, SIGNAL);
    await killFuseOf(path);
    await expect(files.pathExists(path, SIGNAL)).resolves.toBe(true);
    await expect(files.isSymlink(path, SIGNAL)).resolves.toBe(false);
    await volumes.mountVolume(volume, path, SIGNAL);
    await expect(readMarker(path)).resolves.toBe('kept');
    expect(leftoversBelow(linux.root).mounts).toEqual([path]);
  });

  it.each(['unmountVolume', 'rmdir'] as const)('takes a dead mount away by %s', async (method) => {
    const { files, volumes } = bench.host;
    const { volume, path } = await bench.mountedVolume();
    await killFuseOf(path);
    if (method === 'rmdir') await files.rmdir(path, false, SIGNAL);
    else await volumes.unmountVolume(volume, path, SIGNAL);
    expect(leftoversBelow(linux.root).mounts).toEqual([]);
    await expect(files.pathExists(path, SIGNAL)).resolves.toBe(method === 'unmountVolume');
  });
});

/** Ends the process that serves one mount, as the out-of-memory killer does. */
async function killFuseOf(path: string): Promise<void> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  for (const pid of pids) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (command.startsWith('mount.ntfs-3g') && command.includes(`${path}\0`)) {
      process.kill(Number(pid), 'SIGKILL');
      while (existsSync(`/proc/${pid}`)) spawnSync('sleep', ['0.01']);
      return;
    }
  }
  throw new Error(`nobody serves ${path}`);
}
