import { describe, expect, it } from '@jest/globals';
import { MIB } from '../../../src/core/capacity.ts';
import { StorageError } from '../../../src/core/errors.ts';
import { PRESET_NAMES, type HostPreset } from '../../support/memory-host-presets.ts';
import { NodeWorld } from '../../support/node-world.ts';

/** What hosts say of one and the same failure, through the years and through CSI Proxy. */
const WORDINGS: readonly (readonly [string, Error])[] = [
  ['of a missing path', new StorageError('not-found', 'The system cannot find the path specified.')],
  ['of a path in the way', new StorageError('already-exists', 'Cannot create a file when that file exists.')],
  ['of a foreign thing', new StorageError('failed-precondition', 'the directory is not empty')],
  ['of a missing API', new StorageError('unimplemented', 'unknown service disk.v1.Disk')],
  ['of a host that is busy', new StorageError('unavailable', 'The process cannot access the file')],
  ['of a missing file', Object.assign(new Error('ENOENT: no such file or directory'), { code: 'ENOENT' })],
  ['of a link', new Error('rpc error: code = Unknown desc = not a symlink: 0x1126')],
  ['of an access path', new Error('The access path is not valid: nothing is mounted there')],
  ['of an access path in use', new Error('The requested access path is already in use')],
  ['of a disk', new Error('The disk has already been initialized; it is offline')],
  ['of a volume', new Error("No MSFT_Volume objects found: does not exist; the volume isn't formatted")],
  ['of a size', new Error('The specified size is already the size: not enough available capacity')],
  ['of a person', new Error('Access denied. Zugriff verweigert.')],
];

interface Operation {
  readonly name: string;
  readonly before: (world: NodeWorld) => Promise<unknown>;
  readonly run: (world: NodeWorld) => Promise<unknown>;
}

const OPERATIONS: readonly Operation[] = [
  { name: 'NodeStage of a blank disk', before: () => Promise.resolve(), run: (world) => world.stage() },
  {
    name: 'NodeStage of a formatted disk',
    before: async (world) => {
      await world.stage();
      await world.unstage();
    },
    run: (world) => world.stage(),
  },
  { name: 'NodeStage of a staged volume', before: (world) => world.stage(), run: (world) => world.stage() },
  {
    name: 'NodeStage over a dangling mount point',
    before: async (world) => {
      await world.stage();
      world.host.reboot();
    },
    run: (world) => world.stage(),
  },
  { name: 'NodePublish', before: (world) => world.stage(), run: (world) => world.publish() },
  { name: 'NodePublish of a published volume', before: published, run: (world) => world.publish() },
  { name: 'NodeUnpublish', before: published, run: (world) => world.unpublish() },
  { name: 'NodeUnstage', before: (world) => world.stage(), run: (world) => world.unstage() },
  {
    name: 'NodeExpand',
    before: async (world) => {
      await world.stage();
      world.disk.capacityBytes = 2048n * MIB;
    },
    run: (world) => world.expand(2048n * MIB),
  },
  {
    name: 'the sweep after a reboot',
    before: async (world) => {
      await published(world);
      world.host.reboot();
    },
    run: (world) => world.sweep(true),
  },
];

async function published(world: NodeWorld): Promise<void> {
  await world.stage();
  await world.publish();
}

interface Failure {
  /** Which host call fails, counted from 1. */
  readonly at: number;
  /** Whether the host had done what it was asked for. */
  readonly done: boolean;
  readonly error: Error;
}

/** Everything the driver decided: whether it gave up, which calls it made, what it wrote down and left on the node. */
interface Decisions {
  readonly ended: 'done' | 'failed';
  readonly calls: readonly string[];
  readonly left: unknown;
}

async function decisions(
  { before, run }: Operation,
  preset: HostPreset,
  failure?: Failure,
): Promise<Decisions> {
  const world = new NodeWorld({ preset });
  await before(world);
  const { calls } = world.start();
  let made = 0;
  world.interfere = async (_call, pass) => {
    made += 1;
    if (made !== failure?.at) return pass();
    if (failure.done) await pass();
    throw failure.error;
  };
  const ended = await run(world).then(
    () => 'done' as const,
    () => 'failed' as const,
  );
  const left = { journal: [...world.journal.texts], paths: [...world.host.paths], disk: world.disk };
  return { ended, calls: calls.methods, left };
}

describe.each(PRESET_NAMES)('a host call that fails, with %s', (preset) => {
  it.each(OPERATIONS)('law 5: $name decides the same, whatever the failure says', async (operation) => {
    const undisturbed = await decisions(operation, preset);
    expect(undisturbed.ended).toBe('done');
    expect(undisturbed.calls).not.toHaveLength(0);
    for (let at = 1; at <= undisturbed.calls.length; at += 1) {
      for (const done of [false, true]) {
        const plain = await decisions(operation, preset, { at, done, error: new Error('code 2') });
        for (const [wording, error] of WORDINGS) {
          const found = await decisions(operation, preset, { at, done, error });
          expect({ wording, at, done, ...found }).toEqual({ wording, at, done, ...plain });
        }
      }
    }
  });
});
