import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MIB } from '../../../src/core/capacity.ts';
import { IdempotentBackend } from '../../../src/core/idempotent-backend.ts';
import { snapshotIdFor, volumeIdFor } from '../../../src/core/ids.ts';
import type { ContentSource, DiskBackend } from '../../../src/core/ports/disk-backend.ts';
import { CrashingFiles } from '../../support/crashing-files.ts';
import { type FileBackendWorld, openWorld } from '../../support/file-backend-world.ts';
import { inTempFolder } from '../../support/temp-folder.ts';

const STEP = 64n * MIB;
const OFFSET = 20n * MIB;
const signal = new AbortController().signal;

/** A disk as the model knows it: its size in steps, and the byte written last. */
interface ModelDisk {
  readonly steps: number;
  readonly mark: number;
}
interface Model {
  readonly volumes: ReadonlyMap<string, ModelDisk>;
  readonly snapshots: ReadonlyMap<string, ModelDisk>;
}

interface Action {
  readonly kind:
    'create' | 'clone' | 'restore' | 'delete' | 'expand' | 'snapshot' | 'forget' | 'write' | 'reopen';
  readonly name: string;
  readonly from: string;
  readonly steps: number;
  readonly mark: number;
  /** The pool dies at this step of the action. */
  readonly crash: { readonly at: number; readonly torn: boolean } | undefined;
}

const name = fc.constantFrom('a', 'b', 'c');
const action: fc.Arbitrary<Action> = fc.record({
  kind: fc.constantFrom(
    ...(['create', 'clone', 'restore', 'delete', 'expand', 'snapshot', 'forget', 'write', 'reopen'] as const),
  ),
  name,
  from: name,
  steps: fc.integer({ min: 1, max: 3 }),
  mark: fc.integer({ min: 1, max: 255 }),
  crash: fc.option(fc.record({ at: fc.nat(6), torn: fc.boolean() }), { nil: undefined, freq: 2 }),
});

it('law 8: after any sequence, with a crash anywhere in it, every disk is whole, with its data, or not there', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 4, maxLength: 14 }), (actions) =>
      inTempFolder(async (root) => {
        let model: Model = { volumes: new Map(), snapshots: new Map() };
        const life = await Life.begin(root);
        try {
          for (const each of actions) model = await life.take(each, model);
        } finally {
          await life.end();
        }
      }),
    ),
    { numRuns: 40 },
  );
}, 120_000);

/** The lives of one pool: it dies and is opened again. */
class Life {
  readonly #root: string;
  #crashing: CrashingFiles;
  #world: FileBackendWorld;

  private constructor(root: string, crashing: CrashingFiles, world: FileBackendWorld) {
    this.#root = root;
    this.#crashing = crashing;
    this.#world = world;
  }

  static async begin(root: string): Promise<Life> {
    const crashing = new CrashingFiles();
    return new Life(root, crashing, await openWorld(root, crashing));
  }

  end(): Promise<void> {
    return this.#world.close();
  }

  /** Does one action and gives the model that the pool now agrees with: that before it, or that after it. */
  async take(each: Action, before: Model): Promise<Model> {
    const after = expected(each, before);
    if (each.crash !== undefined) this.#crashing.arm(each.crash);
    const failure = await perform(each, this.#world).then(
      () => undefined,
      (error: unknown) => error as Error,
    );
    const died = this.#crashing.crashed;
    if (died || each.kind === 'reopen') await this.#reopen();
    this.#crashing.arm({ at: Number.POSITIVE_INFINITY, torn: false });
    const seen = await observe(this.#world);
    if (died) {
      expect([plain(before), plain(after ?? before)]).toContainEqual(plain(seen));
      return seen;
    }
    expect({ failed: failure !== undefined, ...plain(seen) }).toEqual({
      failed: after === undefined,
      ...plain(after ?? before),
    });
    return seen;
  }

  async #reopen(): Promise<void> {
    await this.#world.close();
    this.#crashing = new CrashingFiles();
    this.#world = await openWorld(this.#root, this.#crashing);
  }
}

const plain = ({ volumes, snapshots }: Model): object => ({
  volumes: Object.fromEntries([...volumes].sort()),
  snapshots: Object.fromEntries([...snapshots].sort()),
});

/** The model after an action; `undefined` when it must fail. */
function expected(each: Action, model: Model): Model | undefined {
  const { volumes, snapshots } = model;
  switch (each.kind) {
    case 'delete':
      return { ...model, volumes: without(volumes, each.name) };
    case 'forget':
      return { ...model, snapshots: without(snapshots, each.name) };
    case 'reopen':
      return model;
    case 'snapshot': {
      const made = snapshots.has(each.name) ? undefined : volumes.get(each.from);
      return made && { ...model, snapshots: new Map([...snapshots, [each.name, made]]) };
    }
    default: {
      const disk = volumes.has(each.name) ? changedDisk(each, model) : newDisk(each, model);
      return disk && { ...model, volumes: new Map([...volumes, [each.name, disk]]) };
    }
  }
}

function changedDisk({ kind, name: of, steps, mark }: Action, { volumes }: Model): ModelDisk | undefined {
  const disk = volumes.get(of);
  if (kind === 'expand') return disk && { ...disk, steps: Math.max(steps, disk.steps) };
  return kind === 'write' && disk ? { ...disk, mark } : undefined;
}

function newDisk({ kind, from, steps }: Action, { volumes, snapshots }: Model): ModelDisk | undefined {
  if (kind === 'create') return { steps, mark: 0 };
  if (kind !== 'clone' && kind !== 'restore') return undefined;
  const source = (kind === 'clone' ? volumes : snapshots).get(from);
  return source && source.steps <= steps ? { steps, mark: source.mark } : undefined;
}

function without(disks: ReadonlyMap<string, ModelDisk>, gone: string): ReadonlyMap<string, ModelDisk> {
  return new Map([...disks].filter(([each]) => each !== gone));
}

async function perform(
  { kind, name: to, from, steps, mark }: Action,
  world: FileBackendWorld,
): Promise<unknown> {
  const { backend } = world;
  const id = volumeIdFor(to);
  const capacityBytes = BigInt(steps) * STEP;
  const create = (source?: ContentSource): Promise<unknown> =>
    backend.createVolume({ id, name: to, capacityBytes, parameters: {}, ...(source && { source }) }, signal);
  switch (kind) {
    case 'create':
      return create();
    case 'clone':
      return create({ kind: 'volume', volumeId: volumeIdFor(from) });
    case 'restore':
      return create({ kind: 'snapshot', snapshotId: snapshotIdFor(from) });
    case 'expand':
      return backend.expandVolume(id, capacityBytes, signal);
    case 'write':
      return world.write(id, { offset: OFFSET, bytes: Uint8Array.of(mark) });
    case 'snapshot':
      return backend.createSnapshot(
        { id: snapshotIdFor(to), name: to, sourceVolumeId: volumeIdFor(from) },
        signal,
      );
    case 'delete':
      return new IdempotentBackend(backend).deleteVolume(id, signal);
    case 'forget':
      return new IdempotentBackend(backend).deleteSnapshot(snapshotIdFor(to), signal);
    case 'reopen':
      return undefined;
  }
}

/** What the pool shows, after checking that it shows all there is. */
async function observe(world: FileBackendWorld): Promise<Model> {
  const volumes = await allOf((backend) => backend.listVolumes({ limit: 10 }, signal), world);
  const snapshots = await allOf((backend) => backend.listSnapshots({ limit: 10 }, signal), world);
  expect(volumes.filter(({ condition }) => condition.abnormal)).toEqual([]);
  for (const [kind, ids] of [
    ['volumes', volumes.map(({ id }) => id)],
    ['snapshots', snapshots.map(({ id }) => id)],
  ] as const) {
    expect((await readdir(join(world.poolDir, kind))).sort()).toEqual(ids);
  }
  const marks = await Promise.all(volumes.map(async ({ id }) => (await world.read(id, OFFSET, 1))[0] ?? 0));
  const kept = await Promise.all(snapshots.map(({ id }) => markOf(world, id)));
  return {
    volumes: new Map(
      volumes.map((each, at) => [
        each.name,
        { steps: Number(each.capacityBytes / STEP), mark: marks[at] ?? 0 },
      ]),
    ),
    snapshots: new Map(
      snapshots.map((each, at) => [each.name, { steps: Number(each.sizeBytes / STEP), mark: kept[at] ?? 0 }]),
    ),
  };
}

async function allOf<Entry>(
  list: (backend: DiskBackend) => Promise<{ readonly entries: readonly Entry[] }>,
  { backend }: FileBackendWorld,
): Promise<readonly Entry[]> {
  return (await list(backend)).entries;
}

/** The byte a snapshot keeps, read from a volume restored from it. */
async function markOf(
  world: FileBackendWorld,
  snapshotId: ReturnType<typeof snapshotIdFor>,
): Promise<number> {
  const id = volumeIdFor(`look at ${snapshotId}`);
  const capacityBytes = 4n * STEP;
  const source: ContentSource = { kind: 'snapshot', snapshotId };
  await world.backend.createVolume({ id, name: 'look', capacityBytes, parameters: {}, source }, signal);
  const [mark = 0] = await world.read(id, OFFSET, 1);
  await world.backend.deleteVolume(id, signal);
  return mark;
}
