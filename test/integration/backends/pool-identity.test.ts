import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { MIB } from '../../../src/core/capacity.ts';
import { asNodeId, volumeIdFor } from '../../../src/core/ids.ts';
import type { VolumeSpec } from '../../../src/core/ports/disk-backend.ts';
import { CrashingFiles } from '../../support/crashing-files.ts';
import { type FileBackendWorld, openWorld } from '../../support/file-backend-world.ts';
import { inTempFolder } from '../../support/temp-folder.ts';

const A: VolumeSpec = { id: volumeIdFor('a'), name: 'a', capacityBytes: 64n * MIB, parameters: {} };
const signal = new AbortController().signal;

interface Folders {
  readonly root: string;
  readonly pool: string;
  readonly attach: string;
}

/** A pool with volume a that is closed. */
const withPool = (work: (folders: Folders) => Promise<void>): Promise<void> =>
  inTempFolder(async (root) => {
    await inWorld(root, async ({ backend }) => {
      await backend.createVolume(A, signal);
    });
    await work({ root, pool: join(root, 'pool'), attach: join(root, 'attach') });
  });

async function inWorld(root: string, work: (world: FileBackendWorld) => Promise<unknown>): Promise<void> {
  const world = await openWorld(root);
  try {
    await work(world);
  } finally {
    await world.close();
  }
}

const expectVolume = (root: string): Promise<void> =>
  inWorld(root, async ({ backend }) => {
    expect(await backend.getVolume(A.id, signal)).toMatchObject(A);
  });

async function fieldOf(path: string, field: string): Promise<unknown> {
  return (JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>)[field];
}

describe('law 2: a pool is known by its id', () => {
  it('that it gets when it is opened first, and that the attach folder remembers', async () => {
    await withPool(async ({ root, pool, attach }) => {
      const record = await readFile(join(pool, 'pool.json'), 'utf8');
      expect(JSON.parse(record)).toEqual({
        schema: 1,
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        createdAt: expect.any(String),
      });
      expect(await fieldOf(join(attach, 'pool.json'), 'poolId')).toBe(
        await fieldOf(join(pool, 'pool.json'), 'id'),
      );
      await expectVolume(root);
      expect(await readFile(join(pool, 'pool.json'), 'utf8')).toBe(record);
    });
  });

  it('an empty folder in its place is refused and stays empty; mounted again it opens', async () => {
    await withPool(async ({ root, pool, attach }) => {
      const id = String(await fieldOf(join(pool, 'pool.json'), 'id'));
      await rename(pool, join(root, 'unmounted'));
      await mkdir(pool);
      const refused = { code: 'failed-precondition', message: expect.stringContaining(id) };
      await expect(openWorld(root)).rejects.toMatchObject(refused);
      await expect(openWorld(root)).rejects.toThrow(/mount .* remove .*attach\/pool\.json/);
      expect(await readdir(pool)).toEqual([]);
      await rm(pool, { recursive: true });
      await expect(openWorld(root)).rejects.toMatchObject(refused);
      expect(await readdir(root)).toEqual(['attach', 'unmounted']);
      await rename(join(root, 'unmounted'), pool);
      await expectVolume(root);
      expect(await fieldOf(join(attach, 'pool.json'), 'poolId')).toBe(id);
    });
  });

  it('another pool in its place is refused, until someone says that it was replaced on purpose', async () => {
    await withPool(async ({ root, pool, attach }) => {
      const old = String(await fieldOf(join(pool, 'pool.json'), 'id'));
      await inTempFolder(async (elsewhere) => {
        await inWorld(elsewhere, () => Promise.resolve());
        await rm(pool, { recursive: true });
        await cp(join(elsewhere, 'pool'), pool, { recursive: true });
      });
      const id = String(await fieldOf(join(pool, 'pool.json'), 'id'));
      await expect(openWorld(root)).rejects.toMatchObject({ code: 'failed-precondition' });
      await expect(openWorld(root)).rejects.toThrow(new RegExp(`holds pool ${id}.* pool ${old} `));
      await rm(join(attach, 'pool.json'));
      await inWorld(root, async ({ backend }) => {
        expect(await backend.getVolume(A.id, signal)).toBeUndefined();
      });
      expect(await fieldOf(join(attach, 'pool.json'), 'poolId')).toBe(id);
    });
  });

  it('one of an earlier release gets an id and keeps its volumes', async () => {
    await withPool(async ({ root, pool, attach }) => {
      await rm(join(pool, 'pool.json'));
      await rm(join(attach, 'pool.json'));
      await expectVolume(root);
      expect(await fieldOf(join(attach, 'pool.json'), 'poolId')).toBe(
        await fieldOf(join(pool, 'pool.json'), 'id'),
      );
    });
  });

  it('is not confused with a node of the name pool.json', async () => {
    await withPool(async ({ root }) => {
      await inWorld(root, async ({ backend, ...world }) => {
        await world.announceNode(asNodeId('pool.json'), 1);
        await backend.attach(A.id, asNodeId('pool.json'), signal);
      });
      await expectVolume(root);
    });
  });
});

describe('law 8: the id of a pool', () => {
  it.each<[string, string]>([
    ['cut off', '{"schema": 1, "id'],
    ['of a later release', '{"schema": 2, "id": "a", "poolId": "a", "createdAt": "2026-01-01T00:00:00Z"}'],
    ['empty', ''],
    ['without an id', '{"schema": 1, "createdAt": "2026-01-01T00:00:00Z"}'],
  ])('that cannot be read (%s) is never guessed: the pool does not open', async (_how, content) => {
    await withPool(async ({ root, pool, attach }) => {
      for (const path of [join(pool, 'pool.json'), join(attach, 'pool.json')]) {
        const good = await readFile(path, 'utf8');
        await writeFile(path, content);
        await expect(openWorld(root)).rejects.toMatchObject({
          code: 'failed-precondition',
          message: expect.stringContaining(`${path} cannot be read`),
        });
        expect(await readFile(path, 'utf8')).toBe(content);
        await writeFile(path, good);
      }
      await expectVolume(root);
    });
  });

  it.each([false, true])('is made anew when a crash cut its making off (half-way: %s)', async (torn) => {
    await inTempFolder(async (root) => {
      const crashing = new CrashingFiles();
      crashing.arm({ at: 0, torn });
      await expect(openWorld(root, crashing)).rejects.toThrow('crashed in writeRecord');
      expect(crashing.crashed).toBe(true);
      await mkdir(join(root, 'attach'), { recursive: true });
      if (torn) await writeFile(join(root, 'attach', '.pool.json.0123456789ab.tmp'), '{"sch');
      await inWorld(root, () => Promise.resolve());
      expect((await readdir(join(root, 'pool'))).sort()).toEqual([
        'pool.json',
        'pool.lock',
        'snapshots',
        'volumes',
      ]);
      expect(await readdir(join(root, 'attach'))).toEqual(['pool.json']);
    });
  });
});
