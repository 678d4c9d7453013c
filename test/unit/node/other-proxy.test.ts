import { describe, expect, it } from '@jest/globals';
import { MIB } from '../../../src/core/capacity.ts';
import { CALL_BUDGETS } from '../../../src/core/call-budgets.ts';
import type { HostCall } from '../../../src/core/host-calls.ts';
import { PRESET_NAMES, type HostPreset } from '../../support/memory-host-presets.ts';
import { NodeWorld, STAGING, TARGET } from '../../support/node-world.ts';

const CHANGES = PRESET_NAMES.flatMap((from) =>
  PRESET_NAMES.filter((to) => to !== from).map((to) => ({ from, to })),
);

/** Another CSI Proxy answers from now on. Disks that nobody can take online any more, an administrator does. */
function replace(world: NodeWorld, preset: HostPreset): void {
  world.host.become(preset);
  world.disk.online ||= !world.host.features.diskState;
}

async function stagedWorld(preset: HostPreset): Promise<NodeWorld> {
  const world = new NodeWorld({ preset });
  await world.stage();
  world.write(STAGING, 'a', 'kept');
  return world;
}

interface Operation {
  readonly name: string;
  readonly before: (world: NodeWorld) => Promise<unknown>;
  readonly run: (world: NodeWorld) => Promise<unknown>;
  readonly converged: (world: NodeWorld) => void;
}

const isStaged = (world: NodeWorld): void => {
  expect(world.host.follow(STAGING)).toBe(world.disk.volumes[0]);
  expect(world.disk.formats).toBe(1);
};

const stageAndFill = async (world: NodeWorld): Promise<void> => {
  await world.stage();
  world.write(STAGING, 'a', 'kept');
};

const publishAndFill = async (world: NodeWorld): Promise<void> => {
  await stageAndFill(world);
  await world.publish();
};

const OPERATIONS: readonly Operation[] = [
  {
    name: 'NodeStage of a blank disk',
    before: () => Promise.resolve(),
    run: (world) => world.stage(),
    converged: isStaged,
  },
  {
    name: 'NodeStage of a formatted disk',
    before: (world) => stageAndFill(world).then(() => world.unstage()),
    run: (world) => world.stage(),
    converged: (world) => {
      isStaged(world);
      expect(world.read(STAGING, 'a')).toBe('kept');
    },
  },
  {
    name: 'NodeStage of a staged volume',
    before: stageAndFill,
    run: (world) => world.stage(),
    converged: isStaged,
  },
  {
    name: 'NodePublish',
    before: stageAndFill,
    run: (world) => world.publish(),
    converged: (world) => {
      expect(world.read(TARGET, 'a')).toBe('kept');
    },
  },
  {
    name: 'NodePublish of a published volume',
    before: publishAndFill,
    run: (world) => world.publish(),
    converged: (world) => {
      expect(world.read(TARGET, 'a')).toBe('kept');
    },
  },
  {
    name: 'NodeUnpublish',
    before: publishAndFill,
    run: (world) => world.unpublish(),
    converged: (world) => {
      expect(world.host.paths.has(TARGET)).toBe(false);
      expect(world.read(STAGING, 'a')).toBe('kept');
    },
  },
  {
    name: 'NodeUnstage',
    before: stageAndFill,
    run: (world) => world.unstage(),
    converged: (world) => {
      expect(world.host.follow(STAGING)).toBeUndefined();
      expect(world.disk.volumes[0]?.data.get('a')).toBe('kept');
    },
  },
  {
    name: 'NodeExpand',
    before: async (world) => {
      await stageAndFill(world);
      world.disk.capacityBytes = 2048n * MIB;
    },
    run: (world) => world.expand(2048n * MIB),
    converged: (world) => {
      expect(world.disk.volumes[0]?.fileSystemBytes).toBe(2031n * MIB);
    },
  },
  {
    name: 'NodeGetVolumeStats',
    before: stageAndFill,
    run: (world) => world.stats(),
    converged: isStaged,
  },
];

/** Runs `change` before host call number `at`, from 1. Tells whether it came to that. */
function beforeCall(world: NodeWorld, at: number, change: (call: HostCall) => void): () => boolean {
  let calls = 0;
  world.interfere = (call, run) => {
    calls += 1;
    if (calls === at) change(call);
    return run();
  };
  return () => calls >= at;
}

describe.each(CHANGES)('CSI Proxy changes from $from to $to', ({ from, to }) => {
  it('law 10: with a volume staged, which is published, measured, grown, unpublished and unstaged', async () => {
    const world = await stagedWorld(from);
    replace(world, to);
    expect((await world.during(() => world.stage())).length).toBeLessThanOrEqual(
      CALL_BUDGETS['NodeStage, repeat'],
    );
    await world.publish();
    expect(await world.during(() => world.publish())).toHaveLength(CALL_BUDGETS['NodePublish, repeat']);
    expect(world.read(TARGET, 'a')).toBe('kept');
    await world.stats();
    world.disk.capacityBytes = 2048n * MIB;
    await world.expand(2048n * MIB);
    await world.sweep(true);
    expect(world.read(TARGET, 'a')).toBe('kept');
    await world.unpublish();
    await world.unstage();
    expect(await world.record()).toMatchObject({ phase: 'unstaged', targets: [] });
    expect(world.host.paths.get(STAGING)).toEqual({ kind: 'folder' });
    expect(world.host.paths.has(TARGET)).toBe(false);
    await world.stage();
    expect(world.read(STAGING, 'a')).toBe('kept');
    expect(world.disk.formats).toBe(1);
  });

  it('law 10: with a volume published, which is unpublished and unstaged', async () => {
    const world = await stagedWorld(from);
    await world.publish();
    replace(world, to);
    expect(await world.during(() => world.unpublish())).toHaveLength(CALL_BUDGETS.NodeUnpublish);
    const made = await world.during(() => world.unstage());
    expect(made.length).toBeLessThanOrEqual(CALL_BUDGETS.NodeUnstage);
    expect(world.host.follow(STAGING)).toBeUndefined();
    expect(world.host.paths.has(TARGET)).toBe(false);
  });

  it.each(OPERATIONS)(
    'law 3: before any host call of $name, which ends or is to be tried again, and then ends',
    async ({ before, run, converged }) => {
      for (let at = 1; at < 20; at += 1) {
        const world = new NodeWorld({ preset: from });
        await before(world);
        const changed = beforeCall(world, at, () => {
          replace(world, to);
        });
        const code = await run(world).then(
          () => 'done',
          (error: unknown) => (error as { readonly code?: string }).code,
        );
        expect(['done', 'unavailable']).toContain(code);
        if (!changed()) break;
        world.interfere = (_call, pass) => pass();
        await run(world);
        converged(world);
      }
    },
  );
});
