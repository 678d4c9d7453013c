import { EventEmitter, once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { GIB, MIB } from '../../../src/core/capacity.ts';
import { poolFiles, type PoolFiles } from '../../../src/backends/file/pool-files.ts';
import { probePool } from '../../../src/backends/file/pool-probe.ts';
import { IdempotentBackend } from '../../../src/core/idempotent-backend.ts';
import { asNodeId, snapshotIdFor, volumeIdFor } from '../../../src/core/ids.ts';
import type { VolumeSpec } from '../../../src/core/ports/disk-backend.ts';
import { type FileBackendWorld, openWorld, type WorldOptions } from '../../support/file-backend-world.ts';
import { inTempFolder } from '../../support/temp-folder.ts';

const A: VolumeSpec = { id: volumeIdFor('a'), name: 'a', capacityBytes: 4n * GIB, parameters: {} };
const SNAPSHOT = { id: snapshotIdFor('s'), name: 's', sourceVolumeId: A.id };
const B = volumeIdFor('b');
const NODE = asNodeId('node-1');
const signal = new AbortController().signal;

const withoutReflink: WorldOptions = {
  probe: async (poolDir) => ({ ...(await probePool(poolDir)), reflink: false }),
};

/** A pool in a temporary folder, which copies byte by byte whatever that folder is on. */
const inPool = (work: (world: FileBackendWorld) => Promise<void>, deps: WorldOptions = {}): Promise<void> =>
  inTempFolder(async (root) => {
    const world = await openWorld(root, { ...withoutReflink, ...deps });
    try {
      await world.announceNode(NODE, 10);
      await world.backend.createVolume(A, signal);
      await world.write(A.id, { offset: 3n * GIB, bytes: new Uint8Array(Number(8n * MIB)).fill(1) });
      await work(world);
    } finally {
      await world.close();
    }
  });

const allocated = async (path: string): Promise<number> => (await stat(path)).blocks * 512;

describe('a copy without reflink', () => {
  it('stays sparse', async () => {
    await inPool(async (world) => {
      const { backend, poolDir } = world;
      await backend.createSnapshot(SNAPSHOT, signal);
      const copy = join(poolDir, 'snapshots', SNAPSHOT.id, 'disk.img');
      expect((await stat(copy)).size).toBe(Number(4n * GIB));
      expect(await allocated(copy)).toBeLessThan(Number(9n * MIB));
      expect(await allocated(copy)).toBe(await allocated(world.imagePath(A.id)));
    });
  });

  it('of a disk that is attached meanwhile is impossible: attach, delete and expand are aborted', async () => {
    await inPool(async ({ backend }) => {
      const copying = backend.createSnapshot(SNAPSHOT, signal);
      const refused = await Promise.allSettled([
        backend.attach(A.id, NODE, signal),
        backend.deleteVolume(A.id, signal),
        backend.expandVolume(A.id, 5n * GIB, signal),
      ]);
      const aborted = { status: 'rejected', reason: { code: 'aborted' } };
      expect(refused).toMatchObject([aborted, aborted, aborted]);
      await copying;
      await backend.attach(A.id, NODE, signal);
    });
  });

  it('law 6: runs to its end although its caller has gone; a repeat is aborted meanwhile and then finds it done', async () => {
    const copies = new EventEmitter();
    const copyImage: PoolFiles['copyImage'] = async (...args) => {
      copies.emit('begun');
      await once(copies, 'may end');
      return poolFiles.copyImage(...args);
    };
    await inPool(
      async (world) => {
        const backend = new IdempotentBackend(world.backend);
        const clone: VolumeSpec = { ...A, id: B, name: 'b', source: { kind: 'volume', volumeId: A.id } };
        for (const create of [
          (by: AbortSignal) => backend.createSnapshot(SNAPSHOT, by),
          (by: AbortSignal) => backend.createVolume(clone, by),
        ]) {
          const caller = new AbortController();
          const begun = once(copies, 'begun');
          const copying = create(caller.signal);
          await begun;
          caller.abort();
          await expect(create(signal)).rejects.toMatchObject({ code: 'aborted' });
          copies.emit('may end');
          const made = await copying;
          expect(await create(signal)).toEqual(made);
        }
        expect([...(await world.read(B, 3n * GIB, 1))]).toEqual([1]);
      },
      { files: { ...poolFiles, copyImage } },
    );
  });

  it('that fails leaves nothing, and gives back what was promised', async () => {
    const failing = { ...poolFiles, copyImage: () => Promise.reject(new Error('the disk died')) };
    await inPool(
      async ({ backend, poolDir }) => {
        const before = (await backend.capacity(signal)).availableBytes;
        await expect(backend.createSnapshot(SNAPSHOT, signal)).rejects.toThrow('the disk died');
        expect(await readdir(join(poolDir, 'snapshots'))).toEqual([]);
        expect(await backend.getSnapshot(SNAPSHOT.id, signal)).toBeUndefined();
        const after = (await backend.capacity(signal)).availableBytes;
        expect(before - after).toBeLessThan(64n * MIB);
      },
      { files: failing },
    );
  });

  it('is not begun for a caller that has gone', async () => {
    await inPool(async ({ backend, poolDir }) => {
      const gone = AbortSignal.abort();
      await expect(backend.createSnapshot(SNAPSHOT, gone)).rejects.toMatchObject({ code: 'cancelled' });
      await expect(backend.deleteVolume(A.id, gone)).rejects.toMatchObject({ code: 'cancelled' });
      await expect(backend.attach(A.id, NODE, gone)).rejects.toMatchObject({ code: 'cancelled' });
      expect(await readdir(join(poolDir, 'snapshots'))).toEqual([]);
      expect(await backend.getVolume(A.id, signal)).toMatchObject({ attachedTo: [] });
    });
  });
});
