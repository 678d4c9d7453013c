import { open, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { MIB } from '../../../src/core/capacity.ts';
import { asHostVolumeId, hostVolumeIdOf } from '../../../src/core/ids.ts';
import {
  DISK_BYTES,
  either,
  expectAbout,
  expectDiskOf,
  readMarker,
  SIGNAL,
  SMALL_DISK_BYTES,
  writeMarker,
} from './bench.ts';
import type { Bench } from './bench.ts';

const BASIC_PARTITION_BYTE = 16 * Number(MIB);
const EXT4_MAGIC_BYTE = 1024 + 56;

export function describeVolumes(bench: () => Bench): void {
  describe('volumes', () => {
    describeFormat(bench);
    describeGrowth(bench);
    describeStats(bench);
    describeFlush(bench);
    describeMissingVolumes(bench);
  });
}

function describeFormat(bench: () => Bench): void {
  it('formats a volume that is not formatted', async () => {
    const { volumes } = bench().host;
    const { volume } = await bench().rawVolume();
    await expect(volumes.isVolumeFormatted(volume, SIGNAL)).resolves.toBe(false);
    await volumes.formatVolume(volume, SIGNAL);
    await expect(volumes.isVolumeFormatted(volume, SIGNAL)).resolves.toBe(true);
  });

  it('formats unconditionally: nothing of the former files is left', async () => {
    const { volumes } = bench().host;
    const { volume, path } = await bench().mountedVolume();
    await writeMarker(path);
    await volumes.unmountVolume(volume, path, SIGNAL);
    await volumes.formatVolume(volume, SIGNAL);
    const entries = await readdir(await bench().mount(volume));
    expect(entries).not.toContain('marker.txt');
  });

  it('takes a foreign file system for not formatted', async () => {
    const { volumes } = bench().host;
    const { disk, volume } = await bench().rawVolume();
    await bench().whileUnplugged(disk, async () => {
      const image = await open(disk.imagePath, 'r+');
      try {
        await image.write(Uint8Array.of(0x53, 0xef), 0, 2, BASIC_PARTITION_BYTE + EXT4_MAGIC_BYTE);
      } finally {
        await image.close();
      }
    });
    await expect(volumes.isVolumeFormatted(volume, SIGNAL)).resolves.toBe(false);
  });

  it('tells the disk of a volume', async () => {
    const first = await bench().rawVolume();
    const second = await bench().rawVolume();
    await expectDiskOf(bench(), first.volume, first.number);
    await expectDiskOf(bench(), second.volume, second.number);
  });
}

function describeGrowth(bench: () => Bench): void {
  it('grows a mounted volume to all there is and keeps its files', async () => {
    const { hands, host } = bench();
    const { disk, volume, path } = await bench().mountedVolume(DISK_BYTES);
    await writeMarker(path);
    await hands.growDisk(disk, 2n * DISK_BYTES);
    await host.disks.rescan(SIGNAL);
    await host.volumes.resizeVolume(volume, 0n, SIGNAL);
    expectAbout(await bench().totalBytes(volume), 2n * DISK_BYTES);
    await expect(readMarker(path)).resolves.toBe('kept');
    await host.volumes.unmountVolume(volume, path, SIGNAL);
    await expect(readMarker(await bench().mount(volume))).resolves.toBe('kept');
  });

  it('grows a volume that is not mounted to the size it is told', async () => {
    const { hands, host } = bench();
    const { disk, volume } = await bench().formattedVolume(DISK_BYTES);
    await hands.growDisk(disk, 2n * DISK_BYTES);
    await host.disks.rescan(SIGNAL);
    const wanted = DISK_BYTES + DISK_BYTES / 2n;
    await host.volumes.resizeVolume(volume, wanted, SIGNAL);
    expectAbout(await bench().totalBytes(volume), wanted);
  });

  it('law 3: growing again changes nothing', async () => {
    const { hands, host } = bench();
    const { disk, volume } = await bench().mountedVolume(DISK_BYTES);
    await hands.growDisk(disk, 2n * DISK_BYTES);
    await host.disks.rescan(SIGNAL);
    await host.volumes.resizeVolume(volume, 0n, SIGNAL);
    const grown = await bench().totalBytes(volume);
    await host.volumes.resizeVolume(volume, 0n, SIGNAL);
    await expect(bench().totalBytes(volume)).resolves.toBe(grown);
  });

  it('survives a small growth, whether it takes it or not', async () => {
    const { hands, host } = bench();
    const { disk, volume, path } = await bench().mountedVolume();
    await writeMarker(path);
    const before = await bench().totalBytes(volume);
    await hands.growDisk(disk, SMALL_DISK_BYTES + 32n * MIB);
    await host.disks.rescan(SIGNAL);
    await host.volumes.resizeVolume(volume, 0n, SIGNAL);
    expect([before, before + 32n * MIB]).toContain(await bench().totalBytes(volume));
    await expect(readMarker(path)).resolves.toBe('kept');
  });

  it('never shrinks', async () => {
    const { host } = bench();
    const { volume, path } = await bench().mountedVolume(DISK_BYTES);
    await writeMarker(path);
    const before = await bench().totalBytes(volume);
    await either(host.volumes.resizeVolume(volume, DISK_BYTES / 2n, SIGNAL));
    await expect(bench().totalBytes(volume)).resolves.toBe(before);
    await expect(readMarker(path)).resolves.toBe('kept');
  });

  it('refuses to grow beyond the disk', async () => {
    const { host } = bench();
    const { volume } = await bench().formattedVolume(DISK_BYTES);
    const before = await bench().totalBytes(volume);
    await expect(host.volumes.resizeVolume(volume, 2n * DISK_BYTES, SIGNAL)).rejects.toThrow();
    await expect(bench().totalBytes(volume)).resolves.toBe(before);
  });
}

function describeStats(bench: () => Bench): void {
  it('reports the size of the disk less 20 MiB at most', async () => {
    const { volume } = await bench().formattedVolume(DISK_BYTES);
    expectAbout(await bench().totalBytes(volume), DISK_BYTES);
  });

  it('counts what is written as used', async () => {
    const { volumes } = bench().host;
    const { volume, path } = await bench().mountedVolume(DISK_BYTES);
    if (await bench().refuses('getVolumeStats', (host) => host.volumes.getVolumeStats(volume, SIGNAL)))
      return;
    const before = await volumes.getVolumeStats(volume, SIGNAL);
    await writeFile(join(path, 'data'), Buffer.alloc(8 * Number(MIB), 7));
    if (!bench().lacks('writeVolumeCache')) await volumes.writeVolumeCache(volume, SIGNAL);
    const after = await volumes.getVolumeStats(volume, SIGNAL);
    expect(after.totalBytes).toBe(before.totalBytes);
    expect(after.usedBytes - before.usedBytes).toBeGreaterThanOrEqual(8n * MIB);
    expect(after.usedBytes - before.usedBytes).toBeLessThan(9n * MIB);
  });
}

function describeFlush(bench: () => Bench): void {
  it('flushes a volume, mounted or not, and keeps its files', async () => {
    const { volumes } = bench().host;
    const { volume, path } = await bench().mountedVolume();
    await writeMarker(path);
    if (await bench().refuses('writeVolumeCache', (host) => host.volumes.writeVolumeCache(volume, SIGNAL)))
      return;
    await volumes.writeVolumeCache(volume, SIGNAL);
    await expect(readMarker(path)).resolves.toBe('kept');
    await volumes.unmountVolume(volume, path, SIGNAL);
    await volumes.writeVolumeCache(volume, SIGNAL);
    await expect(readMarker(await bench().mount(volume))).resolves.toBe('kept');
  });
}

function describeMissingVolumes(bench: () => Bench): void {
  const absent = hostVolumeIdOf('00000000-0000-4000-8000-000000000000');
  it.each([asHostVolumeId(''), asHostVolumeId('-1'), absent])('refuses the volume "%s"', async (volume) => {
    const { volumes } = bench().host;
    const path = await bench().stagingPath();
    const calls = [
      volumes.isVolumeFormatted(volume, SIGNAL),
      volumes.formatVolume(volume, SIGNAL),
      volumes.mountVolume(volume, path, SIGNAL),
      volumes.unmountVolume(volume, path, SIGNAL),
      volumes.resizeVolume(volume, 0n, SIGNAL),
      volumes.getVolumeStats(volume, SIGNAL),
      volumes.getDiskNumberFromVolumeId(volume, SIGNAL),
      volumes.writeVolumeCache(volume, SIGNAL),
    ];
    const outcomes = (await Promise.allSettled(calls)).map(({ status }) => status);
    expect(outcomes).toEqual(calls.map(() => 'rejected'));
    await expect(readdir(path)).resolves.toEqual([]);
  });
}
