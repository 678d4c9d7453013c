import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { decodeAttachedDisk, nodeFolderName } from '../../../src/core/attach-folder.ts';
import { MIB } from '../../../src/core/capacity.ts';
import { asNodeId, type NodeId, volumeIdFor } from '../../../src/core/ids.ts';
import type { VolumeSpec } from '../../../src/core/ports/disk-backend.ts';
import { readRecord } from '../../../src/util/record-file.ts';
import { type FileBackendWorld, openWorld } from '../../support/file-backend-world.ts';
import { inTempFolder } from '../../support/temp-folder.ts';

const A: VolumeSpec = { id: volumeIdFor('a'), name: 'a', capacityBytes: 64n * MIB, parameters: {} };
const NODE = asNodeId('node-1');
const ODD = asNodeId('../Über node');
const signal = new AbortController().signal;

const inWorld = (work: (world: FileBackendWorld, root: string) => Promise<void>): Promise<void> =>
  inTempFolder(async (root) => {
    const world = await openWorld(root);
    await world.announceNode(NODE, 10);
    await world.announceNode(ODD, 10);
    await world.backend.createVolume(A, signal);
    await work(world, root);
  });

/** Closes one world, changes something, and looks at the next. */
async function reopened(
  world: FileBackendWorld,
  root: string,
  look: (next: FileBackendWorld) => Promise<void>,
): Promise<void> {
  await world.close();
  const next = await openWorld(root);
  try {
    await look(next);
  } finally {
    await next.close();
  }
}

const diskRecord = ({ attachDir }: FileBackendWorld, nodeId = NODE): string =>
  join(attachDir, nodeFolderName(nodeId), `${A.id}.disk.json`);

describe('the attach folder', () => {
  it('holds what a host needs to find the disk, in the folder of its node and nowhere else', async () => {
    await inWorld(async (world) => {
      await world.backend.attach(A.id, ODD, signal);
      const { serialNumber, page83 } = (await world.backend.getVolume(A.id, signal)) ?? {};
      expect(decodeAttachedDisk(await readRecord(diskRecord(world, ODD)))).toEqual({
        volumeId: A.id,
        imagePath: world.imagePath(A.id),
        serialNumber,
        page83,
      });
      expect(await readdir(join(world.attachDir, NODE))).toEqual(['node.json']);
      expect((await readdir(world.attachDir)).sort()).toEqual(
        [NODE, nodeFolderName(ODD), 'pool.json'].sort(),
      );
      await world.backend.detach(A.id, ODD, signal);
      expect(await readdir(join(world.attachDir, nodeFolderName(ODD)))).toEqual(['node.json']);
      await world.close();
    });
  });

  it('law 7: knows after a restart where a disk is', async () => {
    await inWorld(async (world, root) => {
      await world.backend.attach(A.id, ODD, signal);
      await reopened(world, root, async ({ backend }) => {
        expect((await backend.getVolume(A.id, signal))?.attachedTo).toEqual([ODD]);
        await expect(backend.attach(A.id, NODE, signal)).rejects.toMatchObject({
          code: 'failed-precondition',
        });
        await backend.detach(A.id, ODD, signal);
        await backend.attach(A.id, NODE, signal);
      });
    });
  });

  it('law 7: knows it even when the node is gone and when the record is spoilt, and mends that', async () => {
    await inWorld(async (world, root) => {
      await world.backend.attach(A.id, NODE, signal);
      const good = await readFile(diskRecord(world), 'utf8');
      await writeFile(diskRecord(world), '{"schema"');
      await rm(join(world.attachDir, NODE, 'node.json'));
      await reopened(world, root, async ({ backend, log, attachDir }) => {
        expect((await backend.getVolume(A.id, signal))?.attachedTo).toEqual([NODE]);
        expect(await readFile(diskRecord(world), 'utf8')).toBe(good);
        expect(log.lines.filter(({ level }) => level === 'error')).toHaveLength(1);
        const names = await readdir(join(attachDir, NODE));
        const aside = names.find((name) => name.includes('.unreadable-')) ?? 'none';
        expect(await readFile(join(attachDir, NODE, aside), 'utf8')).toBe('{"schema"');
        await backend.detach(A.id, NODE, signal);
        expect((await backend.getVolume(A.id, signal))?.attachedTo).toEqual([]);
        await expect(backend.attach(A.id, NODE, signal)).rejects.toMatchObject({ code: 'not-found' });
      });
    });
  });

  it('law 3: knows a node by its name again when that announces itself after the restart', async () => {
    await inWorld(async (world, root) => {
      await world.backend.attach(A.id, ODD, signal);
      await rm(join(world.attachDir, nodeFolderName(ODD), 'node.json'));
      await reopened(world, root, async (next) => {
        await next.announceNode(ODD, 10);
        await expect(next.backend.attach(A.id, ODD, signal)).rejects.toThrow('already');
        expect((await next.backend.describeAttachment(A.id, ODD, signal)).transport).toBe('local');
      });
    });
  });

  it('law 7: names both nodes when a disk record was copied by hand, and mends nothing by itself', async () => {
    await inWorld(async (world, root) => {
      await world.backend.attach(A.id, NODE, signal);
      await writeFile(diskRecord(world, ODD), await readFile(diskRecord(world)));
      await reopened(world, root, async ({ backend, log }) => {
        expect((await backend.getVolume(A.id, signal))?.attachedTo.toSorted()).toEqual([ODD, NODE].sort());
        expect(log.lines.filter(({ level }) => level === 'error')).toHaveLength(1);
        await expect(backend.attach(A.id, NODE, signal)).rejects.toMatchObject({
          code: 'failed-precondition',
        });
        await backend.detach(A.id, ODD, signal);
        await expect(backend.attach(A.id, NODE, signal)).rejects.toMatchObject({ code: 'already-exists' });
      });
    });
  });

  it('is cleaned of what a crash left, but not of what a node is writing', async () => {
    await inWorld(async (world, root) => {
      const ours = `.${A.id}.disk.json.0123456789ab.tmp`;
      const theirs = '.node.json.0123456789ab.tmp';
      for (const name of [ours, theirs]) await writeFile(join(world.attachDir, NODE, name), '{');
      await reopened(world, root, async ({ backend, attachDir }) => {
        expect((await readdir(join(attachDir, NODE))).sort()).toEqual([theirs, 'node.json']);
        expect((await backend.getVolume(A.id, signal))?.attachedTo).toEqual([]);
      });
    });
  });

  it('may hold disks of another pool, which stay', async () => {
    await inWorld(async (world, root) => {
      const other = join(world.attachDir, NODE, `${volumeIdFor('elsewhere')}.disk.json`);
      await writeFile(other, '{}');
      await reopened(world, root, async ({ log }) => {
        expect(await readFile(other, 'utf8')).toBe('{}');
        expect(log.lines.filter(({ level }) => level === 'warn')).toHaveLength(1);
      });
    });
  });

  it('does not take a node record of another node for an announcement', async () => {
    await inWorld(async (world) => {
      await mkdir(join(world.attachDir, 'node-2'));
      const stolen = await readFile(join(world.attachDir, NODE, 'node.json'));
      await writeFile(join(world.attachDir, 'node-2', 'node.json'), stolen);
      const attach = (nodeId: NodeId): Promise<void> => world.backend.attach(A.id, nodeId, signal);
      await expect(attach(asNodeId('node-2'))).rejects.toMatchObject({ code: 'not-found' });
      await writeFile(join(world.attachDir, NODE, 'node.json'), '{"schema": 9}');
      await expect(attach(NODE)).rejects.toMatchObject({ code: 'not-found' });
      await world.close();
    });
  });

  it('that cannot be written refuses the attachment and keeps none', async () => {
    await inWorld(async (world) => {
      await mkdir(diskRecord(world)); // A folder where the record belongs: the rename fails, as root too.
      await expect(world.backend.attach(A.id, NODE, signal)).rejects.toMatchObject({ code: 'internal' });
      await rm(diskRecord(world), { recursive: true });
      await world.close();
    });
  });

  it('is not ready when it is gone', async () => {
    await inWorld(async (world) => {
      const { backend, attachDir, poolDir } = world;
      expect(await backend.readiness(signal)).toEqual({ ready: true });
      await rm(attachDir, { recursive: true });
      expect(await backend.readiness(signal)).toMatchObject({
        ready: false,
        reason: expect.stringContaining(attachDir),
      });
      await rm(poolDir, { recursive: true });
      expect(await backend.readiness(signal)).toMatchObject({
        ready: false,
        reason: expect.stringContaining(poolDir),
      });
      await world.close();
    });
  });
});
