import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { MIB } from '../../../src/core/capacity.ts';
import { IdempotentBackend } from '../../../src/core/idempotent-backend.ts';
import { snapshotIdFor, volumeIdFor } from '../../../src/core/ids.ts';
import type { DiskBackend, SnapshotSpec, VolumeSpec } from '../../../src/core/ports/disk-backend.ts';
import { CrashingFiles } from '../../support/crashing-files.ts';
import { type FileBackendWorld, openWorld } from '../../support/file-backend-world.ts';
import { inTempFolder } from '../../support/temp-folder.ts';

const SIZE = 64n * MIB;
const MARK = { offset: 20n * MIB, bytes: Uint8Array.of(7) };
const signal = new AbortController().signal;
const everything = { limit: 100 };

const volume = (name: string, changes: Partial<VolumeSpec> = {}): VolumeSpec => ({
  id: volumeIdFor(name),
  name,
  capacityBytes: SIZE,
  parameters: {},
  ...changes,
});
const OLD = volume('old');
const NEW = volume('new');
const SNAPSHOT: SnapshotSpec = { id: snapshotIdFor('old'), name: 'old', sourceVolumeId: OLD.id };
const NEW_SNAPSHOT: SnapshotSpec = { id: snapshotIdFor('new'), name: 'new', sourceVolumeId: OLD.id };

interface Operation {
  readonly name: string;
  readonly run: (backend: DiskBackend) => Promise<unknown>;
  /** What there is once it is done: names of volumes and snapshots, size of the old volume. */
  readonly after: { readonly volumes: string[]; readonly snapshots: string[]; readonly oldBytes?: bigint };
}

const create = (spec: VolumeSpec) => (backend: DiskBackend) => backend.createVolume(spec, signal);
const OPERATIONS: readonly Operation[] = [
  { name: 'create', run: create(NEW), after: { volumes: ['new', 'old'], snapshots: ['old'] } },
  {
    name: 'create from a snapshot',
    run: create({ ...NEW, capacityBytes: 2n * SIZE, source: { kind: 'snapshot', snapshotId: SNAPSHOT.id } }),
    after: { volumes: ['new', 'old'], snapshots: ['old'] },
  },
  {
    name: 'create from a volume',
    run: create({ ...NEW, source: { kind: 'volume', volumeId: OLD.id } }),
    after: { volumes: ['new', 'old'], snapshots: ['old'] },
  },
  {
    name: 'expand',
    run: (backend) => backend.expandVolume(OLD.id, 2n * SIZE, signal),
    after: { volumes: ['old'], snapshots: ['old'], oldBytes: 2n * SIZE },
  },
  {
    name: 'create a snapshot',
    run: (backend) => backend.createSnapshot(NEW_SNAPSHOT, signal),
    after: { volumes: ['old'], snapshots: ['new', 'old'] },
  },
  {
    name: 'delete',
    run: (backend) => backend.deleteVolume(OLD.id, signal),
    after: { volumes: [], snapshots: ['old'] },
  },
  {
    name: 'delete a snapshot',
    run: (backend) => backend.deleteSnapshot(SNAPSHOT.id, signal),
    after: { volumes: ['old'], snapshots: [] },
  },
];

/** Most steps an operation takes; the last crash point must come after its end. */
const STEPS = [0, 1, 2, 3, 4, 5, 6, 7];

describe.each(OPERATIONS)('law 8: a crash in "$name"', ({ run, after }) => {
  it.each([false, true])(
    'at every step (half-way: %s) leaves all or nothing, and a repeat ends it',
    async (torn) => {
      const crashes: boolean[] = [];
      for (const at of STEPS) {
        await inTempFolder(async (root) => {
          const crashing = new CrashingFiles();
          const before = await openWorld(root, crashing);
          await prepare(before);
          crashing.arm({ at, torn });
          await run(before.backend).catch(() => undefined);
          crashes.push(crashing.crashed);
          await before.close();
          await expectConverges(root, run, after);
        });
      }
      expect(crashes[0]).toBe(true);
      expect(crashes.at(-1)).toBe(false);
    },
  );
});

async function prepare(world: FileBackendWorld): Promise<void> {
  await world.backend.createVolume(OLD, signal);
  await world.write(OLD.id, MARK);
  await world.backend.createSnapshot(SNAPSHOT, signal);
}

async function expectConverges(
  root: string,
  run: Operation['run'],
  after: Operation['after'],
): Promise<void> {
  const world = await openWorld(root);
  try {
    await expectWhole(world);
    await run(new IdempotentBackend(world.backend));
    const { volumes, snapshots } = await expectWhole(world);
    expect({ volumes, snapshots }).toEqual({ volumes: after.volumes, snapshots: after.snapshots });
    const old = await world.backend.getVolume(OLD.id, signal);
    expect(old?.capacityBytes).toBe(after.volumes.includes('old') ? (after.oldBytes ?? SIZE) : undefined);
    expect(world.log.lines.filter(({ level }) => level === 'error')).toEqual([]);
  } finally {
    await world.close();
  }
}

/** Every folder is a disk that is shown and healthy, its data is there, and nothing else lies about. */
async function expectWhole(
  world: FileBackendWorld,
): Promise<{ readonly volumes: string[]; readonly snapshots: string[] }> {
  const volumes = await world.backend.listVolumes(everything, signal);
  const snapshots = await world.backend.listSnapshots(everything, signal);
  expect(volumes.entries.filter(({ condition }) => condition.abnormal)).toEqual([]);
  const folders = async (kind: string): Promise<string[]> =>
    (await readdir(join(world.poolDir, kind))).sort();
  expect(await folders('volumes')).toEqual(volumes.entries.map(({ id }) => id));
  expect(await folders('snapshots')).toEqual(snapshots.entries.map(({ id }) => id));
  expect((await readdir(world.poolDir)).sort()).toEqual(['pool.json', 'pool.lock', 'snapshots', 'volumes']);
  for (const { id } of volumes.entries) {
    expect((await folders(`volumes/${id}`)).sort()).toEqual(['disk.img', 'record.json']);
  }
  for (const { id, source } of volumes.entries) {
    const isMarked = id === OLD.id || source !== undefined;
    expect([...(await world.read(id, MARK.offset, 1))]).toEqual([isMarked ? 7 : 0]);
  }
  return {
    volumes: volumes.entries.map(({ name }) => name).sort(),
    snapshots: snapshots.entries.map(({ name }) => name).sort(),
  };
}
