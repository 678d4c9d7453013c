import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import {
  expectDiskOf,
  expectState,
  expectVolumeAt,
  readMarker,
  SIGNAL,
  SMALL_DISK_BYTES,
  writeMarker,
} from './bench.ts';
import type { Bench } from './bench.ts';

export function describeLifeCycle(bench: () => Bench): void {
  describe('life cycle', () => {
    describeConcurrency(bench);
    describeRestart(bench);
    describeCancellation(bench);
  });
}

function describeConcurrency(bench: () => Bench): void {
  it('serves two disks at once without mixing them up', async () => {
    const { volumes } = bench().host;
    const walk = async (text: string): Promise<string> => {
      const { disk, volume, path } = await bench().mountedVolume();
      await writeMarker(path, text);
      await volumes.unmountVolume(volume, path, SIGNAL);
      const again = await bench().whileUnplugged(disk, () => Promise.resolve());
      return readMarker(await bench().mount(await bench().onlyVolumeOf(again)));
    };
    await expect(Promise.all([walk('one'), walk('two'), walk('three')])).resolves.toEqual([
      'one',
      'two',
      'three',
    ]);
  });
}

function describeRestart(bench: () => Bench): void {
  it('law 3: finds attached disks, their state and mounted volumes again after a restart', async () => {
    const mounted = await bench().mountedVolume();
    await writeMarker(mounted.path);
    const untouched = await bench().hands.plugDisk(SMALL_DISK_BYTES);
    await bench().numberOf(untouched);

    await bench().restart();
    const { files } = bench().host;
    const number = await bench().numberOf(mounted.disk);
    await expectState(bench(), number, true);
    await expectState(bench(), await bench().numberOf(untouched), bench().hands.sanPolicy === 'online');
    await expect(bench().onlyVolumeOf(number)).resolves.toBe(mounted.volume);
    await expectDiskOf(bench(), mounted.volume, number);
    await expect(files.isSymlink(mounted.path, SIGNAL)).resolves.toBe(true);
    await expectVolumeAt(bench(), mounted.path, mounted.volume);
    await expect(readMarker(mounted.path)).resolves.toBe('kept');
  });

  it('law 3: unmounts after a restart what was mounted before it', async () => {
    const { volume, path } = await bench().mountedVolume();
    await writeMarker(path);
    await bench().restart();
    await bench().host.volumes.unmountVolume(volume, path, SIGNAL);
    await expect(readdir(path)).resolves.toEqual([]);
    await expect(readMarker(await bench().mount(volume))).resolves.toBe('kept');
  });
}

function describeCancellation(bench: () => Bench): void {
  const gone = AbortSignal.abort(new Error('the caller has gone'));

  it('changes no disk when the caller has gone before', async () => {
    const { disks, volumes } = bench().host;
    const disk = await bench().hands.plugDisk(SMALL_DISK_BYTES);
    const number = await bench().numberOf(disk);
    const online = bench().hands.sanPolicy === 'online';
    await expect(disks.setDiskState(number, !online, gone)).rejects.toThrow();
    await expectState(bench(), number, online);
    await bench().takeOnline(disk);
    await expect(disks.partitionDisk(number, gone)).rejects.toThrow();
    await expect(volumes.listVolumesOnDisk(number, 0, SIGNAL)).resolves.toEqual([]);
  });

  it('changes no volume when the caller has gone before', async () => {
    const { files, volumes } = bench().host;
    const { volume } = await bench().rawVolume();
    await expect(volumes.formatVolume(volume, gone)).rejects.toThrow();
    await expect(volumes.isVolumeFormatted(volume, SIGNAL)).resolves.toBe(false);
    await volumes.formatVolume(volume, SIGNAL);
    const path = await bench().stagingPath();
    await expect(volumes.mountVolume(volume, path, gone)).rejects.toThrow();
    await expect(files.isSymlink(path, SIGNAL)).resolves.toBe(false);
    await volumes.mountVolume(volume, path, SIGNAL);
    await expect(volumes.unmountVolume(volume, path, gone)).rejects.toThrow();
    await expect(files.isSymlink(path, SIGNAL)).resolves.toBe(true);
  });

  it('changes no path when the caller has gone before', async () => {
    const { files } = bench().host;
    const folder = await bench().hands.tempPath();
    await mkdir(join(folder, 'here'));
    await expect(files.mkdir(join(folder, 'new'), gone)).rejects.toThrow();
    await expect(files.createSymlink(join(folder, 'here'), join(folder, 'link'), gone)).rejects.toThrow();
    await expect(files.rmdir(join(folder, 'here'), false, gone)).rejects.toThrow();
    await expect(files.rmdir(join(folder, 'here'), true, gone)).rejects.toThrow();
    await expect(files.rmdirContents(folder, gone)).rejects.toThrow();
    await expect(readdir(folder)).resolves.toEqual(['here']);
  });
}
