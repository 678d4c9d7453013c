import assert from 'node:assert/strict';
import { type Bench, MIB } from '../bench.ts';
import { DiskDialect } from '../disk-dialect.ts';
import { FileDialect } from '../file-dialect.ts';
import type { Sequence } from '../sequence.ts';
import { VolumeDialect } from '../volume-dialect.ts';
import { FILESYSTEM_VERSIONS } from './filesystem.ts';

const VOLUME_VERSIONS = ['v1', 'v1beta3', 'v1beta2', 'v1beta1', 'v1alpha1', 'v2alpha1'];

/** What differs from release to release, or what releases before 1.2 did otherwise. */
export const ERA_SEQUENCES: readonly Sequence[] = [
  {
    id: 'era',
    title: 'no volume: one empty id up to 1.2, none from 1.3 on',
    group: 'volume',
    versions: VOLUME_VERSIONS,
    needs: ['disks'],
    needsEra: true,
    run: listsNoVolume,
  },
  {
    id: 'era',
    title: 'mounting again: refused up to 1.2, taken from 1.3 on',
    group: 'volume',
    versions: VOLUME_VERSIONS,
    needs: ['disks'],
    needsEra: true,
    run: mountsTwice,
  },
  {
    id: 'era',
    title: 'growth below 100 MiB is taken and does nothing',
    group: 'volume',
    versions: VOLUME_VERSIONS.filter((version) => version !== 'v1alpha1'),
    needs: ['disks'],
    needsEra: true,
    run: ignoresSmallGrowth,
  },
  {
    id: 'era',
    title: 'removing a mount point by force keeps the files of its volume',
    group: 'filesystem',
    versions: FILESYSTEM_VERSIONS,
    needs: ['disks'],
    needsEra: true,
    run: keepsFilesOfVolume,
  },
];

interface MountedVolume {
  readonly volumes: VolumeDialect;
  readonly volume: string;
  readonly path: string;
}

async function formattedVolume(bench: Bench, version: string): Promise<Omit<MountedVolume, 'path'>> {
  const disk = await bench.disk('partitioned');
  const volumes = new VolumeDialect(bench, version);
  const [volume = ''] = await volumes.volumesOn(disk.number);
  await volumes.format(volume);
  return { volumes, volume };
}

async function listsNoVolume(bench: Bench, version: string): Promise<void> {
  const disk = await bench.disk('raw');
  const none = bench.options.era === '1.2' ? [''] : [];
  assert.deepEqual(await new VolumeDialect(bench, version).volumesOn(disk.number), none);
}

async function mountsTwice(bench: Bench, version: string): Promise<void> {
  const { volumes, volume } = await formattedVolume(bench, version);
  const path = await bench.mountPoint();
  await volumes.mount(volume, path);
  if (bench.options.era === '1.2') {
    await bench.fails('volume', version, 'MountVolume', volumes.at(volume, path));
  } else await volumes.mount(volume, path);
  await volumes.unmount(volume, path);
  const other = await formattedVolume(bench, version);
  await volumes.mount(volume, path);
  await bench.fails('volume', version, 'MountVolume', volumes.at(other.volume, path));
  await volumes.unmount(volume, path);
}

async function ignoresSmallGrowth(bench: Bench, version: string): Promise<void> {
  const disk = await bench.disk('partitioned', 512n * MIB);
  const volumes = new VolumeDialect(bench, version);
  const [volume = ''] = await volumes.volumesOn(disk.number);
  await volumes.format(volume);
  const before = await volumes.stats(volume);
  await disk.resize(1024n * MIB);
  await volumes.resize(volume, before.totalBytes + 50n * MIB);
  assert.equal((await volumes.stats(volume)).totalBytes, before.totalBytes, 'after 50 MiB more');
  await volumes.resize(volume, before.totalBytes / 2n);
  assert.equal((await volumes.stats(volume)).totalBytes, before.totalBytes, 'after half of it');
  await volumes.resize(volume, before.totalBytes + 150n * MIB);
  assert.ok((await volumes.stats(volume)).totalBytes > before.totalBytes, 'after 150 MiB more');
  const tooMuch = volumes.to(volume, 4096n * MIB);
  await bench.fails('volume', version, 'ResizeVolume', tooMuch);
}

async function keepsFilesOfVolume(bench: Bench, version: string): Promise<void> {
  const files = new FileDialect(bench, version);
  const { volumes, volume } = await formattedVolume(bench, 'v1');
  const path = await bench.mountPoint();
  await volumes.mount(volume, path);
  await bench.hands.files.write(`${path}\\precious`, 'kept');
  assert.equal(await files.isSymlink(path), true, 'a mount point');
  await files.rmdir(path, true);
  assert.equal(await files.exists(path), false);
  const again = await bench.mountPoint();
  await volumes.mount(volume, again);
  assert.equal(await bench.hands.files.read(`${again}\\precious`), 'kept');
  await volumes.unmount(volume, again);
  await new DiskDialect(bench, 'v1').rescan();
}
