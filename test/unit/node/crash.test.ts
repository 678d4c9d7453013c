import { describe, expect, it } from '@jest/globals';
import { MIB } from '../../../src/core/capacity.ts';
import { PRESET_NAMES, type HostPreset } from '../../support/memory-host-presets.ts';
import { BLANK, NodeWorld, STAGING, TARGET } from '../../support/node-world.ts';

interface Sequence {
  readonly name: string;
  readonly world: (preset: HostPreset) => NodeWorld;
  readonly before: (world: NodeWorld) => Promise<unknown>;
  readonly run: (world: NodeWorld) => Promise<unknown>;
  /** What must hold once the call has been repeated to its end. */
  readonly converged: (world: NodeWorld) => Promise<void>;
}

/** A volume that another machine formatted and filled; half the size of its disk. */
function restoredWorld(preset: HostPreset): NodeWorld {
  const world = new NodeWorld({
    preset,
    capacityBytes: 2048n * MIB,
    content: { state: 'ntfs', found: 'NTFS', fileSystemBytes: 1007n * MIB },
  });
  const data = new Map([['a', 'kept']]);
  world.host.addVolume(world.disk, { formatted: true, fileSystemBytes: 1007n * MIB, data });
  return world;
}

const blankWorld = (preset: HostPreset): NodeWorld => new NodeWorld({ preset });

async function stagedWithData(world: NodeWorld): Promise<void> {
  await world.stage();
  world.write(STAGING, 'a', 'kept');
}

async function publishedWithData(world: NodeWorld): Promise<void> {
  await stagedWithData(world);
  await world.publish();
}

const expectStaged = async (world: NodeWorld): Promise<void> => {
  expect(await world.record()).toMatchObject({
    phase: 'staged',
    stagingPath: STAGING,
    holdsFileSystem: true,
  });
  expect(world.host.follow(STAGING)).toBeDefined();
};

const SEQUENCES: readonly Sequence[] = [
  {
    name: 'NodeStage of a blank disk',
    world: blankWorld,
    before: () => Promise.resolve(),
    run: (world) => world.stage(),
    converged: async (world) => {
      await expectStaged(world);
      expect(world.disk.formats).toBe(1);
    },
  },
  {
    name: 'NodeStage of a restored disk that has to grow',
    world: restoredWorld,
    before: () => Promise.resolve(),
    run: (world) => world.stage(),
    converged: async (world) => {
      await expectStaged(world);
      expect(world.read(STAGING, 'a')).toBe('kept');
      expect(world.host.follow(STAGING)?.fileSystemBytes).toBe(2031n * MIB);
      expect(world.disk.formats).toBe(0);
    },
  },
  {
    name: 'NodePublish',
    world: blankWorld,
    before: stagedWithData,
    run: (world) => world.publish(),
    converged: async (world) => {
      expect(world.read(TARGET, 'a')).toBe('kept');
      expect((await world.record())?.targets).toMatchObject([{ path: TARGET, state: 'published' }]);
    },
  },
  {
    name: 'NodeUnpublish',
    world: blankWorld,
    before: publishedWithData,
    run: (world) => world.unpublish(),
    converged: async (world) => {
      expect(world.host.paths.has(TARGET)).toBe(false);
      expect((await world.record())?.targets).toEqual([]);
      expect(world.read(STAGING, 'a')).toBe('kept');
    },
  },
  {
    name: 'NodeUnstage',
    world: blankWorld,
    before: stagedWithData,
    run: (world) => world.unstage(),
    converged: async (world) => {
      expect(await world.record()).toMatchObject({ phase: 'unstaged', holdsFileSystem: true });
      expect(world.host.follow(STAGING)).toBeUndefined();
      expect(world.disk.online).toBe(!world.host.features.diskState);
      expect(world.disk.volumes[0]?.data.get('a')).toBe('kept');
    },
  },
  {
    name: 'NodeExpand',
    world: blankWorld,
    before: async (world) => {
      await stagedWithData(world);
      world.disk.capacityBytes = 2048n * MIB;
    },
    run: (world) => world.expand(2048n * MIB),
    converged: async (world) => {
      expect(world.host.follow(STAGING)?.fileSystemBytes).toBe(2031n * MIB);
      expect(world.read(STAGING, 'a')).toBe('kept');
      if (world.host.features.volumeStats) expect((await world.record())?.grownToBytes).toBe(2048n * MIB);
    },
  },
];

describe.each(PRESET_NAMES)('a process that dies over a host with %s', (preset) => {
  describe.each(SEQUENCES)('in $name', ({ world: makeOver, before, run, converged }) => {
    const make = (): NodeWorld => makeOver(preset);

    /** Steps of an undisturbed run: the places to die at. */
    async function stepsOf(): Promise<number> {
      const world = make();
      await before(world);
      const { crash } = world.start();
      await run(world);
      return crash.steps;
    }

    it('law 3: converges on a repeat, whichever host call or journal write was its last', async () => {
      const steps = await stepsOf();
      expect(steps).toBeGreaterThan(0);
      for (let last = 1; last <= steps; last += 1) {
        const world = make();
        await before(world);
        world.start(last);
        await expect(run(world)).rejects.toThrow('the process is dead');
        world.start();
        await run(world);
        await converged(world);
      }
    });

    it('law 3: converges when the repeat dies too, at any place', async () => {
      const steps = await stepsOf();
      for (let first = 1; first <= steps; first += 1) {
        for (let second = 1; second <= steps; second += 1) {
          const world = make();
          await before(world);
          world.start(first);
          await run(world).catch(() => undefined);
          world.start(second);
          await run(world).catch(() => undefined);
          world.start();
          await run(world);
          await converged(world);
          expect(world.disk.formats).toBeLessThanOrEqual(1);
        }
      }
    });

    it('law 3: changes nothing when it is repeated after it has finished', async () => {
      const world = make();
      await before(world);
      await run(world);
      const paths = new Map(world.host.paths);
      const record = await world.record();
      await run(world);
      await converged(world);
      expect(world.host.paths).toEqual(paths);
      expect(await world.record()).toEqual(record);
    });
  });

  it('law 3: a whole life converges when it dies, reboots and is swept at any place', async () => {
    const life = async (world: NodeWorld): Promise<void> => {
      await world.stage();
      await world.publish();
      await world.unpublish();
      await world.unstage();
    };
    const measure = new NodeWorld({ preset });
    await life(measure);
    const { steps } = measure.process.crash;
    for (let last = 1; last < steps; last += 1) {
      const world = new NodeWorld({ content: BLANK, preset });
      world.start(last);
      await life(world).catch(() => undefined);
      world.host.reboot();
      world.start();
      await world.sweep(true);
      await life(world);
      expect(world.disk.formats).toBe(1);
      expect(world.disk.online).toBe(!world.host.features.diskState);
      expect(world.host.paths.has(TARGET)).toBe(false);
      expect(await world.record()).toMatchObject({ phase: 'unstaged', targets: [] });
    }
  });
});
