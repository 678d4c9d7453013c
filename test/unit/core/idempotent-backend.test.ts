import { beforeEach, describe, expect, it } from '@jest/globals';
import { MIB } from '../../../src/core/capacity.ts';
import { StorageError } from '../../../src/core/errors.ts';
import { IdempotentBackend } from '../../../src/core/idempotent-backend.ts';
import { asNodeId, asSnapshotId, snapshotIdFor, volumeIdFor } from '../../../src/core/ids.ts';
import type { DiskBackend, VolumeSpec } from '../../../src/core/ports/disk-backend.ts';
import { MemoryBackend } from '../../support/memory-backend.ts';

const signal = new AbortController().signal;
const NODE = asNodeId('node-1');
const SNAPSHOT = { id: snapshotIdFor('s'), name: 's', sourceVolumeId: volumeIdFor('a') };
const spec = (changes: Partial<VolumeSpec> = {}): VolumeSpec => ({
  id: volumeIdFor('a'),
  name: 'a',
  capacityBytes: 64n * MIB,
  parameters: { allowFormat: 'true' },
  ...changes,
});

describe('IdempotentBackend', () => {
  let memory: MemoryBackend;
  let backend: DiskBackend;

  beforeEach(() => {
    memory = new MemoryBackend();
    memory.announceNode(NODE);
    backend = new IdempotentBackend(memory);
  });

  describe('law 3: a repeat changes nothing', () => {
    it('gives the volume that is there', async () => {
      const first = await backend.createVolume(spec(), signal);
      expect(await backend.createVolume(spec(), signal)).toEqual(first);
    });

    it('leaves the size to the caller, who knows the range', async () => {
      const first = await backend.createVolume(spec(), signal);
      expect(await backend.createVolume(spec({ capacityBytes: 128n * MIB }), signal)).toEqual(first);
    });

    it('gives the snapshot that is there', async () => {
      await backend.createVolume(spec(), signal);
      const first = await backend.createSnapshot(SNAPSHOT, signal);
      expect(await backend.createSnapshot(SNAPSHOT, signal)).toEqual(first);
    });

    it('deletes what is gone, attaches what is attached, detaches what is not', async () => {
      const { id } = await backend.createVolume(spec(), signal);
      for (let times = 0; times < 2; times++) await backend.attach(id, NODE, signal);
      expect((await backend.getVolume(id, signal))?.attachedTo).toEqual([NODE]);
      for (let times = 0; times < 2; times++) await backend.detach(id, NODE, signal);
      for (let times = 0; times < 2; times++) await backend.deleteVolume(id, signal);
      await backend.deleteSnapshot(asSnapshotId('snap-none'), signal);
      await backend.detach(id, NODE, signal);
      expect(await backend.getVolume(id, signal)).toBeUndefined();
    });
  });

  it.each<[string, Partial<VolumeSpec>, RegExp]>([
    [
      'another source',
      { source: { kind: 'snapshot', snapshotId: SNAPSHOT.id } },
      /content source is none, asked snapshot/,
    ],
    [
      'another value of a parameter',
      { parameters: { allowFormat: 'false' } },
      /parameter allowFormat is true, asked false/,
    ],
    ['a parameter less', { parameters: {} }, /parameter allowFormat is true, asked unset/],
    ['a parameter more', { parameters: { allowFormat: 'true', z: '1' } }, /parameter z is unset, asked 1/],
    ['another name with the same id', { name: 'b' }, /name is a, asked b/],
  ])('names what differs: %s', async (_what, changes, message) => {
    await backend.createVolume(spec(), signal);
    await expect(backend.createVolume(spec(changes), signal)).rejects.toMatchObject({
      code: 'already-exists',
      message: expect.stringMatching(message),
    });
  });

  it('names what differs: a snapshot of another volume', async () => {
    const other = volumeIdFor('b');
    await backend.createVolume(spec(), signal);
    await backend.createVolume(spec({ id: other, name: 'b' }), signal);
    await backend.createSnapshot(SNAPSHOT, signal);
    await expect(
      backend.createSnapshot({ ...SNAPSHOT, sourceVolumeId: other }, signal),
    ).rejects.toMatchObject({
      code: 'already-exists',
      message: expect.stringContaining(other),
    });
  });

  it('hands every other failure on', async () => {
    const { id } = await backend.createVolume(spec(), signal);
    await expect(backend.attach(id, asNodeId('nobody'), signal)).rejects.toMatchObject({ code: 'not-found' });
    await backend.attach(id, NODE, signal);
    await expect(backend.deleteVolume(id, signal)).rejects.toMatchObject({ code: 'failed-precondition' });
    memory.createVolume = () => Promise.reject(new StorageError('data-loss', 'damaged'));
    await expect(backend.createVolume(spec(), signal)).rejects.toMatchObject({ code: 'data-loss' });
  });

  it('passes everything else through', async () => {
    const { id } = await backend.createVolume(spec(), signal);
    await backend.createSnapshot(SNAPSHOT, signal);
    await backend.attach(id, NODE, signal);
    expect(await backend.expandVolume(id, 128n * MIB, signal)).toMatchObject({ capacityBytes: 128n * MIB });
    expect(await backend.listVolumes({ limit: 1 }, signal)).toMatchObject({ entries: [{ id }] });
    expect(await backend.listSnapshots({ limit: 1 }, signal)).toMatchObject({
      entries: [{ id: SNAPSHOT.id }],
    });
    expect(await backend.getSnapshot(SNAPSHOT.id, signal)).toMatchObject(SNAPSHOT);
    expect(await backend.describeAttachment(id, NODE, signal)).toMatchObject({ transport: 'local' });
    expect(await backend.capacity(signal)).toEqual(await memory.capacity());
    expect(backend.features()).toEqual(memory.features());
    expect(await backend.readiness(signal)).toEqual({ ready: true });
  });
});
