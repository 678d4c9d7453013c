import assert from 'node:assert/strict';
import { assertAbout, type Bench, GIB } from '../bench.ts';
import { DiskDialect } from '../disk-dialect.ts';
import type { Sequence } from '../sequence.ts';

const WITH_IDS = ['v1', 'v1beta3', 'v1beta2', 'v1beta1'];
const WITH_STATE = ['v1', 'v1beta3', 'v1beta2'];

export const DISK_SEQUENCES: readonly Sequence[] = [
  {
    id: '1',
    title: 'disks are listed with ids and locations',
    group: 'disk',
    versions: WITH_IDS,
    needs: ['disks'],
    run: listsDisks,
  },
  {
    id: '2',
    title: 'a disk has its size, and is taken online and offline',
    group: 'disk',
    versions: WITH_STATE,
    needs: ['disks'],
    run: hasSizeAndState,
  },
  {
    id: '2',
    title: 'a disk has its size',
    group: 'disk',
    versions: ['v1beta1'],
    needs: ['disks'],
    run: hasSize,
  },
  {
    id: '3',
    title: 'a raw disk is partitioned',
    group: 'disk',
    versions: WITH_IDS,
    needs: ['disks'],
    run: partitionsRawDisk,
  },
  {
    id: '4',
    title: 'the oldest version lists, finds by name, rescans and partitions',
    group: 'disk',
    versions: ['v1alpha1'],
    needs: ['disks'],
    run: oldestVersion,
  },
];

async function listsDisks(bench: Bench, version: string): Promise<void> {
  const disk = await bench.disk('raw');
  const disks = new DiskDialect(bench, version);
  const ids = await disks.ids();
  assert.ok(ids.has(disk.number), `disk ${disk.number} is not in ListDiskIDs`);
  if (disk.ids !== undefined) assert.deepEqual(ids.get(disk.number), disk.ids);
  for (const [number, { page83, serialNumber }] of ids) {
    const mayLackPage83 = serialNumber.trim() === '' || serialNumber.startsWith('nvme');
    assert.ok(page83 !== '' || mayLackPage83, `disk ${number} has a serial number, but no page 83 id`);
  }
  assert.ok((await disks.locations()).size >= 1, 'ListDiskLocations has no disk');
}

async function hasSize(bench: Bench, version: string): Promise<void> {
  const disk = await bench.disk('partitioned');
  const disks = new DiskDialect(bench, version);
  assertAbout(await disks.sizeBytes(disk.number), GIB, 'the disk');
  await disks.rescan();
}

async function hasSizeAndState(bench: Bench, version: string): Promise<void> {
  const disk = await bench.disk('partitioned');
  const disks = new DiskDialect(bench, version);
  assertAbout(await disks.sizeBytes(disk.number), GIB, 'the disk');
  await disks.rescan();

  await disk.setOnline(false);
  assert.equal(await disks.isOnline(disk.number), false, 'after the host took it offline');
  await disks.setOnline(disk.number, true);
  assert.equal(await disk.isOnline(), true, 'the host after SetDiskState online');
  assert.equal(await disks.isOnline(disk.number), true, 'GetDiskState after SetDiskState online');
  await disks.setOnline(disk.number, false);
  assert.equal(await disk.isOnline(), false, 'the host after SetDiskState offline');
}

async function partitionsRawDisk(bench: Bench, version: string): Promise<void> {
  const disk = await bench.disk('raw');
  await new DiskDialect(bench, version).partition(disk.number);
}

async function oldestVersion(bench: Bench, version: string): Promise<void> {
  const disk = await bench.disk('raw');
  const disks = new DiskDialect(bench, version);
  assert.ok((await disks.locations()).has(disk.number), `disk ${disk.number} is not in ListDiskLocations`);
  await disks.rescan();
  await disks.partition(disk.number);
  await bench.fails('disk', version, 'GetDiskNumberByName', { disk_name: 'no disk has this name' });
  if (bench.wire.offers('disk', 'v1')) {
    const page83 = (await new DiskDialect(bench, 'v1').ids()).get(disk.number)?.page83 ?? '';
    assert.equal(await disks.numberByName(page83), disk.number);
  }
}
