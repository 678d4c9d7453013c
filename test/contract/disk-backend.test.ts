import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GIB } from '../../src/core/capacity.ts';
import { openWorld } from '../support/file-backend-world.ts';
import { type LoopFileSystem, mountLoopFileSystem } from '../support/loop-file-system.ts';
import { MemoryBackend } from '../support/memory-backend.ts';
import { describeWhere, type Need } from '../support/requires.ts';
import { makeTempFolder } from '../support/temp-folder.ts';
import { type BackendUnderTest, describeDiskBackend } from './disk-backend.contract.ts';

async function openAt(parent: string): Promise<BackendUnderTest> {
  const root = await mkdtemp(join(parent, 'world-'));
  const world = await openWorld(root);
  return {
    ...world,
    async close() {
      await world.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}

for (const liveSnapshots of [true, false]) {
  describeDiskBackend(`memory, liveSnapshots ${liveSnapshots}`, async () => {
    await Promise.resolve();
    const backend = new MemoryBackend({ liveSnapshots, poolBytes: 16n * GIB });
    return {
      backend,
      async announceNode(nodeId, maxVolumes) {
        await Promise.resolve();
        backend.announceNode(nodeId, maxVolumes);
      },
      async write(id, { offset, bytes }) {
        await Promise.resolve();
        backend.bytesOf(id).write(offset, bytes);
      },
      read: (id, offset, length) => backend.bytesOf(id).read(offset, length),
      close: () => Promise.resolve(),
    };
  });
}

describe('a plain folder', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await makeTempFolder();
  });
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
  });
  describeDiskBackend('file × local', () => openAt(folder));
});

const needs = (tool: string, debianPackage: string): readonly Need[] => [
  'root',
  'loop',
  { tool, debianPackage },
];

for (const [kind, need] of [
  ['xfs', needs('mkfs.xfs', 'xfsprogs')],
  ['btrfs', needs('mkfs.btrfs', 'btrfs-progs')],
] as const) {
  describeWhere(need, `a pool on ${kind}`, () => {
    let disk: LoopFileSystem;
    beforeAll(async () => {
      disk = await mountLoopFileSystem(kind, 8n * GIB);
    });
    afterAll(async () => {
      await disk.remove();
    });

    it('can snapshot a disk in use', async () => {
      const world = await openAt(disk.path);
      expect(world.backend.features()).toMatchObject({
        liveSnapshots: true,
        description: expect.stringContaining(`${kind} with reflink`),
      });
      await world.close();
    });

    describeDiskBackend(`file × local on ${kind}`, () => openAt(disk.path));
  });
}
