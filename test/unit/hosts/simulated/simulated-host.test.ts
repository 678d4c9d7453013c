import { copyFile, lstat, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MIB } from '../../../../src/core/capacity.ts';
import {
  Bench,
  DISK_BYTES,
  readMarker,
  SIGNAL,
  SMALL_DISK_BYTES,
  writeMarker,
} from '../../../contract/host-storage/bench.ts';
import { simulatedHost } from '../../../support/simulated-host.ts';

/** What the simulated host adds to what every host promises. */
describe('simulated host', () => {
  let bench: Bench;
  let world: Awaited<ReturnType<typeof simulatedHost>>;

  beforeEach(async () => {
    world = await simulatedHost();
    bench = new Bench(world);
  });

  afterEach(async () => {
    await world.cleanup();
  });

  describe('files of a volume', () => {
    it('keeps names and bytes of everything but what a volume cannot hold', async () => {
      const { volume, path } = await bench.mountedVolume();
      await mkdir(join(path, 'leer', 'tief'), { recursive: true });
      await writeFile(join(path, 'grün ✓ 𝒳'), Buffer.alloc(3 * Number(MIB) + 5, 'ab'));
      await writeFile(join(path, 'empty'), '');
      await symlink('grün ✓ 𝒳', join(path, 'link'));
      await bench.host.volumes.unmountVolume(volume, path, SIGNAL);
      const again = await bench.mount(volume);
      expect((await readdir(again, { recursive: true })).sort()).toEqual(
        ['empty', 'grün ✓ 𝒳', 'leer', 'leer/tief', 'link'].sort(),
      );
      expect((await readFile(join(again, 'link'))).equals(Buffer.alloc(3 * Number(MIB) + 5, 'ab'))).toBe(
        true,
      );
      await expect(readFile(join(again, 'empty'), 'utf8')).resolves.toBe('');
    });

    it('are in the image when they are flushed: a copy of it carries them', async () => {
      const { disk, volume, path } = await bench.mountedVolume();
      await writeMarker(path);
      await bench.host.volumes.writeVolumeCache(volume, SIGNAL);
      await writeMarker(path, 'not flushed');
      const copy = await world.plugDisk(SMALL_DISK_BYTES);
      await copyFile(disk.imagePath, copy.imagePath);
      await world.unplugDisk(disk);
      const number = await bench.numberOf(copy);
      await bench.host.disks.setDiskState(number, true, SIGNAL);
      await expect(readMarker(await bench.mount(await bench.onlyVolumeOf(number)))).resolves.toBe('kept');
    });

    it('refuses to flush more than the volume holds, and loses nothing by it', async () => {
      const { disks, volumes } = bench.host;
      const { number, volume, path } = await bench.mountedVolume();
      await writeMarker(path);
      await volumes.writeVolumeCache(volume, SIGNAL);
      await writeFile(join(path, 'large'), Buffer.alloc(50 * Number(MIB), 1));
      const full = { code: 'resource-exhausted' };
      await expect(volumes.writeVolumeCache(volume, SIGNAL)).rejects.toMatchObject(full);
      await expect(volumes.unmountVolume(volume, path, SIGNAL)).rejects.toMatchObject(full);
      await expect(disks.setDiskState(number, false, SIGNAL)).rejects.toMatchObject(full);
      await expect(readMarker(path)).resolves.toBe('kept');
      await rm(join(path, 'large'));
      await volumes.unmountVolume(volume, path, SIGNAL);
      await expect(readMarker(await bench.mount(volume))).resolves.toBe('kept');
    });

    it('uses the space of deleted files again', async () => {
      const { volumes } = bench.host;
      const { volume, path } = await bench.mountedVolume();
      for (let round = 0; round < 6; round++) {
        await writeFile(join(path, `data-${round}`), Buffer.alloc(20 * Number(MIB), round));
        await volumes.writeVolumeCache(volume, SIGNAL);
        await rm(join(path, `data-${round}`));
        await volumes.writeVolumeCache(volume, SIGNAL);
      }
      expect((await volumes.getVolumeStats(volume, SIGNAL)).usedBytes).toBeLessThan(MIB);
    });

    it('tells the same size used before and after it is unmounted', async () => {
      const { volumes } = bench.host;
      const { volume, path } = await bench.mountedVolume(DISK_BYTES);
      await mkdir(join(path, 'folder'));
      await writeFile(join(path, 'folder', 'data'), Buffer.alloc(100_000));
      const mounted = await volumes.getVolumeStats(volume, SIGNAL);
      await volumes.unmountVolume(volume, path, SIGNAL);
      await expect(volumes.getVolumeStats(volume, SIGNAL)).resolves.toEqual(mounted);
    });
  });

  describe('a disk that cannot be read for a while', () => {
    const recordOf = ({ volumeId }: { volumeId: string }): string =>
      join(world.disks.attachDir, `${volumeId}.disk.json`);

    it('law 8: an unreadable record in the attach folder unplugs no disk, nor loses what was not flushed', async () => {
      const { disk, number, path } = await bench.mountedVolume();
      await writeMarker(path, 'not flushed');
      const whole = await readFile(recordOf(disk));
      await writeFile(recordOf(disk), '{');
      await expect(bench.numberOf(disk)).resolves.toBe(number);
      await bench.restart();
      await bench.host.disks.rescan(SIGNAL);
      await writeFile(recordOf(disk), whole);
      await expect(bench.host.disks.getDiskState(await bench.numberOf(disk), SIGNAL)).resolves.toEqual({
        online: true,
      });
      await expect(readMarker(path)).resolves.toBe('not flushed');
    });

    it('law 8: a new process that does not find the image yet loses nothing that was not flushed', async () => {
      const { disk, path } = await bench.mountedVolume();
      await writeMarker(path, 'not flushed');
      await rename(disk.imagePath, `${disk.imagePath}.away`);
      await bench.restart();
      await bench.host.disks.rescan(SIGNAL);
      await rename(`${disk.imagePath}.away`, disk.imagePath);
      await bench.host.disks.rescan(SIGNAL);
      await expect(readMarker(path)).resolves.toBe('not flushed');
    });

    it('does not keep other disks from being rescanned, nor their volumes from being found', async () => {
      const lost = await bench.mountedVolume();
      const { disk, volume, path } = await bench.mountedVolume();
      await rm(lost.disk.imagePath);
      await world.growDisk(disk, SMALL_DISK_BYTES * 2n);
      await bench.host.disks.rescan(SIGNAL);
      await bench.host.volumes.resizeVolume(volume, 0n, SIGNAL);
      expect(await bench.totalBytes(volume)).toBeGreaterThan(SMALL_DISK_BYTES);
      await bench.host.volumes.unmountVolume(volume, path, SIGNAL);
    });
  });

  it('law 2: touches neither of two disks that carry one volume GUID', async () => {
    const { disk, volume } = await bench.formattedVolume();
    const copy = await world.plugDisk(SMALL_DISK_BYTES);
    await copyFile(disk.imagePath, copy.imagePath);
    await bench.host.disks.setDiskState(await bench.numberOf(copy), true, SIGNAL);
    await expect(bench.host.volumes.formatVolume(volume, SIGNAL)).rejects.toMatchObject({
      code: 'failed-precondition',
      message: expect.stringContaining(copy.serialNumber) as unknown,
    });
  });

  describe('a disk unplugged while it is mounted', () => {
    it('law 12: leaves a dangling mount point, which can be removed', async () => {
      const { files, volumes } = bench.host;
      const { disk, volume, path } = await bench.mountedVolume();
      await world.unplugDisk(disk);
      await bench.host.disks.rescan(SIGNAL);
      await expect(files.pathExists(path, SIGNAL)).resolves.toBe(true);
      await expect(files.isSymlink(path, SIGNAL)).resolves.toBe(false);
      await expect(volumes.getVolumeIdFromTargetPath(path, SIGNAL)).rejects.toThrow();
      await expect(volumes.unmountVolume(volume, path, SIGNAL)).rejects.toThrow();
      await files.rmdir(path, false, SIGNAL);
      await expect(files.pathExists(path, SIGNAL)).resolves.toBe(false);
      await bench.restart();
      await expect(bench.host.files.pathExists(path, SIGNAL)).resolves.toBe(false);
    });

    it('has kept what was flushed, and lost what was not', async () => {
      const { disk, volume, path } = await bench.mountedVolume();
      await writeMarker(path, 'flushed');
      await bench.host.volumes.writeVolumeCache(volume, SIGNAL);
      await writeMarker(path, 'not flushed');
      await world.unplugDisk(disk);
      await bench.host.disks.rescan(SIGNAL);
      await world.replugDisk(disk);
      await bench.host.disks.setDiskState(await bench.numberOf(disk), true, SIGNAL);
      await expect(readMarker(path)).resolves.toBe('flushed');
      await expect(readMarker(await bench.mount(volume))).resolves.toBe('flushed');
    });

    it('dangles also when it happens while no process runs', async () => {
      const { disk, path } = await bench.mountedVolume();
      await world.unplugDisk(disk);
      await bench.restart();
      await expect(bench.findDisk(disk)).resolves.toBeUndefined();
      await expect(bench.host.files.isSymlink(path, SIGNAL)).resolves.toBe(false);
    });
  });

  it('flushes a mounted volume when its disk goes offline, and has it back where it was', async () => {
    const { disks, files } = bench.host;
    const { number, path } = await bench.mountedVolume();
    await writeMarker(path);
    await disks.setDiskState(number, false, SIGNAL);
    await expect(files.isSymlink(path, SIGNAL)).resolves.toBe(false);
    await disks.setDiskState(number, true, SIGNAL);
    await expect(readMarker(path)).resolves.toBe('kept');
  });

  it('law 2: never flushes over what another node wrote to the disk meanwhile', async () => {
    const { volumes } = bench.host;
    const here = await bench.mountedVolume();
    await writeMarker(here.path, 'here');
    const other = await simulatedHost();
    try {
      const there = new Bench(other);
      await other.disks.replug(here.disk);
      await there.host.disks.setDiskState(await there.numberOf(here.disk), true, SIGNAL);
      const path = await there.mount(here.volume);
      await writeMarker(path, 'there');
      await there.host.volumes.unmountVolume(here.volume, path, SIGNAL);
    } finally {
      await other.cleanup();
    }
    await expect(volumes.writeVolumeCache(here.volume, SIGNAL)).rejects.toThrow(/written to elsewhere/);
    await expect(bench.host.files.isSymlink(here.path, SIGNAL)).resolves.toBe(false);
    await expect(readMarker(await bench.mount(here.volume))).resolves.toBe('there');
  });

  it('law 1: neither mounts nor grows an NTFS volume that another system made', async () => {
    const { disks, volumes } = bench.host;
    const { disk, volume } = await bench.formattedVolume();
    await world.growDisk(disk, 2n * SMALL_DISK_BYTES);
    await disks.rescan(SIGNAL);
    const image = await readFile(disk.imagePath);
    const slots = 16 * Number(MIB) + 4096;
    await writeFile(disk.imagePath, image.fill(0, slots, slots + 8192));
    await expect(volumes.isVolumeFormatted(volume, SIGNAL)).resolves.toBe(true);
    await expect(volumes.mountVolume(volume, await bench.stagingPath(), SIGNAL)).rejects.toThrow(
      /not formatted by it/,
    );
    await expect(volumes.resizeVolume(volume, 0n, SIGNAL)).rejects.toThrow(/not formatted by it/);
    const before = image.subarray(0, 512 * 34);
    expect((await readFile(disk.imagePath)).subarray(0, 512 * 34).equals(before)).toBe(true);
  });

  describe('after a crash', () => {
    const statePath = (...names: readonly string[]): string => join(world.disks.stateDir, ...names);

    it('law 8: puts the directory back that was about to become a mount point', async () => {
      const { volume, path } = await bench.mountedVolume();
      await writeMarker(path);
      await rm(path);
      await bench.restart();
      await expect(bench.host.files.isSymlink(path, SIGNAL)).resolves.toBe(false);
      expect((await lstat(path)).isDirectory()).toBe(true);
      await expect(readdir(statePath('mounts'))).resolves.toEqual([]);
      await bench.host.volumes.mountVolume(volume, path, SIGNAL);
      await expect(readMarker(path)).resolves.toBe('kept');
    });

    it('law 8: throws away what was half unpacked or half removed', async () => {
      const { volume } = await bench.formattedVolume();
      const guid = /\{(.*)\}/.exec(volume)?.[1] ?? '';
      await mkdir(statePath('data', `.${guid}`, 'half'), { recursive: true });
      await writeFile(statePath('data', `${guid}.json`), '{"schema":1,"diskKey":"k","generations":["g"]}');
      await bench.restart();
      const path = await bench.mount(volume);
      await expect(readdir(path)).resolves.toEqual([]);
      expect((await readdir(statePath('data'))).sort()).toEqual([guid, `${guid}.json`]);
    });

    it('law 8: sets aside records that cannot be read, and says so', async () => {
      const { volume, path } = await bench.mountedVolume();
      const guid = /\{(.*)\}/.exec(volume)?.[1] ?? '';
      await writeFile(statePath('data', `${guid}.json`), '{"schema":9}');
      await writeFile(statePath('mounts', `${'0'.repeat(32)}.json`), '{');
      await bench.restart();
      await expect(bench.host.readiness(SIGNAL)).resolves.toEqual({ ready: true });
      await expect(bench.host.files.isSymlink(path, SIGNAL)).resolves.toBe(false);
      expect((await readdir(statePath('data'))).filter((name) => name.includes('.unreadable-'))).toHaveLength(
        2,
      );
      expect(
        (await readdir(statePath('mounts'))).filter((name) => name.includes('.unreadable-')),
      ).toHaveLength(1);
    });
  });

  describe('a disk that arrives online', () => {
    let online: Awaited<ReturnType<typeof simulatedHost>>;

    beforeEach(async () => {
      online = await simulatedHost('online');
      bench = new Bench(online);
    });

    afterEach(async () => {
      await online.cleanup();
    });

    const remembered = (): Promise<string[]> => readdir(join(online.disks.stateDir, 'disks'));

    it('is found by its mount point again when it is plugged in again', async () => {
      const { disk, volume, path } = await bench.mountedVolume();
      await writeMarker(path);
      await bench.host.volumes.writeVolumeCache(volume, SIGNAL);
      await online.unplugDisk(disk);
      await bench.host.disks.rescan(SIGNAL);
      await expect(bench.host.files.isSymlink(path, SIGNAL)).resolves.toBe(false);
      await online.replugDisk(disk);
      await expect(bench.host.files.isSymlink(path, SIGNAL)).resolves.toBe(true);
      await expect(readMarker(path)).resolves.toBe('kept');
    });

    it('leaves nothing behind when it is unplugged', async () => {
      const mounted = await bench.mountedVolume();
      const { disk, number } = await bench.onlineDisk();
      await bench.host.disks.setDiskState(number, false, SIGNAL);
      expect(await remembered()).toHaveLength(2);
      await online.unplugDisk(mounted.disk);
      await online.unplugDisk(disk);
      await bench.host.disks.listDiskIds(SIGNAL);
      expect(await remembered()).toEqual([]);
      await expect(readdir(join(online.disks.stateDir, 'data'))).resolves.toEqual([]);
    });

    it('comes online again after it was taken offline by hand, unplugged and plugged in again', async () => {
      const { disk, number } = await bench.onlineDisk();
      await bench.host.disks.setDiskState(number, false, SIGNAL);
      await online.unplugDisk(disk);
      await bench.host.disks.rescan(SIGNAL);
      await online.replugDisk(disk);
      await expect(bench.host.disks.getDiskState(await bench.numberOf(disk), SIGNAL)).resolves.toEqual({
        online: true,
      });
    });
  });

  it('law 10: says what is wrong when it cannot use its folder', async () => {
    await writeFile(world.disks.stateDir + '-file', '');
    await rm(world.disks.stateDir, { recursive: true });
    await symlink(world.disks.stateDir + '-file', world.disks.stateDir);
    await bench.restart();
    await expect(bench.host.readiness(SIGNAL)).resolves.toMatchObject({ ready: false });
    await rm(world.disks.stateDir);
    await expect(bench.host.readiness(SIGNAL)).resolves.toEqual({ ready: true });
  });

  it('ignores an attached disk whose record or image cannot be read', async () => {
    const good = await world.plugDisk(SMALL_DISK_BYTES);
    const bad = await world.plugDisk(SMALL_DISK_BYTES);
    await rm(bad.imagePath);
    await writeFile(join(world.disks.attachDir, 'vol-9.disk.json'), '{"schema":7}');
    const ids = await bench.host.disks.listDiskIds(SIGNAL);
    expect([...ids.values()].map(({ serialNumber }) => serialNumber)).toEqual([good.serialNumber]);
  });
});
