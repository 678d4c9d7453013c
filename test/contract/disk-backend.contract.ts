import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { GIB, MIB } from '../../src/core/capacity.ts';
import type { StorageErrorCode } from '../../src/core/errors.ts';
import { decodeBackupGpt, decodeGpt, GPT_BACKUP_BYTES } from '../../src/core/gpt-codec.ts';
import { BASIC_PARTITION_FIRST_LBA } from '../../src/core/gpt.ts';
import { GPT_PRIMARY_BYTES } from '../../src/core/gpt-codec.ts';
import { SECTOR_BYTES } from '../../src/core/gpt.ts';
import {
  asNodeId,
  asVolumeId,
  type NodeId,
  snapshotIdFor,
  type VolumeId,
  volumeIdFor,
} from '../../src/core/ids.ts';
import type { DiskBackend, DiskVolume, VolumeSpec } from '../../src/core/ports/disk-backend.ts';
import { type DiskPatch, ntfsDisk } from '../support/disk-bytes.ts';

/** A backend and the hands to touch what it keeps. */
export interface BackendUnderTest {
  readonly backend: DiskBackend;
  announceNode(nodeId: NodeId, maxVolumes: number): Promise<void>;
  /** Writes to a volume as a node does. */
  write(id: VolumeId, patch: DiskPatch): Promise<void>;
  read(id: VolumeId, offset: bigint, length: number): Promise<Uint8Array>;
  close(): Promise<void>;
}

const SIZE = 64n * MIB;
const NODE = asNodeId('node-1');
const OTHER = asNodeId('Node-2.example.com');
const signal = new AbortController().signal;

const spec = (name: string, changes: Partial<VolumeSpec> = {}): VolumeSpec => ({
  id: volumeIdFor(name),
  name,
  capacityBytes: SIZE,
  parameters: {},
  ...changes,
});

const snapshotOf = (volume: DiskVolume, name: string): Parameters<DiskBackend['createSnapshot']>[0] => ({
  id: snapshotIdFor(name),
  name,
  sourceVolumeId: volume.id,
});

/** Everything a `DiskBackend` promises, for each one there is. Several GiB must be available in it. */
export function describeDiskBackend(name: string, open: () => Promise<BackendUnderTest>): void {
  describe(`${name} is a DiskBackend`, () => {
    let world: BackendUnderTest;
    const backend = (): DiskBackend => world.backend;
    const create = (volume: string, changes?: Partial<VolumeSpec>): Promise<DiskVolume> =>
      backend().createVolume(spec(volume, changes), signal);

    beforeEach(async () => {
      world = await open();
      await world.announceNode(NODE, 2);
      await world.announceNode(OTHER, 2);
    });
    afterEach(async () => {
      await world.close();
    });

    describeVolumes(backend, create);
    describePages(backend, create);
    describeExpansion(() => world, create);
    describeSnapshots(() => world, create);
    describeClones(() => world, create);
    describeAttachments(backend, create);
    describeContent(() => world, create);
    describeCapacity(backend, create);
  });
}

type Create = (name: string, changes?: Partial<VolumeSpec>) => Promise<DiskVolume>;

function present<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('nothing there');
  return value;
}

const expectCode = (work: Promise<unknown>, code: StorageErrorCode): Promise<void> =>
  expect(work).rejects.toMatchObject({ name: 'StorageError', code });

function describeVolumes(backend: () => DiskBackend, create: Create): void {
  describe('volumes', () => {
    it('gives back what was asked for and makes a disk of its own', async () => {
      const volume = await create('a', { parameters: { allowFormat: 'true' } });
      expect(volume).toMatchObject({
        ...spec('a'),
        parameters: { allowFormat: 'true' },
        attachedTo: [],
        condition: { abnormal: false },
      });
      expect(volume.serialNumber).toMatch(/^[0-9a-f-]{36}$/);
      expect(volume.page83).toMatch(/^naa\.6[0-9a-f]{31}$/);
      expect(Math.abs(Date.now() - volume.createdAt.getTime())).toBeLessThan(60_000);
      expect(await backend().getVolume(volume.id, signal)).toEqual(volume);
    });

    it('refuses a second volume with the same id and leaves the first', async () => {
      const first = await create('a');
      await expectCode(create('a'), 'already-exists');
      expect(await backend().getVolume(first.id, signal)).toEqual(first);
    });

    it('law 2: makes another disk when a volume is made again under the same name', async () => {
      const first = await create('a');
      await backend().deleteVolume(first.id, signal);
      const second = await create('a');
      expect(second.id).toBe(first.id);
      expect(second.serialNumber).not.toBe(first.serialNumber);
      expect(second.page83).not.toBe(first.page83);
    });

    it('knows nothing of a deleted volume', async () => {
      const { id } = await create('a');
      await backend().deleteVolume(id, signal);
      expect(await backend().getVolume(id, signal)).toBeUndefined();
      await expectCode(backend().deleteVolume(id, signal), 'not-found');
    });

    it.each(['', '.', '..', '../../etc', 'a/b', 'no-such', 'x'.repeat(300), 'nul\0'])(
      'has no volume %#, an id it cannot have made',
      async (text) => {
        const id = asVolumeId(text);
        expect(await backend().getVolume(id, signal)).toBeUndefined();
        await expectCode(backend().deleteVolume(id, signal), 'not-found');
        await expectCode(backend().attach(id, NODE, signal), 'not-found');
        await expectCode(backend().detach(id, NODE, signal), 'not-found');
        await expectCode(backend().expandVolume(id, GIB, signal), 'not-found');
      },
    );
  });
}

function describePages(backend: () => DiskBackend, create: Create): void {
  describe('pages', () => {
    it('lists volumes by id, a page at a time, stable under deletion of the last one seen', async () => {
      const ids: VolumeId[] = [];
      for (const name of ['a', 'b', 'c', 'd', 'e']) ids.push((await create(name)).id);
      ids.sort();
      const first = await backend().listVolumes({ limit: 2 }, signal);
      expect(first).toMatchObject({ entries: [{ id: ids[0] }, { id: ids[1] }], more: true });
      const last = present(first.entries[1]);
      await backend().deleteVolume(last.id, signal);
      const rest = await backend().listVolumes({ limit: 3, after: last.id }, signal);
      expect(rest.entries.map(({ id }) => id)).toEqual(ids.slice(2));
      expect(rest.more).toBe(false);
      expect(await backend().listVolumes({ limit: 3, after: asVolumeId('zzz') }, signal)).toEqual({
        entries: [],
        more: false,
      });
    });

    it('lists snapshots by id, of all volumes or of one', async () => {
      const [one, other] = [await create('a'), await create('b')];
      for (const name of ['s1', 's2', 's3']) await backend().createSnapshot(snapshotOf(one, name), signal);
      await backend().createSnapshot(snapshotOf(other, 's4'), signal);
      const all = await backend().listSnapshots({ limit: 10 }, signal);
      const ids = all.entries.map(({ id }) => id);
      expect(ids).toHaveLength(4);
      expect(ids).toEqual([...ids].sort());
      const ofOne = await backend().listSnapshots({ limit: 2, sourceVolumeId: one.id }, signal);
      expect(ofOne.more).toBe(true);
      const after = present(ofOne.entries[1]).id;
      const rest = await backend().listSnapshots({ limit: 2, after, sourceVolumeId: one.id }, signal);
      expect(rest.entries).toHaveLength(1);
      expect(rest.more).toBe(false);
    });
  });
}

function describeExpansion(world: () => BackendUnderTest, create: Create): void {
  const backend = (): DiskBackend => world().backend;
  describe('expansion', () => {
    it('grows a volume, also an attached one, and keeps its data', async () => {
      const { id } = await create('a');
      const bytes = Uint8Array.of(1, 2, 3);
      await world().write(id, { offset: SIZE - 3n, bytes });
      await backend().attach(id, NODE, signal);
      const grown = await backend().expandVolume(id, 2n * SIZE, signal);
      expect(grown).toMatchObject({
        capacityBytes: 2n * SIZE,
        attachedTo: [NODE],
        condition: { abnormal: false },
      });
      expect(await backend().getVolume(id, signal)).toEqual(grown);
      expect(await backend().describeAttachment(id, NODE, signal)).toMatchObject({
        capacityBytes: 2n * SIZE,
      });
      expect(await world().read(id, SIZE - 3n, 4)).toEqual(Uint8Array.of(1, 2, 3, 0));
    });

    it('never shrinks', async () => {
      const volume = await create('a');
      expect(await backend().expandVolume(volume.id, SIZE - MIB, signal)).toEqual(volume);
      expect(await backend().expandVolume(volume.id, SIZE, signal)).toEqual(volume);
    });
  });
}

function describeSnapshots(world: () => BackendUnderTest, create: Create): void {
  const backend = (): DiskBackend => world().backend;
  describe('snapshots', () => {
    it('keeps what was there, whatever becomes of the volume', async () => {
      const volume = await create('a');
      await world().write(volume.id, { offset: 20n * MIB, bytes: Uint8Array.of(42) });
      const snapshot = await backend().createSnapshot(snapshotOf(volume, 's'), signal);
      expect(snapshot).toMatchObject({ ...snapshotOf(volume, 's'), sizeBytes: SIZE, readyToUse: true });
      await world().write(volume.id, { offset: 20n * MIB, bytes: Uint8Array.of(43) });
      await backend().deleteVolume(volume.id, signal);
      expect(await backend().getSnapshot(snapshot.id, signal)).toEqual(snapshot);
      const restored = await create('b', { source: { kind: 'snapshot', snapshotId: snapshot.id } });
      expect(await world().read(restored.id, 20n * MIB, 1)).toEqual(Uint8Array.of(42));
      await backend().deleteSnapshot(snapshot.id, signal);
      expect(await backend().getSnapshot(snapshot.id, signal)).toBeUndefined();
      expect(await world().read(restored.id, 20n * MIB, 1)).toEqual(Uint8Array.of(42));
    });

    it('of an attached volume is instant or refused, as the features say', async () => {
      const volume = await create('a');
      await world().write(volume.id, { offset: 20n * MIB, bytes: Uint8Array.of(42) });
      await backend().attach(volume.id, NODE, signal);
      const make = backend().createSnapshot(snapshotOf(volume, 's'), signal);
      const clone = create('b', { source: { kind: 'volume', volumeId: volume.id } });
      const outcome = await Promise.allSettled([make, clone]);
      const wanted = backend().features().liveSnapshots ? 'fulfilled' : 'rejected';
      expect(outcome.map(({ status }) => status)).toEqual([wanted, wanted]);
      const codes = outcome.map((each) =>
        each.status === 'rejected' ? (each.reason as { code: string }).code : '',
      );
      expect(codes).toEqual(
        wanted === 'rejected' ? ['failed-precondition', 'failed-precondition'] : ['', ''],
      );
    });

    it('that exists is already there, even when its source is attached by now', async () => {
      const volume = await create('a');
      await backend().createSnapshot(snapshotOf(volume, 's'), signal);
      await create('b', { source: { kind: 'volume', volumeId: volume.id } });
      await backend().attach(volume.id, NODE, signal);
      await expectCode(backend().createSnapshot(snapshotOf(volume, 's'), signal), 'already-exists');
      await expectCode(create('b', { source: { kind: 'volume', volumeId: volume.id } }), 'already-exists');
    });

    it('of nothing is not found, and neither is deleting one that is not there', async () => {
      const missing = { ...spec('x'), attachedTo: [] } as unknown as DiskVolume;
      await expectCode(backend().createSnapshot(snapshotOf(missing, 's'), signal), 'not-found');
      await expectCode(backend().deleteSnapshot(snapshotIdFor('s'), signal), 'not-found');
    });
  });
}

function describeClones(world: () => BackendUnderTest, create: Create): void {
  const backend = (): DiskBackend => world().backend;
  const tableOf = async (id: VolumeId, diskBytes: bigint): Promise<ReturnType<typeof decodeGpt>> =>
    decodeGpt(await world().read(id, 0n, GPT_PRIMARY_BYTES), diskBytes);

  describe('volumes from a source', () => {
    it('says at once that a volume cannot be made of itself', async () => {
      const source = { kind: 'volume', volumeId: volumeIdFor('a') } as const;
      await expectCode(create('a', { source }), 'not-found');
      await create('a');
      await expectCode(create('a', { source }), 'already-exists');
    });

    it('law 2: a larger clone has new GUIDs in both tables, the backup at its own end', async () => {
      const source = await create('a');
      const { patches, table } = ntfsDisk(SIZE);
      for (const patch of patches) await world().write(source.id, patch);
      const size = SIZE + 16n * MIB;
      const clone = await create('b', {
        capacityBytes: size,
        source: { kind: 'volume', volumeId: source.id },
      });
      expect(clone).toMatchObject({ capacityBytes: size, source: { kind: 'volume', volumeId: source.id } });
      expect(clone.serialNumber).not.toBe(source.serialNumber);

      const cloned = await tableOf(clone.id, size);
      const backup = await world().read(clone.id, size - BigInt(GPT_BACKUP_BYTES), GPT_BACKUP_BYTES);
      expect(decodeBackupGpt(backup, size)).toEqual(cloned);
      expect(cloned?.partitions.map(({ uniqueGuid: _guid, ...place }) => place)).toEqual(
        table.partitions.map(({ uniqueGuid: _guid, ...place }) => place),
      );
      const guids = [table, cloned].flatMap((each) => [
        each?.diskGuid,
        ...(each?.partitions.map(({ uniqueGuid }) => uniqueGuid) ?? []),
      ]);
      expect(new Set(guids).size).toBe(6);
      expect(await tableOf(source.id, SIZE)).toEqual(table);
    });

    it('leaves a source without a partition table as it is', async () => {
      const source = await create('a');
      await world().write(source.id, { offset: 0n, bytes: Uint8Array.of(9, 8, 7) });
      const clone = await create('b', { source: { kind: 'volume', volumeId: source.id } });
      expect(await world().read(clone.id, 0n, 4)).toEqual(Uint8Array.of(9, 8, 7, 0));
    });

    it('must hold their source', async () => {
      const source = await create('a', { capacityBytes: 2n * SIZE });
      const snapshot = await backend().createSnapshot(snapshotOf(source, 's'), signal);
      await expectCode(create('b', { source: { kind: 'volume', volumeId: source.id } }), 'out-of-range');
      await expectCode(
        create('b', { source: { kind: 'snapshot', snapshotId: snapshot.id } }),
        'out-of-range',
      );
      expect(await backend().getVolume(volumeIdFor('b'), signal)).toBeUndefined();
    });

    it('are not found without one', async () => {
      const volumeId = volumeIdFor('nobody');
      await expectCode(create('b', { source: { kind: 'volume', volumeId } }), 'not-found');
      const snapshotId = snapshotIdFor('nobody');
      await expectCode(create('b', { source: { kind: 'snapshot', snapshotId } }), 'not-found');
    });
  });
}

function describeAttachments(backend: () => DiskBackend, create: Create): void {
  describe('attachments', () => {
    it('shows where a disk is, and that it is gone again', async () => {
      const { id, serialNumber, page83 } = await create('a');
      await backend().attach(id, OTHER, signal);
      expect((await backend().getVolume(id, signal))?.attachedTo).toEqual([OTHER]);
      expect((await backend().listVolumes({ limit: 1 }, signal)).entries[0]?.attachedTo).toEqual([OTHER]);
      expect(await backend().describeAttachment(id, OTHER, signal)).toEqual({
        transport: 'local',
        serialNumber,
        page83,
        capacityBytes: SIZE,
        content: { state: 'blank', found: expect.any(String), fileSystemBytes: 0n },
        examinedAt: expect.any(Date),
      });
      await backend().detach(id, OTHER, signal);
      expect((await backend().getVolume(id, signal))?.attachedTo).toEqual([]);
      await expectCode(backend().describeAttachment(id, OTHER, signal), 'not-found');
      await expectCode(backend().detach(id, OTHER, signal), 'not-found');
    });

    it('law 7: gives a disk to one node only, and names the one that has it', async () => {
      const { id } = await create('a');
      await backend().attach(id, NODE, signal);
      await expectCode(backend().attach(id, OTHER, signal), 'failed-precondition');
      await expect(backend().attach(id, OTHER, signal)).rejects.toThrow(NODE);
      await expectCode(backend().attach(id, NODE, signal), 'already-exists');
      await expectCode(backend().detach(id, OTHER, signal), 'not-found');
      expect((await backend().getVolume(id, signal))?.attachedTo).toEqual([NODE]);
      await backend().detach(id, NODE, signal);
      await backend().attach(id, OTHER, signal);
    });

    it('keeps a disk in use from being deleted', async () => {
      const { id } = await create('a');
      await backend().attach(id, NODE, signal);
      await expectCode(backend().deleteVolume(id, signal), 'failed-precondition');
      await backend().detach(id, NODE, signal);
      await backend().deleteVolume(id, signal);
      expect(await backend().getVolume(id, signal)).toBeUndefined();
    });

    it('knows the nodes that announced themselves, and no others', async () => {
      const { id } = await create('a');
      for (const text of ['stranger', '..', '../node-1', '', 'NODE-1', 'node-1/']) {
        await expectCode(backend().attach(id, asNodeId(text), signal), 'not-found');
      }
      await backend().attach(id, NODE, signal);
    });

    it('refuses more disks than a node takes', async () => {
      const volumes = [await create('a'), await create('b'), await create('c')] as const;
      await backend().attach(volumes[0].id, NODE, signal);
      await backend().attach(volumes[1].id, NODE, signal);
      await expectCode(backend().attach(volumes[2].id, NODE, signal), 'resource-exhausted');
      await backend().detach(volumes[0].id, NODE, signal);
      await backend().attach(volumes[2].id, NODE, signal);
      expect((await backend().getVolume(volumes[2].id, signal))?.attachedTo).toEqual([NODE]);
    });
  });
}

function describeContent(world: () => BackendUnderTest, create: Create): void {
  const backend = (): DiskBackend => world().backend;
  describe('what the bytes say', () => {
    it('law 1: is read anew each time: blank, partitioned, NTFS, foreign', async () => {
      const { id } = await create('a');
      await backend().attach(id, NODE, signal);
      const content = async (): Promise<unknown> =>
        (await backend().describeAttachment(id, NODE, signal)).content;
      const { patches, fileSystemBytes, dataOffset } = ntfsDisk(SIZE);
      expect(await content()).toMatchObject({ state: 'blank' });
      for (const patch of patches.slice(0, 2)) await world().write(id, patch);
      expect(await content()).toMatchObject({ state: 'blank', fileSystemBytes: 0n });
      for (const patch of patches.slice(2)) await world().write(id, patch);
      expect(await content()).toMatchObject({ state: 'ntfs', fileSystemBytes });
      await world().write(id, { offset: dataOffset, bytes: new Uint8Array(512).fill(0xaa) });
      expect(await content()).toMatchObject({
        state: 'foreign',
        found: expect.stringContaining(`${BASIC_PARTITION_FIRST_LBA * SECTOR_BYTES}`),
      });
    });

    it('law 1: a restored volume is not blank', async () => {
      const source = await create('a');
      const { patches, fileSystemBytes } = ntfsDisk(SIZE);
      for (const patch of patches) await world().write(source.id, patch);
      const size = 2n * SIZE;
      const { id } = await create('b', {
        capacityBytes: size,
        source: { kind: 'volume', volumeId: source.id },
      });
      await backend().attach(id, NODE, signal);
      expect(await backend().describeAttachment(id, NODE, signal)).toMatchObject({
        capacityBytes: size,
        content: { state: 'ntfs', fileSystemBytes },
      });
    });
  });
}

function describeCapacity(backend: () => DiskBackend, create: Create): void {
  describe('capacity', () => {
    const available = async (): Promise<bigint> => (await backend().capacity(signal)).availableBytes;

    it('goes down by what is promised and up by what is given back', async () => {
      const before = await available();
      const { id } = await create('a', { capacityBytes: GIB });
      expect(before - (await available())).toBeGreaterThanOrEqual(GIB - 64n * MIB);
      await backend().deleteVolume(id, signal);
      expect(before - (await available())).toBeLessThan(GIB / 2n);
    });

    it('refuses what it does not have, with numbers, and is never negative', async () => {
      const { availableBytes, minimumVolumeBytes } = await backend().capacity(signal);
      expect(minimumVolumeBytes).toBeGreaterThan(0n);
      const tooMuch = availableBytes + GIB;
      await expectCode(create('a', { capacityBytes: tooMuch }), 'resource-exhausted');
      await expect(create('a', { capacityBytes: tooMuch })).rejects.toThrow(/\d+ bytes.*\d+/);
      const { id } = await create('b');
      await expectCode(backend().expandVolume(id, tooMuch, signal), 'resource-exhausted');
      expect((await backend().getVolume(id, signal))?.capacityBytes).toBe(SIZE);
      expect(await available()).toBeGreaterThanOrEqual(0n);
    });
  });
}
