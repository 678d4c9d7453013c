import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MIB } from '../../../src/core/capacity.ts';
import { StorageError } from '../../../src/core/errors.ts';
import { PRESET_NAMES, type HostPreset } from '../../support/memory-host-presets.ts';
import { Crash, NodeWorld, OTHER_TARGET, STAGING, TARGET } from '../../support/node-world.ts';

/** What may happen to a node. `dies` is how many host calls and journal writes the process has left. */
interface Event {
  readonly kind: Step;
  readonly dies: number | undefined;
  /** Another CSI Proxy answers before this many more host calls. */
  readonly becomes?: { readonly preset: HostPreset; readonly atCall: number } | undefined;
}

const STEPS = [
  'stage',
  'unstage',
  'publish',
  'publishElsewhere',
  'unpublish',
  'unpublishElsewhere',
  'expand',
  'stats',
  'sweepAtStart',
  'sweep',
  'write',
  'reboot',
  'blip',
  'grow',
] as const;
type Step = (typeof STEPS)[number];

const alive = (kind: Step): Event => ({ kind, dies: undefined });
const dying = (kind: Step, dies: number | undefined): Event => ({ kind, dies });

const changes = fc.option(
  fc.record({ preset: fc.constantFrom(...PRESET_NAMES), atCall: fc.integer({ min: 1, max: 10 }) }),
  { nil: undefined, freq: 2 },
);

const deaths = fc.option(fc.integer({ min: 1, max: 14 }), { nil: undefined, freq: 2 });

/** Mostly what kubelet does in its order, so that volumes do get written to, and anything in between. */
const chunk = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .record({ kind: fc.constantFrom(...STEPS), dies: deaths, becomes: changes })
      .map((event) => [event]),
  },
  {
    weight: 1,
    arbitrary: deaths.map((at) => [alive('stage'), alive('publish'), alive('write'), dying('unpublish', at)]),
  },
  {
    weight: 1,
    arbitrary: deaths.map((at) => [dying('stage', at), alive('stage'), alive('publish'), alive('write')]),
  },
);
const events = fc.array(chunk, { minLength: 1, maxLength: 15 }).map((chunks) => chunks.flat());

/** The files that pods wrote, by name: what the volume must hold, whatever happens. */
type Model = Map<string, string>;

const ACTIONS: Readonly<Record<Step, (world: NodeWorld, model: Model) => Promise<unknown>>> = {
  stage: (world) => world.stage(),
  unstage: (world) => world.unstage(),
  publish: (world) => world.publish(),
  publishElsewhere: (world) => world.publish({ target_path: OTHER_TARGET }),
  unpublish: (world) => world.unpublish(),
  unpublishElsewhere: (world) => world.unpublish({ target_path: OTHER_TARGET }),
  expand: (world) => world.expand(world.disk.capacityBytes),
  stats: (world) => world.stats(),
  sweepAtStart: (world) => world.sweep(true),
  sweep: (world) => world.sweep(false),
  write: (world, model) => {
    if (world.host.follow(TARGET) !== undefined) {
      const name = `file-${model.size}`;
      world.write(TARGET, name, 'data');
      model.set(name, 'data');
    }
    return Promise.resolve();
  },
  reboot: (world) => {
    world.host.reboot();
    world.start();
    return Promise.resolve();
  },
  blip: (world) => {
    world.disk.online = false;
    return Promise.resolve();
  },
  grow: (world) => {
    world.disk.capacityBytes += 1024n * MIB;
    return Promise.resolve();
  },
};

/** Where nobody can take disks online, they are: an administrator sees to it. */
function changeHost(world: NodeWorld, { preset, atCall }: NonNullable<Event['becomes']>): void {
  let calls = 0;
  world.interfere = (_call, run) => {
    calls += 1;
    if (calls === atCall) {
      world.host.become(preset);
      world.disk.online ||= !world.host.features.diskState;
    }
    return run();
  };
}

/** Refusals are answers; so is a death. Anything else is a bug. */
async function happen(world: NodeWorld, { kind, dies, becomes }: Event, model: Model): Promise<void> {
  if (dies !== undefined) world.start(dies);
  if (becomes !== undefined) changeHost(world, becomes);
  try {
    await ACTIONS[kind](world, model);
    if (kind === 'publish') expect(world.host.follow(TARGET)?.data).toEqual(model);
  } catch (error) {
    if (!(error instanceof Crash) && !(error instanceof StorageError)) throw error;
    if (StorageError.is(error, 'unimplemented') && !kind.startsWith('sweep')) throw error;
  }
  if (world.process.crash.dead) world.start();
}

function expectDataIntact(world: NodeWorld, model: Model): void {
  const [volume, ...others] = world.disk.volumes;
  expect(others).toEqual([]);
  expect(world.disk.formats).toBeLessThanOrEqual(1);
  expect(volume?.data ?? new Map()).toEqual(model);
}

/** What kubelet does in the end, whatever came before: take everything down, then give the volume to a pod. */
async function expectConvergence(world: NodeWorld, model: Model): Promise<void> {
  world.start();
  world.interfere = (_call, run) => run();
  world.disk.online = true;
  await world.sweep(true);
  await world.unpublish();
  await world.unpublish({ target_path: OTHER_TARGET });
  await world.unstage();
  expect(world.host.follow(STAGING)).toBeUndefined();
  expect(world.host.paths.has(TARGET)).toBe(false);
  expect(world.host.paths.has(OTHER_TARGET)).toBe(false);
  await world.stage();
  await world.publish();
  expect(world.host.follow(TARGET)?.data).toEqual(model);
  expect(world.disk.formats).toBe(1);
}

describe('any sequence of calls, with crashes, reboots, sweeps and other CSI Proxies', () => {
  it('laws 1, 3 and 12: keeps the data of the volume, formats it once, and converges', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...PRESET_NAMES), events, async (preset, sequence) => {
        const world = new NodeWorld({ preset });
        const model: Model = new Map();
        for (const event of sequence) {
          await happen(world, event, model);
          expectDataIntact(world, model);
        }
        await expectConvergence(world, model);
      }),
      { numRuns: 1500 },
    );
  });
});
