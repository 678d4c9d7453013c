import { describe, expect, it } from '@jest/globals';
import { CALL_BUDGETS, type BudgetedOperation } from '../../../src/core/call-budgets.ts';
import { MIB } from '../../../src/core/capacity.ts';
import { PRESET_NAMES, type HostPreset } from '../../support/memory-host-presets.ts';
import { NodeWorld, STAGING } from '../../support/node-world.ts';

/** A world with a volume that another node has formatted: attached here for the first time. */
function formattedWorld(preset: HostPreset): NodeWorld {
  const content = { state: 'ntfs', found: 'NTFS', fileSystemBytes: 1007n * MIB } as const;
  const world = new NodeWorld({ content, preset });
  world.host.addVolume(world.disk, { formatted: true });
  return world;
}

interface Sequence {
  readonly operation: BudgetedOperation;
  readonly world: (preset: HostPreset) => NodeWorld;
  readonly before: (world: NodeWorld) => Promise<unknown>;
  readonly run: (world: NodeWorld) => Promise<unknown>;
  readonly calls: readonly string[];
  /** Over a host with the oldest CSI Proxy. */
  readonly oldest: readonly string[];
}

const blank = (preset: HostPreset): NodeWorld => new NodeWorld({ preset });
const nothing = (): Promise<void> => Promise.resolve();
const stage = (world: NodeWorld): Promise<unknown> => world.stage();
const stageAndPublish = (world: NodeWorld): Promise<unknown> => world.stage().then(() => world.publish());

const SEQUENCES: readonly Sequence[] = [
  {
    operation: 'NodeStage, blank disk',
    world: blank,
    before: nothing,
    run: stage,
    calls: [
      'isSymlink',
      'listDiskIds',
      'setDiskState',
      'partitionDisk',
      'listVolumesOnDisk',
      'isVolumeFormatted',
      'listDiskIds',
      'formatVolume',
      'mountVolume',
    ],
    oldest: [
      'isSymlink',
      'getDiskNumberByPage83',
      'partitionDisk',
      'listVolumesOnDisk',
      'isVolumeFormatted',
      'getDiskNumberByPage83',
      'formatVolume',
      'mountVolume',
    ],
  },
  {
    operation: 'NodeStage, formatted disk',
    world: formattedWorld,
    before: nothing,
    run: stage,
    calls: [
      'isSymlink',
      'listDiskIds',
      'setDiskState',
      'listVolumesOnDisk',
      'isVolumeFormatted',
      'mountVolume',
    ],
    oldest: ['isSymlink', 'getDiskNumberByPage83', 'listVolumesOnDisk', 'isVolumeFormatted', 'mountVolume'],
  },
  {
    operation: 'NodeStage, repeat',
    world: blank,
    before: stage,
    run: stage,
    calls: ['isSymlink', 'getVolumeIdFromTargetPath'],
    oldest: ['isSymlink'],
  },
  {
    operation: 'NodePublish',
    world: blank,
    before: stage,
    run: (world) => world.publish(),
    calls: ['getVolumeIdFromTargetPath', 'createSymlink'],
    oldest: ['isSymlink', 'createSymlink'],
  },
  {
    operation: 'NodePublish, repeat',
    world: blank,
    before: stageAndPublish,
    run: (world) => world.publish(),
    calls: ['getVolumeIdFromTargetPath'],
    oldest: ['isSymlink'],
  },
  {
    operation: 'NodeUnpublish',
    world: blank,
    before: stageAndPublish,
    run: (world) => world.unpublish(),
    calls: ['rmdir'],
    oldest: ['rmdir'],
  },
  {
    operation: 'NodeUnstage',
    world: blank,
    before: stage,
    run: (world) => world.unstage(),
    calls: ['isSymlink', 'getVolumeIdFromTargetPath', 'unmountVolume', 'listDiskIds', 'setDiskState'],
    oldest: ['isSymlink', 'unmountVolume'],
  },
  {
    operation: 'NodeUnstage, repeat',
    world: blank,
    before: (world) => world.stage().then(() => world.unstage()),
    run: (world) => world.unstage(),
    calls: ['isSymlink'],
    oldest: ['isSymlink'],
  },
  {
    operation: 'NodeExpand',
    world: blank,
    before: stage,
    run: (world) => world.expand(1024n * MIB),
    calls: ['getVolumeIdFromTargetPath', 'rescan', 'resizeVolume', 'getVolumeStats'],
    oldest: ['isSymlink', 'rescan', 'resizeVolume'],
  },
  {
    operation: 'NodeGetVolumeStats, local path',
    world: (preset) => {
      const world = blank(preset);
      world.host.features = { ...world.host.features, localStat: true };
      world.extraDeps = { statVolume: () => Promise.resolve({ totalBytes: 10n, usedBytes: 4n }) };
      world.start();
      return world;
    },
    before: stage,
    run: (world) => world.stats(),
    calls: [],
    oldest: [],
  },
  {
    operation: 'NodeGetVolumeStats',
    world: blank,
    before: stage,
    run: (world) => Promise.all([world.stats(), world.stats(), world.stats()]).then(() => world.stats()),
    calls: ['getVolumeStats'],
    oldest: [],
  },
];

describe('host calls of each operation', () => {
  describe.each(PRESET_NAMES)('with %s', (preset) => {
    it.each(SEQUENCES)('$operation', async (sequence) => {
      const world = sequence.world(preset);
      await sequence.before(world);
      const made = await world.during(() => sequence.run(world));
      expect(made.length).toBeLessThanOrEqual(CALL_BUDGETS[sequence.operation]);
      const known = { v1: sequence.calls, v1alpha1: sequence.oldest }[preset as string];
      expect(made).toEqual(known ?? made);
    });
  });

  it('has every budgeted operation in the table', () => {
    expect(SEQUENCES.map(({ operation }) => operation).sort()).toEqual(Object.keys(CALL_BUDGETS).sort());
  });

  it('stages a volume again after an unstage without partitioning, though publish_context still says blank', async () => {
    const world = new NodeWorld();
    await world.stage();
    world.write(STAGING, 'a', 'kept');
    await world.unstage();
    const made = await world.during(() => world.stage());
    expect(made).toHaveLength(CALL_BUDGETS['NodeStage, formatted disk']);
    expect(world.read(STAGING, 'a')).toBe('kept');
    expect(world.disk.formats).toBe(1);
  });

  it('removes a target that was removed before with one call', async () => {
    const world = new NodeWorld();
    await world.stage();
    await world.publish();
    await world.unpublish();
    expect(await world.during(() => world.unpublish())).toEqual(['pathExists']);
  });
});
