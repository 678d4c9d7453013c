import { describe, expect, it } from '@jest/globals';
import { MIB } from '../../../src/core/capacity.ts';
import { asDiskNumber } from '../../../src/core/ids.ts';
import type { DiskNumber } from '../../../src/core/ids.ts';
import { expectState, readMarker, SIGNAL, SMALL_DISK_BYTES, writeMarker } from './bench.ts';
import type { Bench, Lack } from './bench.ts';

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
    expect(host.maxVolumes).toBeGreaterThan(0);
  });

  it('knows what it can do', async () => {
    const can = (method: Lack): boolean => !bench().lacks(method);
    const capabilities = await bench().host.capabilities(SIGNAL);
    expect(capabilities).toMatchObject({
      diskIds: can('listDiskIds'),
      diskState: can('setDiskState'),
      volumeStats: can('getVolumeStats'),
      targetPathLookup: can('getVolumeIdFromTargetPath'),
    });
    expect(capabilities.kind).toMatch(/^\S+$/);
  });

  it('reports the identities of a disk as they are, untrimmed', async () => {
    const { hands, host } = bench();
    const ids = { serialNumber: '  0f1e-serial. ', page83: ' naa.60022480 ' };
    const disk = await hands.plugDisk(SMALL_DISK_BYTES, ids);
    if (await bench().refuses('listDiskIds', ({ disks }) => disks.listDiskIds(SIGNAL))) return;
    const listed = [...(await host.disks.listDiskIds(SIGNAL)).values()];
    expect(listed.filter(({ serialNumber }) => serialNumber === disk.serialNumber)).toEqual([ids]);
  });

  it('law 2: finds a disk by exactly its page 83 id, as it is', async () => {
    const { hands, host } = bench();
    const page83 = ' naa.60022480 ';
    await hands.plugDisk(SMALL_DISK_BYTES, { page83: 'naa.60022480ff' });
    const number = await bench().numberOf(await hands.plugDisk(SMALL_DISK_BYTES, { page83 }));
    await hands.plugDisk(SMALL_DISK_BYTES, { page83: 'naa.60022480' });
    await expect(host.disks.getDiskNumberByPage83(page83, SIGNAL)).resolves.toBe(number);
    for (const other of ['naa.6002248', ' naa.60022480', '']) {
      await expect(host.disks.getDiskNumberByPage83(other, SIGNAL)).rejects.toThrow();
    }
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
      if (await bench().refuses('getDiskStats', ({ disks }) => disks.getDiskStats(number, SIGNAL))) return;
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
    if (await bench().refuses('getDiskStats', ({ disks }) => disks.getDiskStats(number, SIGNAL))) return;
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
  it('has a new disk as its SAN policy says, and takes it online and offline again', async () => {
    const { hands, host } = bench();
    const number = await bench().numberOf(await hands.plugDisk(SMALL_DISK_BYTES));
    await expectState(bench(), number, hands.sanPolicy === 'online');
    if (await bench().refuses('setDiskState', ({ disks }) => disks.setDiskState(number, false, SIGNAL)))
      return;
    for (const online of [true, true, false, false, true]) {
      await host.disks.setDiskState(number, online, SIGNAL);
      await expectState(bench(), number, online);
    }
  });

  it('uses a disk that arrives online at once, and one that does not only when it is told to', async () => {
    const { hands, host } = bench();
    const { disk, volume, number } = await bench().formattedVolume();
    await putAway(bench(), number);
    const again = await bench().whileUnplugged(disk, () => Promise.resolve());
    await putAway(bench(), again);
    await hands.unplugDisk(disk);
    await expect(bench().findDisk(disk)).resolves.toBeUndefined();
    await hands.replugDisk(disk);
    const volumes = await host.volumes.listVolumesOnDisk(await bench().numberOf(disk), 0, SIGNAL);
    expect(volumes).toEqual(hands.sanPolicy === 'online' ? [volume] : []);
  });

  it('keeps a disk offline that was taken offline by hand, also over a restart', async () => {
    const { hands } = bench();
    const disk = await hands.plugDisk(SMALL_DISK_BYTES);
    const number = await bench().numberOf(disk);
    if (await bench().refuses('setDiskState', ({ disks }) => disks.setDiskState(number, false, SIGNAL)))
      return;
    await bench().host.disks.setDiskState(number, false, SIGNAL);
    await bench().host.disks.rescan(SIGNAL);
    await expectState(bench(), number, false);
    await bench().restart();
    const later = await bench().numberOf(disk);
    await expectState(bench(), later, false);
    await bench().host.disks.setDiskState(later, true, SIGNAL);
    await bench().restart();
    await expectState(bench(), await bench().numberOf(disk), true);
  });

  it('finds no volumes on a disk while it is offline, and the same one afterwards', async () => {
    const { host } = bench();
    const { number, volume } = await bench().rawVolume();
    if (await bench().refuses('setDiskState', ({ disks }) => disks.setDiskState(number, false, SIGNAL)))
      return;
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
    await putAway(bench(), number);
    await hands.unplugDisk(disk);
    await host.disks.rescan(SIGNAL);
    await hands.replugDisk(disk);
    await expectState(bench(), await bench().numberOf(disk), hands.sanPolicy === 'online');
    const again = await bench().takeOnline(disk);
    await expect(bench().onlyVolumeOf(again)).resolves.toBe(volume);
    await expect(readMarker(await bench().mount(volume))).resolves.toBe('kept');
  });
}

/** What a node does before a disk is unplugged; where it cannot, the unplugging must do. */
async function putAway({ host, hands }: Bench, number: DiskNumber): Promise<void> {
  if (!hands.lacks.includes('setDiskState')) await host.disks.setDiskState(number, false, SIGNAL);
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
    const listed = (partition: number) => (): Promise<unknown> =>
      host.volumes.listVolumesOnDisk(number, partition, SIGNAL);
    if (await bench().refuses('partitions', listed(1))) return;
    await expect(listed(1)()).resolves.toEqual([]);
    await expect(listed(2)()).resolves.toEqual([volume]);
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
    if (await bench().refuses('setDiskState', ({ disks }) => disks.setDiskState(number, false, SIGNAL)))
      return;
    await host.disks.setDiskState(number, false, SIGNAL);
    await host.disks.partitionDisk(number, SIGNAL);
    await expectState(bench(), number, false);
    await host.disks.setDiskState(number, true, SIGNAL);
    await expect(bench().onlyVolumeOf(number)).resolves.toBe(volume);
  });
}
