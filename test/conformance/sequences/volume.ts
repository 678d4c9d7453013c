import assert from 'node:assert/strict';
import { assertAbout, type Bench, GIB, MIB } from '../bench.ts';
import { DiskDialect } from '../disk-dialect.ts';
import type { HandDisk } from '../hands.ts';
import type { Sequence } from '../sequence.ts';
import { VolumeDialect } from '../volume-dialect.ts';

const ALL = ['v1', 'v1beta3', 'v1beta2', 'v1beta1', 'v1alpha1', 'v2alpha1'];

export const VOLUME_SEQUENCES: readonly Sequence[] = [
  { id: '5', title: 'the pipe opens', group: 'volume', versions: ALL, needs: [], run: opens },
  { id: '6', title: 'no such volume', group: 'volume', versions: ALL, needs: [], run: refusesNoVolume },
  {
    id: '7',
    title: 'format, grow, measure, mount, unmount',
    group: 'volume',
    versions: ['v1', 'v1beta3'],
    needs: ['disks'],
    run: wholeLife,
  },
  {
    id: '8',
    title: 'format, grow, measure, mount, dismount by the old names',
    group: 'volume',
    versions: ['v1beta2', 'v1beta1'],
    needs: ['disks'],
    run: wholeLife,
  },
  {
    id: '8',
    title: 'format, grow, mount, dismount (no numbers)',
    group: 'volume',
    versions: ['v1alpha1'],
    needs: ['disks'],
    run: lifeWithoutNumbers,
  },
  {
    id: '9',
    title: 'format, grow, measure, mount, unmount',
    group: 'volume',
    versions: ['v2alpha1'],
    needs: ['disks'],
    run: wholeLife,
  },
  {
    id: '10',
    title: 'closest volume of a plain folder is drive C:',
    group: 'volume',
    versions: ['v2alpha1'],
    needs: ['disks', 'systemVolume'],
    run: closestIsSystem,
  },
  {
    id: '11',
    title: 'closest volume of a folder inside a mounted one',
    group: 'volume',
    versions: ['v2alpha1'],
    needs: ['disks'],
    run: closestIsAncestor,
  },
  {
    id: '12',
    title: 'closest volume of a link to a mounted one',
    group: 'volume',
    versions: ['v2alpha1'],
    needs: ['disks'],
    run: closestThroughLink,
  },
];

async function opens(bench: Bench, version: string): Promise<void> {
  await bench.wire.ready('volume', version);
}

async function refusesNoVolume(bench: Bench, version: string): Promise<void> {
  const volumes = new VolumeDialect(bench, version);
  for (const id of ['', '-1']) {
    await bench.fails('volume', version, 'IsVolumeFormatted', { volume_id: id });
    await bench.fails('volume', version, 'FormatVolume', { volume_id: id });
    await bench.fails('volume', version, 'ResizeVolume', volumes.to(id, 2n * MIB));
    await bench.fails('volume', version, 'MountVolume', volumes.at(id, ''));
    await bench.fails('volume', version, volumes.name('unmount'), volumes.at(id, ''));
    if (version !== 'v1alpha1') {
      await bench.fails('volume', version, volumes.name('stats'), { volume_id: id });
    }
  }
}

/** The one volume of a disk that was partitioned and never formatted. */
async function onlyVolume(volumes: VolumeDialect, disk: HandDisk): Promise<string> {
  const found = await volumes.volumesOn(disk.number);
  assert.equal(found.length, 1, `disk ${disk.number} has the volumes ${JSON.stringify(found)}, expected one`);
  assert.match(found[0] ?? '', /^\\\\\?\\Volume\{[0-9a-f-]{36}\}\\$/i);
  return found[0] ?? '';
}

async function formatted(
  bench: Bench,
  version: string,
): Promise<{ readonly disk: HandDisk; readonly volumes: VolumeDialect; readonly volume: string }> {
  const disk = await bench.disk('partitioned');
  const volumes = new VolumeDialect(bench, version);
  const volume = await onlyVolume(volumes, disk);
  assert.equal(await volumes.isFormatted(volume), false, 'before it was formatted');
  await volumes.format(volume);
  assert.equal(await volumes.isFormatted(volume), true, 'after it was formatted');
  return { disk, volumes, volume };
}

/** As the original computes it: in single precision, so that the size is no round number. */
const times1Point5 = (bytes: bigint): bigint => BigInt(Math.fround(Number(bytes) * 1.5));

async function wholeLife(bench: Bench, version: string): Promise<void> {
  const { disk, volumes, volume } = await formatted(bench, version);
  const { totalBytes } = await volumes.stats(volume);
  assertAbout(totalBytes, GIB, 'the volume');

  await disk.resize(2n * GIB);
  const wanted = times1Point5(totalBytes);
  await volumes.resize(volume, wanted);
  assertAbout((await volumes.stats(volume)).totalBytes, wanted, 'the grown volume');

  assert.equal(await volumes.diskOf(volume), disk.number);
  const diskVersion = version === 'v2alpha1' ? 'v1' : version;
  if (bench.wire.offers('disk', diskVersion)) {
    assert.ok((await new DiskDialect(bench, diskVersion).sizeBytes(disk.number)) > 0n);
  }
  const path = await bench.mountPoint();
  await volumes.mount(volume, path);
  assert.equal(await volumes.volumeOf(path), volume);
  await volumes.unmount(volume, path);
  assert.equal(await bench.hands.files.exists(path), true, 'the empty folder stays after unmounting');
}

async function lifeWithoutNumbers(bench: Bench, version: string): Promise<void> {
  const { disk, volumes, volume } = await formatted(bench, version);
  await disk.resize(2n * GIB);
  await volumes.resize(volume, times1Point5(GIB));
  const path = await bench.mountPoint();
  await volumes.mount(volume, path);
  await bench.hands.files.write(`${path}\\file`, 'on the volume');
  await volumes.unmount(volume, path);
  assert.equal(await bench.hands.files.exists(`${path}\\file`), false, 'the file is on the volume');
}

async function closestIsSystem(bench: Bench, version: string): Promise<void> {
  const { volumes } = await formatted(bench, version);
  assert.equal(await volumes.closestTo(await bench.mountPoint()), await bench.hands.systemVolume?.());
}

async function closestIsAncestor(bench: Bench, version: string): Promise<void> {
  const { volumes, volume } = await formatted(bench, version);
  const path = await bench.mountPoint();
  await volumes.mount(volume, path);
  await bench.hands.files.mkdir(`${path}\\foo\\bar`);
  assert.equal(await volumes.closestTo(`${path}\\foo\\bar`), volume);
  await volumes.unmount(volume, path);
}

async function closestThroughLink(bench: Bench, version: string): Promise<void> {
  const { volumes, volume } = await formatted(bench, version);
  const path = await bench.mountPoint();
  await volumes.mount(volume, path);
  const source = bench.path('plugins');
  await bench.hands.files.link(path, source);
  assert.equal(await volumes.closestTo(source), volume);
  await volumes.unmount(volume, path);
}
