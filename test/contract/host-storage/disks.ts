import { describe, expect, it } from '@jest/globals';
import { MIB } from '../../../src/core/capacity.ts';
import { asDiskNumber } from '../../../src/core/ids.ts';
import { readMarker, SIGNAL, SMALL_DISK_BYTES, writeMarker } from './bench.ts';
import type { Bench } from './bench.ts';

export function describeDisks(bench: () => Bench): void {
  describe('disks', () => {
    describeDiscovery(bench);
    describeState(bench);
    describePartitioning(bench);
  });
}

function describeDiscovery(bench: () => Bench): void {
  it('answers as one that can serve', async () => {
    const { host } = bench();
    await expect(host.readiness(SIGNAL)).resolves.toEqual({ ready: true });
    const capabilities = await host.capabilities(SIGNAL);
    expect(capabilities.kind).toMatch(/^\S+$/);
    expect(host.maxVolumes).toBeGreaterThan(0);
  });

  it('reports the identities of a disk as they are, untrimmed', async () => {
    const { hands, host } = bench();
    const ids = { serialNumber: '  0f1e-serial. ', page83: ' naa.60022480 ' };
    const disk = await hands.plugDisk(SMALL_DISK_BYTES, ids);
    const listed = [...(await host.disks.listDiskIds(SIGNAL)).values()];
    expect(listed.filter(({ serialNumber }) => serialNumber === disk.serialNumber)).toEqual([ids]);
  });

  it('notices plugged disks without a rescan and gives each its own number and place', async () => {
    const { hands, host } = bench();
    const first = await hands.plugDisk(SMALL_DISK_BYTES);
    const before = await bench().numberOf(first);
    const second = await hands.plugDisk(SMALL_DISK_BYTES);
    const numbers = [await bench().numberOf(first), await bench().numberOf(second)];
    expect(numbers[0]).toBe(before);
    expect(new Set(numbers).size).toBe(2);
    const locations = await host.disks.listDiskLocations(SIGNAL);
    const places = numbers.map((number) => JSON.stringify(locations.get(number)));
    expect(places).not.toContain(undefined);
    expect(new Set(places).size).toBe(2);
  });

  it('tells the exact size of a disk', async () => {
    const { hands, host } = bench();
    const sizes = [SMALL_DISK_BYTES, 65n * MIB];
    for (const size of sizes) {
      const number = await bench().numberOf(await hands.plugDisk(size));
      await expect(host.disks.getDiskStats(number, SIGNAL)).resolves.toEqual({ totalBytes: size });
    }
  });

  it('no longer has an unplugged disk after a rescan', async () => {
    const { hands, host } = bench();
    const disk = await hands.plugDisk(SMALL_DISK_BYTES);
    const number = await bench().numberOf(disk);
    await hands.unplugDisk(disk);
    await host.disks.rescan(SIGNAL);
    await expect(bench().findDisk(disk)).resolves.toBeUndefined();
    await expect(host.disks.getDiskStats(number, SIGNAL)).rejects.toThrow();
  });

  it('shows that a disk grew after a rescan', async () => {
    const { hands, host } = bench();
    const { disk, number } = await bench().onlineDisk();
    await hands.growDisk(disk, 2n * SMALL_DISK_BYTES);
    await host.disks.rescan(SIGNAL);
    await expect(host.disks.getDiskStats(number, SIGNAL)).resolves.toEqual({
      totalBytes: 2n * SMALL_DISK_BYTES,
    });
  });

  it('refuses a disk that is not there', async () => {
    const { disks } = bench().host;
    const missing = asDiskNumber(9999);
    await expect(disks.getDiskStats(missing, SIGNAL)).rejects.toThrow();
    await expect(disks.getDiskState(missing, SIGNAL)).rejects.toThrow();
    await expect(disks.setDiskState(missing, true, SIGNAL)).rejects.toThrow();
    await expect(disks.partitionDisk(missing, SIGNAL)).rejects.toThrow();
  });
}

function describeState(bench: () => Bench): void {
  it('has a new disk offline, and takes it online and offline again', async () => {
    const { hands, host } = bench();
    const number = await bench().numberOf(await hands.plugDisk(SMALL_DISK_BYTES));
    await expect(host.disks.getDiskState(number, SIGNAL)).resolves.toEqual({ online: false });
    for (const online of [true, true, false, false, true]) {
      await host.disks.setDiskState(number, online, SIGNAL);
      await expect(host.disks.getDiskState(number, SIGNAL)).resolves.toEqual({ online });
    }
  });

  it('finds no volumes on a disk while it is offline, and the same one afterwards', async () => {
    const { host } = bench();
    const { number, volume } = await bench().rawVolume();
    await host.disks.setDiskState(number, false, SIGNAL);
    await expect(host.volumes.listVolumesOnDisk(number, 0, SIGNAL)).resolves.toEqual([]);
    await host.disks.setDiskState(number, true, SIGNAL);
    await expect(host.volumes.listVolumesOnDisk(number, 0, SIGNAL)).resolves.toEqual([volume]);
  });

  it('keeps files while a disk is offline, unplugged and plugged in again', async () => {
    const { hands, host } = bench();
    const { disk, number, volume, path } = await bench().mountedVolume();
    await writeMarker(path);
    await host.volumes.unmountVolume(volume, path, SIGNAL);
    await host.disks.setDiskState(number, false, SIGNAL);
    await hands.unplugDisk(disk);
    await host.disks.rescan(SIGNAL);
    await hands.replugDisk(disk);
    const again = await bench().numberOf(disk);
    await expect(host.disks.getDiskState(again, SIGNAL)).resolves.toEqual({ online: false });
    await host.disks.setDiskState(again, true, SIGNAL);
    await expect(bench().onlyVolumeOf(again)).resolves.toBe(volume);
    await expect(readMarker(await bench().mount(volume))).resolves.toBe('kept');
  });
}

function describePartitioning(bench: () => Bench): void {
  it('finds no volumes on a raw disk', async () => {
    const { number } = await bench().onlineDisk();
    await expect(bench().host.volumes.listVolumesOnDisk(number, 0, SIGNAL)).resolves.toEqual([]);
  });

  it('makes one volume, in the partition after the reserved one, named as Windows names it', async () => {
    const { host } = bench();
    const { number, volume } = await bench().rawVolume();
    expect(volume).toMatch(/^\\\\\?\\Volume\{[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\}\\$/);
    await expect(host.volumes.listVolumesOnDisk(number, 1, SIGNAL)).resolves.toEqual([]);
    await expect(host.volumes.listVolumesOnDisk(number, 2, SIGNAL)).resolves.toEqual([volume]);
  });

  it('law 3: partitioning again changes neither the volume nor its files', async () => {
    const { host } = bench();
    const { number, volume, path } = await bench().mountedVolume();
    await writeMarker(path);
    await host.disks.partitionDisk(number, SIGNAL);
    await host.volumes.unmountVolume(volume, path, SIGNAL);
    await host.disks.partitionDisk(number, SIGNAL);
    await expect(bench().onlyVolumeOf(number)).resolves.toBe(volume);
    await expect(readMarker(await bench().mount(volume))).resolves.toBe('kept');
  });

  it('partitions a disk that is offline as a no-op when it is partitioned', async () => {
    const { host } = bench();
    const { number, volume } = await bench().rawVolume();
    await host.disks.setDiskState(number, false, SIGNAL);
    await host.disks.partitionDisk(number, SIGNAL);
    await expect(host.disks.getDiskState(number, SIGNAL)).resolves.toEqual({ online: false });
    await host.disks.setDiskState(number, true, SIGNAL);
    await expect(bench().onlyVolumeOf(number)).resolves.toBe(volume);
  });
}
