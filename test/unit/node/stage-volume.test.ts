import { describe, expect, it } from '@jest/globals';
import { MIB } from '../../../src/core/capacity.ts';
import type { DiskContent } from '../../../src/core/content-state.ts';
import { BLANK, capability, NodeWorld, STAGING, TARGET, VOLUME } from '../../support/node-world.ts';

const NTFS: DiskContent = { state: 'ntfs', found: 'an NTFS volume', fileSystemBytes: 1007n * MIB };
const EXT4: DiskContent = {
  state: 'foreign',
  found: 'an ext4 file system at byte 16777216',
  fileSystemBytes: 0n,
};

function expectUntouched(world: NodeWorld): void {
  expect(world.disk).toMatchObject({ formats: 0, initialisations: 0 });
}

describe('NodeStageVolume', () => {
  it('law 1: never formats a disk that holds ext4', async () => {
    const world = new NodeWorld({ content: EXT4 });
    world.host.addVolume(world.disk, { data: new Map([['a', 'kept']]) });
    await expect(world.stage()).rejects.toMatchObject({
      code: 'failed-precondition',
      message: expect.stringContaining('an ext4 file system at byte 16777216') as unknown,
    });
    expectUntouched(world);
    expect(world.disk.volumes[0]?.data.get('a')).toBe('kept');
  });

  it('law 1: never partitions a disk whose foreign file system needs no partition', async () => {
    const world = new NodeWorld({ content: EXT4 });
    await expect(world.stage()).rejects.toMatchObject({ code: 'failed-precondition' });
    expectUntouched(world);
  });

  it.each([
    ['shows no volume', (): undefined => undefined],
    ['shows a volume without a file system', (world: NodeWorld) => world.host.addVolume(world.disk)],
  ])('law 1: never formats a disk that held NTFS when the host %s', async (_what, spoil) => {
    const world = new NodeWorld({ content: NTFS });
    spoil(world);
    await expect(world.stage()).rejects.toMatchObject({
      code: 'failed-precondition',
      message: expect.stringContaining('an NTFS volume') as unknown,
    });
    expectUntouched(world);
  });

  it('law 1: never formats again what the journal knows as formatted, though publish_context is replayed as blank', async () => {
    const world = new NodeWorld();
    await world.stage();
    await world.unstage();
    const [volume] = world.disk.volumes;
    if (volume !== undefined) volume.formatted = false;
    await expect(world.stage()).rejects.toMatchObject({
      code: 'failed-precondition',
      message: expect.stringContaining('damaged, not blank') as unknown,
    });
    expect(world.disk.formats).toBe(1);
  });

  it('law 1 and law 8: never formats when the journal record cannot be read', async () => {
    const world = new NodeWorld();
    world.journal.texts.set(VOLUME, '{"schema": 1, "volu');
    await expect(world.stage()).rejects.toMatchObject({ code: 'failed-precondition' });
    expectUntouched(world);
  });

  it('law 8: mounts NTFS when the journal record cannot be read, and writes a new one', async () => {
    const world = new NodeWorld({ content: NTFS });
    world.host.addVolume(world.disk, { formatted: true, data: new Map([['a', 'kept']]) });
    world.journal.texts.set(VOLUME, 'torn');
    await world.stage();
    expect(world.read(STAGING, 'a')).toBe('kept');
    expect(await world.record()).toMatchObject({ phase: 'staged', holdsFileSystem: true });
  });

  it('formats a new disk of the same name, though the journal knows an older one as formatted', async () => {
    const world = new NodeWorld();
    await world.stage();
    await world.unstage();
    world.disk.plugged = false;
    const disk = world.host.plug({ serialNumber: 'serial-2', page83: 'naa.6002' });
    world.publishContext = world.contextOf(disk, BLANK);
    await world.stage();
    expect(disk.formats).toBe(1);
    expect(world.disk.formats).toBe(1);
    expect(await world.record()).toMatchObject({ disk: { serialNumber: 'serial-2' }, targets: [] });
  });

  it.each([
    ['formatVolume', { content: BLANK }, { phase: 'formatting', holdsFileSystem: false }],
    ['mountVolume', { content: NTFS, formatted: true }, { phase: 'staged', holdsFileSystem: true }],
  ] as const)(
    'law 1: has written down what it is about to do before %s',
    async (change, { content, ...volume }, expected) => {
      const world = new NodeWorld({ content });
      if ('formatted' in volume) world.host.addVolume(world.disk, volume);
      const seen: unknown[] = [];
      world.interfere = async ({ method }, run) => {
        if (method === change) seen.push(await world.record());
        return run();
      };
      await world.stage();
      expect(seen).toEqual([expect.objectContaining(expected)]);
    },
  );

  it('law 11: refuses a volume with a file system that is not NTFS, though the host would mount it', async () => {
    const world = new NodeWorld({
      content: { state: 'foreign', found: 'a FAT32 file system', fileSystemBytes: 0n },
    });
    world.host.addVolume(world.disk, { formatted: true });
    await expect(world.stage()).rejects.toMatchObject({
      code: 'failed-precondition',
      message: expect.stringContaining('a FAT32 file system') as unknown,
    });
    expect(world.host.follow(STAGING)).toBeUndefined();
  });

  it('law 1: never formats on a stale word when the journal was lost since', async () => {
    const world = new NodeWorld();
    await world.stage();
    await world.unstage();
    for (const volume of world.disk.volumes) volume.formatted = false;
    world.journal.texts.clear();
    world.journal.begunAt = new Date('2026-06-01');
    world.start();
    await expect(world.stage()).rejects.toMatchObject({
      code: 'failed-precondition',
      message: expect.stringContaining('attach it again') as unknown,
    });
    expect(world.disk.formats).toBe(1);
  });

  it('formats again after a format that was begun and never finished', async () => {
    const world = new NodeWorld();
    world.start(6);
    await expect(world.stage()).rejects.toThrow('dead');
    expect(world.disk.volumes).toHaveLength(1);
    world.start();
    await world.stage();
    expect(world.disk.formats).toBe(1);
  });

  it('law 2: refuses to format when the disk has another number than when it was found', async () => {
    const world = new NodeWorld();
    let looks = 0;
    world.interfere = ({ method }, run) => {
      if (method === 'listDiskIds') looks += 1;
      if (looks === 2) world.disk.number += 100;
      return run();
    };
    await expect(world.stage()).rejects.toMatchObject({ code: 'unavailable' });
    expect(world.disk.formats).toBe(0);
    await world.stage();
    expect(world.disk.formats).toBe(1);
  });

  it('law 2: refuses two disks with the same identity', async () => {
    const world = new NodeWorld();
    const twin = world.host.plug(world.disk.ids);
    await expect(world.stage()).rejects.toMatchObject({
      code: 'failed-precondition',
      message: expect.stringMatching(/disks 1 and 2 both have serial number serial-1/) as unknown,
    });
    expectUntouched(world);
    expect(twin).toMatchObject({ formats: 0, online: false });
  });

  it('law 2: refuses a disk with several volumes and names them', async () => {
    const world = new NodeWorld({ content: NTFS });
    world.host.addVolume(world.disk, { formatted: true });
    world.host.addVolume(world.disk, { formatted: true });
    await expect(world.stage()).rejects.toMatchObject({
      code: 'failed-precondition',
      message: expect.stringContaining('holds 2 volumes') as unknown,
    });
  });

  it('names the disks it sees when the right one is not there, after one rescan', async () => {
    const world = new NodeWorld();
    world.disk.plugged = false;
    world.host.plug({ serialNumber: 'other', page83: '' });
    const error = await world.stage().catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(
        /serial-1.*disks seen: 2 \(serial number other, page 83 \(none\)\)/,
      ) as unknown,
    });
    expect(world.process.calls.count('rescan')).toBe(1);
  });

  it('takes the empty texts of an old CSI Proxy for no volumes', async () => {
    const world = new NodeWorld({ content: NTFS });
    world.host.addVolume(world.disk, { formatted: true });
    const { volumes } = world.host;
    const list = volumes.listVolumesOnDisk.bind(volumes);
    Object.assign(volumes, {
      listVolumesOnDisk: async (...args: Parameters<typeof list>) => ['', ...(await list(...args))],
    });
    await world.stage();
    expect(await world.record()).toMatchObject({ phase: 'staged' });
  });

  it('law 4: mounts over nothing: a full staging folder stays as it is', async () => {
    const world = new NodeWorld();
    world.host.paths.set(`${STAGING}/left`, { kind: 'file' });
    await expect(world.stage()).rejects.toMatchObject({
      code: 'failed-precondition',
      message: expect.stringContaining(`nothing can be mounted at ${STAGING}`) as unknown,
    });
    expect(world.host.paths.has(`${STAGING}/left`)).toBe(true);
    world.host.paths.delete(`${STAGING}/left`);
    await world.stage();
    expect(world.disk.formats).toBe(1);
  });

  it('law 4: leaves another volume that is mounted at the staging path', async () => {
    const world = new NodeWorld();
    const other = world.host.plug({ serialNumber: 'other', page83: '' });
    other.online = true;
    const volume = world.host.addVolume(other, { formatted: true });
    world.host.paths.set(STAGING, { kind: 'mount', volume: volume.id });
    await expect(world.stage()).rejects.toMatchObject({
      code: 'failed-precondition',
      message: expect.stringContaining(volume.id) as unknown,
    });
    expect(world.host.paths.get(STAGING)).toEqual({ kind: 'mount', volume: volume.id });
    expectUntouched(world);
  });

  it('replaces a mount point that leads nowhere', async () => {
    const world = new NodeWorld();
    await world.stage();
    world.write(STAGING, 'a', 'kept');
    world.host.reboot();
    world.start();
    await world.stage();
    expect(world.read(STAGING, 'a')).toBe('kept');
  });

  it('makes a staging folder that is missing', async () => {
    const world = new NodeWorld();
    world.host.paths.delete(STAGING);
    await world.stage();
    expect(world.host.follow(STAGING)).toBeDefined();
  });

  it('law 3: rebuilds a lost journal from what is mounted, when the disk below proves it', async () => {
    const world = new NodeWorld();
    await world.stage();
    await world.journal.remove(VOLUME);
    await world.stage();
    expect(await world.record()).toMatchObject({
      phase: 'staged',
      stagingPath: STAGING,
      holdsFileSystem: true,
    });
    expect(world.disk.formats).toBe(1);
  });

  it('refuses a second staging path while the volume is mounted at the first', async () => {
    const world = new NodeWorld();
    await world.stage();
    world.host.paths.set('/kubelet/elsewhere', { kind: 'folder' });
    await expect(world.stage({ staging_target_path: '/kubelet/elsewhere' })).rejects.toMatchObject({
      code: 'failed-precondition',
      message: expect.stringContaining(STAGING) as unknown,
    });
  });

  it('grows a restored volume once, before anyone sees it', async () => {
    const world = new NodeWorld({ capacityBytes: 2048n * MIB, content: NTFS });
    world.host.addVolume(world.disk, { formatted: true, fileSystemBytes: 1007n * MIB });
    const made = await world.during(() => world.stage());
    expect(made.slice(-2)).toEqual(['resizeVolume', 'mountVolume']);
    await world.unstage();
    expect(await world.during(() => world.stage())).not.toContain('resizeVolume');
  });

  it.each([
    ['of ext4', { volume_capability: capability('SINGLE_NODE_WRITER', 'ext4') }],
    ['of many writers', { volume_capability: capability('MULTI_NODE_MULTI_WRITER') }],
    ['of a block device', { volume_capability: { ...capability(), access_type: 'block', block: {} } }],
    ['without a volume id', { volume_id: '' }],
    ['without a staging path', { staging_target_path: '' }],
    ['without a capability', { volume_capability: null }],
    ['without a publish_context', { publish_context: {} }],
  ])('law 11: refuses a request %s, touching nothing', async (_what, fields) => {
    const world = new NodeWorld();
    const made = await world.during(() =>
      expect(world.stage(fields)).rejects.toMatchObject({ code: 'invalid-argument' }),
    );
    expect(made).toEqual([]);
    expect(world.journal.texts.size).toBe(0);
  });

  it('law 5: believes the state when a mount fails that was made', async () => {
    const world = new NodeWorld();
    world.interfere = async ({ method }, run) => {
      const answer = await run();
      if (method === 'mountVolume') throw new Error('The requested access path is already in use');
      return answer;
    };
    await world.stage();
    await world.publish();
    expect(world.host.follow(TARGET)).toBeDefined();
  });

  it('law 1: never formats when only one id of the disk is the one that the journal knows', async () => {
    const world = new NodeWorld();
    await world.stage();
    await world.unstage();
    const [volume] = world.disk.volumes;
    if (volume !== undefined) volume.formatted = false;
    world.disk.ids = { ...world.disk.ids, page83: 'naa.6fff' };
    world.publishContext = world.contextOf(world.disk, BLANK);
    await expect(world.stage()).rejects.toMatchObject({ code: 'failed-precondition' });
    expect(world.disk.formats).toBe(1);
  });

  it('law 3: changes nothing when the path is written with a separator at its end', async () => {
    const world = new NodeWorld();
    await world.stage();
    const record = await world.record();
    world.host.paths.set(`${STAGING}/`, world.host.paths.get(STAGING) ?? { kind: 'file' });
    await world.stage({ staging_target_path: `${STAGING}/` });
    expect(await world.record()).toEqual(record);
  });

  it.each(['globalmount', './globalmount', '/kubelet/../globalmount', 'C:\\kubelet\\..\\globalmount'])(
    'refuses the staging path %s',
    async (path) => {
      const world = new NodeWorld();
      await expect(world.stage({ staging_target_path: path })).rejects.toMatchObject({
        code: 'invalid-argument',
      });
      expect(world.disk.online).toBe(false);
    },
  );
});
