import { readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { poolFiles } from '../../../src/backends/file/pool-files.ts';
import { openShelves, promisedBytes } from '../../../src/backends/file/shelves.ts';
import { MIB } from '../../../src/core/capacity.ts';
import { asNodeId, snapshotIdFor, volumeIdFor } from '../../../src/core/ids.ts';
import type { VolumeSpec } from '../../../src/core/ports/disk-backend.ts';
import { type FileBackendWorld, openWorld } from '../../support/file-backend-world.ts';
import { inTempFolder } from '../../support/temp-folder.ts';

const SIZE = 64n * MIB;
const NODE = asNodeId('node-1');
const A: VolumeSpec = { id: volumeIdFor('a'), name: 'a', capacityBytes: SIZE, parameters: {} };
const SNAPSHOT = { id: snapshotIdFor('s'), name: 's', sourceVolumeId: A.id };
const MARK = { offset: 20n * MIB, bytes: Uint8Array.of(7) };
const signal = new AbortController().signal;

/** Makes volume a and its snapshot, spoils something while the pool is closed, and opens it again. */
async function afterSpoiling(
  spoil: (poolDir: string) => Promise<unknown>,
  look: (world: FileBackendWorld, root: string) => Promise<void>,
): Promise<void> {
  await inTempFolder(async (root) => {
    const before = await openWorld(root);
    await before.announceNode(NODE, 10);
    await before.backend.createVolume(A, signal);
    await before.write(A.id, MARK);
    await before.backend.createSnapshot(SNAPSHOT, signal);
    await before.close();
    await spoil(before.poolDir);
    const world = await openWorld(root);
    try {
      await look(world, root);
    } finally {
      await world.close();
    }
  });
}

const record = (poolDir: string): string => join(poolDir, 'volumes', A.id, 'record.json');

describe('law 8: a volume whose record cannot be read', () => {
  it.each<[string, string]>([
    ['cut off', '{"schema": 1, "id": "vol'],
    ['empty', ''],
    ['of a later release', '{"schema": 2}'],
    ['of another volume', JSON.stringify({ schema: 1, id: 'vol-other' })],
    ['binary', '\0\0\0\0'],
  ])('(%s) is set aside, reported and never guessed; its image is never deleted', async (_how, content) => {
    await afterSpoiling(
      (poolDir) => writeFile(record(poolDir), content),
      async (world) => {
        const { backend, poolDir, log } = world;
        const names = await readdir(join(poolDir, 'volumes', A.id));
        const aside = names.find((name) => name.startsWith('record.json.unreadable-')) ?? 'none';
        expect(names.sort()).toEqual(['disk.img', aside].sort());
        expect(await readFile(join(poolDir, 'volumes', A.id, aside), 'utf8')).toBe(content);
        expect(log.lines.filter(({ level }) => level === 'error')).toHaveLength(1);

        const volume = await backend.getVolume(A.id, signal);
        expect(volume).toMatchObject({ name: '', serialNumber: '', capacityBytes: SIZE });
        expect(volume?.condition).toMatchObject({ abnormal: true, message: expect.stringContaining(aside) });
        expect((await backend.listVolumes({ limit: 10 }, signal)).entries).toEqual([volume]);
        for (const refused of [
          () => backend.createVolume(A, signal),
          () => backend.deleteVolume(A.id, signal),
          () => backend.attach(A.id, NODE, signal),
          () => backend.expandVolume(A.id, 2n * SIZE, signal),
          () => backend.createSnapshot({ ...SNAPSHOT, id: snapshotIdFor('t') }, signal),
        ]) {
          await expect(refused()).rejects.toMatchObject({ code: 'data-loss' });
        }
        expect([...(await world.read(A.id, MARK.offset, 1))]).toEqual([7]);
      },
    );
  });

  it('stays so at the next start, and is whole again when its record is put back', async () => {
    await afterSpoiling(
      (poolDir) => rename(record(poolDir), join(poolDir, 'kept')),
      async (world, root) => {
        expect(await world.backend.getVolume(A.id, signal)).toMatchObject({ condition: { abnormal: true } });
        await world.close();
        await rename(join(world.poolDir, 'kept'), record(world.poolDir));
        const again = await openWorld(root);
        expect(await again.backend.getVolume(A.id, signal)).toMatchObject({
          ...A,
          condition: { abnormal: false },
        });
        await again.close();
      },
    );
  });

  it('counts as promised with the size of its image', async () => {
    await afterSpoiling(
      (poolDir) => writeFile(record(poolDir), ''),
      async ({ poolDir, log }) => {
        const shelves = await openShelves({ files: poolFiles, log }, poolDir);
        const [snapshot] = shelves.snapshots.entries();
        const kept = snapshot?.state === 'sound' ? snapshot.record.allocatedBytes : 0n;
        expect(kept).toBeGreaterThan(0n);
        expect(promisedBytes(shelves)).toBe(SIZE + kept);
      },
    );
  });
});

describe('law 8: a snapshot whose record cannot be read', () => {
  it('is not shown and not touched', async () => {
    await afterSpoiling(
      (poolDir) => writeFile(join(poolDir, 'snapshots', SNAPSHOT.id, 'record.json'), '{}'),
      async ({ backend, poolDir, log }) => {
        expect(await backend.getSnapshot(SNAPSHOT.id, signal)).toBeUndefined();
        expect((await backend.listSnapshots({ limit: 10 }, signal)).entries).toEqual([]);
        await expect(backend.createSnapshot(SNAPSHOT, signal)).rejects.toMatchObject({ code: 'data-loss' });
        await expect(backend.deleteSnapshot(SNAPSHOT.id, signal)).rejects.toMatchObject({
          code: 'data-loss',
        });
        expect(await readdir(join(poolDir, 'snapshots', SNAPSHOT.id))).toContain('disk.img');
        expect(log.lines.filter(({ level }) => level === 'error')).toHaveLength(1);
      },
    );
  });
});

describe('the condition of a volume', () => {
  const image = (poolDir: string): string => join(poolDir, 'volumes', A.id, 'disk.img');
  it.each<[string, (poolDir: string) => Promise<unknown>, RegExp]>([
    ['gone', (poolDir) => rm(image(poolDir)), /missing or empty/],
    ['cut off', (poolDir) => truncate(image(poolDir), 1000), /only 1000 bytes/],
  ])(
    'is abnormal when its image is %s, and then it is not attached, copied or expanded',
    async (_what, spoil, why) => {
      await afterSpoiling(spoil, async ({ backend }) => {
        const volume = await backend.getVolume(A.id, signal);
        expect(volume?.condition).toMatchObject({ abnormal: true, message: expect.stringMatching(why) });
        for (const refused of [
          () => backend.attach(A.id, NODE, signal),
          () => backend.expandVolume(A.id, 2n * SIZE, signal),
          () => backend.createSnapshot({ ...SNAPSHOT, id: snapshotIdFor('t') }, signal),
          () =>
            backend.createVolume(
              { ...A, id: volumeIdFor('b'), name: 'b', source: { kind: 'volume', volumeId: A.id } },
              signal,
            ),
        ]) {
          await expect(refused()).rejects.toMatchObject({ code: 'data-loss' });
        }
        await backend.deleteVolume(A.id, signal);
        expect(await backend.getVolume(A.id, signal)).toBeUndefined();
      });
    },
  );

  it('is seen while the pool is open', async () => {
    await afterSpoiling(
      () => Promise.resolve(),
      async ({ backend, poolDir }) => {
        expect((await backend.getVolume(A.id, signal))?.condition.abnormal).toBe(false);
        await rm(image(poolDir));
        expect((await backend.getVolume(A.id, signal))?.condition.abnormal).toBe(true);
      },
    );
  });
});

describe('what does not belong into a pool', () => {
  it('is left alone', async () => {
    await afterSpoiling(
      async (poolDir) => {
        await writeFile(join(poolDir, 'volumes', 'notes'), 'mine');
        await writeFile(join(poolDir, 'README'), 'mine');
      },
      async ({ backend, poolDir }) => {
        expect((await backend.listVolumes({ limit: 10 }, signal)).entries).toHaveLength(1);
        expect(await readFile(join(poolDir, 'volumes', 'notes'), 'utf8')).toBe('mine');
        expect(await readFile(join(poolDir, 'README'), 'utf8')).toBe('mine');
      },
    );
  });
});
