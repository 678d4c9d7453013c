import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { GIB, MIB } from '../../../src/core/capacity.ts';
import { asNodeId, snapshotIdFor, volumeIdFor } from '../../../src/core/ids.ts';
import type { VolumeSpec } from '../../../src/core/ports/disk-backend.ts';
import { type FileBackendWorld, openWorld } from '../../support/file-backend-world.ts';
import { inTempFolder } from '../../support/temp-folder.ts';

const A: VolumeSpec = { id: volumeIdFor('a'), name: 'a', capacityBytes: 4n * GIB, parameters: {} };
const SNAPSHOT = { id: snapshotIdFor('s'), name: 's', sourceVolumeId: A.id };
const NODE = asNodeId('node-1');
const signal = new AbortController().signal;

/** A pool in a temporary folder, which copies byte by byte unless that folder is on xfs or btrfs. */
const inPool = (work: (world: FileBackendWorld) => Promise<void>): Promise<void> =>
  inTempFolder(async (root) => {
    const world = await openWorld(root);
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
      if (backend.features().liveSnapshots) return; // Clones share blocks: the contract suite covers them.
      await backend.createSnapshot(SNAPSHOT, signal);
      const copy = join(poolDir, 'snapshots', SNAPSHOT.id, 'disk.img');
      expect((await stat(copy)).size).toBe(Number(4n * GIB));
      expect(await allocated(copy)).toBeLessThan(Number(9n * MIB));
      expect(await allocated(copy)).toBe(await allocated(world.imagePath(A.id)));
    });
  });

  it('of a disk that is attached meanwhile is impossible: attach, delete and expand are aborted', async () => {
    await inPool(async ({ backend }) => {
      if (backend.features().liveSnapshots) return;
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

  it('that is cancelled leaves nothing, and gives back what was promised', async () => {
    await inPool(async ({ backend, poolDir }) => {
      if (backend.features().liveSnapshots) return;
      const before = (await backend.capacity(signal)).availableBytes;
      const caller = new AbortController();
      const copying = backend.createSnapshot(SNAPSHOT, caller.signal);
      setImmediate(() => {
        caller.abort();
      });
      await expect(copying).rejects.toMatchObject({ code: 'cancelled' });
      expect(await readdir(join(poolDir, 'snapshots'))).toEqual([]);
      expect(await backend.getSnapshot(SNAPSHOT.id, signal)).toBeUndefined();
      const after = (await backend.capacity(signal)).availableBytes;
      expect(before - after).toBeLessThan(64n * MIB);
      await backend.createSnapshot(SNAPSHOT, signal);
    });
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
