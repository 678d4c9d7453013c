import { describe, expect, it } from '@jest/globals';
import { MIB } from '../../../src/core/capacity.ts';
import type { DiskContent } from '../../../src/core/content-state.ts';
import { BLANK, NodeWorld, OTHER_TARGET, STAGING, TARGET, VOLUME } from '../../support/node-world.ts';

const NTFS: DiskContent = { state: 'ntfs', found: 'an NTFS volume', fileSystemBytes: 1007n * MIB };
const EXT4: DiskContent = { state: 'foreign', found: 'an ext4 file system', fileSystemBytes: 0n };
const refused = (text: string): object => ({
  code: 'failed-precondition',
  message: expect.stringContaining(text) as unknown,
});

const oldWorld = (content = BLANK): NodeWorld => new NodeWorld({ preset: 'v1alpha1', content });

function expectUntouched(world: NodeWorld): void {
  expect(world.disk).toMatchObject({ formats: 0, initialisations: 0 });
}

async function publishedWorld(): Promise<NodeWorld> {
  const world = oldWorld();
  await world.stage();
  world.write(STAGING, 'a', 'kept');
  await world.publish();
  return world;
}

/** Mounts a volume of somebody else at a path. */
function mountAnother(world: NodeWorld, path: string): ReturnType<NodeWorld['host']['addVolume']> {
  const other = world.host.plug({ serialNumber: 'other', page83: 'naa.6009' });
  const volume = world.host.addVolume(other, { formatted: true });
  world.host.paths.set(path, { kind: 'mount', volume: volume.id });
  return volume;
}

describe('NodeStage over v1alpha1', () => {
  it('law 2: finds the disk by its page 83 id, whatever its serial number', async () => {
    const world = oldWorld();
    world.host.plug({ serialNumber: 'serial-1', page83: 'naa.6002' });
    await world.stage();
    expect(world.disk.formats).toBe(1);
    expect(world.host.allDisks[1]?.formats).toBe(0);
  });

  it.each([
    ['blank', BLANK],
    ['with NTFS', NTFS],
  ])('law 2: touches no disk %s without a page 83 id, and says what to upgrade', async (_what, content) => {
    const world = oldWorld(content);
    world.publishContext = { ...world.publishContext, page83: ' ' };
    const made = await world.during(() =>
      expect(world.stage()).rejects.toMatchObject(refused('upgrade CSI Proxy')),
    );
    expect(made).toEqual(['isSymlink']);
    expectUntouched(world);
  });

  it('law 2: stages a disk without a page 83 id where serial numbers are reported', async () => {
    const world = new NodeWorld({ preset: 'v1beta1' });
    world.publishContext = { ...world.publishContext, page83: ' ' };
    await world.stage();
    expect(world.disk.formats).toBe(1);
  });

  it('law 2: refuses to format when the disk has another number than when it was found', async () => {
    const world = oldWorld();
    world.interfere = ({ method }, run) => {
      if (method === 'getDiskNumberByPage83' && world.process.calls.count(method) === 2)
        world.disk.number += 100;
      return run();
    };
    await expect(world.stage()).rejects.toMatchObject({ code: 'unavailable' });
    expect(world.disk.formats).toBe(0);
    await world.stage();
    expect(world.disk.formats).toBe(1);
  });

  it('law 2: refuses to format when the disk cannot be found again', async () => {
    const world = oldWorld();
    world.interfere = ({ method }, run) =>
      method === 'getDiskNumberByPage83' && world.process.calls.count(method) === 2
        ? Promise.reject(new Error('no'))
        : run();
    await expect(world.stage()).rejects.toMatchObject({ code: 'unavailable' });
    expect(world.disk.formats).toBe(0);
  });

  it('law 5: looks once more after a rescan, and takes no failure for proof that the disk is gone', async () => {
    const world = oldWorld();
    world.disk.plugged = false;
    world.interfere = ({ method }, run) => {
      if (method === 'rescan') world.disk.plugged = true;
      return run();
    };
    await world.stage();
    await world.unstage();
    world.interfere = ({ method }, run) =>
      method === 'getDiskNumberByPage83' ? Promise.reject(new Error('no such disk')) : run();
    await expect(world.stage()).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('no such disk') as unknown,
    });
    expect(world.process.calls.count('rescan')).toBe(2);
  });

  it.each([
    ['held ext4', EXT4],
    ['held NTFS', NTFS],
  ])('law 1: neither partitions nor formats a disk that %s over v1alpha1', async (_what, content) => {
    const world = oldWorld(content);
    await expect(world.stage()).rejects.toMatchObject({ code: 'failed-precondition' });
    world.host.addVolume(world.disk);
    await expect(world.stage()).rejects.toMatchObject({ code: 'failed-precondition' });
    expectUntouched(world);
  });

  it('law 1: never formats again over v1alpha1 what the journal knows as formatted', async () => {
    const world = oldWorld();
    await world.stage();
    await world.unstage();
    const [volume] = world.disk.volumes;
    if (volume !== undefined) volume.formatted = false;
    await expect(world.stage()).rejects.toMatchObject(refused('damaged, not blank'));
    expect(world.disk.formats).toBe(1);
  });

  it('says that the disk may be offline, which it cannot change', async () => {
    const world = oldWorld(NTFS);
    world.host.addVolume(world.disk, { formatted: true });
    world.disk.online = false;
    await expect(world.stage()).rejects.toMatchObject(refused('SAN policy'));
    world.disk.online = true;
    await world.stage();
    expect(world.disk.online).toBe(true);
  });

  it('law 2: takes nothing for its volume that is mounted where the journal says nothing is', async () => {
    const world = oldWorld();
    const volume = mountAnother(world, STAGING);
    await expect(world.stage()).rejects.toMatchObject(refused('cannot tell'));
    expect(world.host.paths.get(STAGING)).toEqual({ kind: 'mount', volume: volume.id });
    await world.journal.remove(VOLUME);
    await expect(world.publish()).rejects.toMatchObject({ code: 'failed-precondition' });
    expectUntouched(world);
  });

  it('law 2: takes the mount of a former disk of the volume neither when it is there nor when it comes back', async () => {
    const world = await publishedWorld();
    await world.unpublish();
    const former = world.disk;
    const disk = world.host.plug({ serialNumber: 'serial-2', page83: 'naa.6002' });
    world.publishContext = world.contextOf(disk, BLANK);
    await expect(world.stage()).rejects.toMatchObject({ code: 'failed-precondition' });
    former.plugged = false;
    world.interfere = ({ method }, run) => {
      // The process dies when the journal names the staging path for the new disk, and the old disk is plugged in again.
      if (method !== 'formatVolume') return run();
      former.plugged = true;
      return Promise.reject(new Error('dead'));
    };
    await expect(world.stage()).rejects.toThrow('dead');
    world.interfere = (_call, run) => run();
    await world.stage();
    expect(world.host.follow(STAGING)).toBe(disk.volumes[0]);
    expect(former.volumes[0]?.data.get('a')).toBe('kept');
  });

  it('law 5: believes the state when a mount fails that was made', async () => {
    const world = oldWorld();
    world.interfere = async ({ method }, run) => {
      const answer = await run();
      if (method === 'mountVolume') throw new Error('The requested access path is already in use');
      return answer;
    };
    await world.stage();
    await world.publish();
    expect(world.host.follow(TARGET)).toBeDefined();
  });
});

describe('NodePublish and NodeUnpublish over v1alpha1', () => {
  it('never says that a pod has its volume when only the folder is left that it was mounted at', async () => {
    const world = await publishedWorld();
    world.host.paths.set(STAGING, { kind: 'folder' });
    await expect(world.publish()).rejects.toMatchObject(refused('nothing is mounted there any more'));
  });

  it('law 3: makes a link again whose removal was cut short', async () => {
    const world = await publishedWorld();
    world.start(1);
    await expect(world.unpublish()).rejects.toThrow('dead');
    expect(world.host.paths.has(TARGET)).toBe(false);
    world.start();
    await world.publish();
    expect(world.read(TARGET, 'a')).toBe('kept');
  });

  it('law 3: makes a link again whose removal was reported as failed', async () => {
    const world = await publishedWorld();
    world.interfere = async ({ method }, run) => {
      if (method === 'pathExists') throw new Error('no');
      const answer = await run();
      if (method === 'rmdir') throw new Error('no');
      return answer;
    };
    await expect(world.unpublish()).rejects.toThrow('no');
    world.interfere = (_call, run) => run();
    await world.publish();
    expect(world.read(TARGET, 'a')).toBe('kept');
  });

  it('law 3: makes a link again that a sweep removed, which then failed', async () => {
    const world = await publishedWorld();
    world.disk.plugged = false;
    Object.assign(world.journal, { write: () => Promise.reject(new Error('disk full')) });
    await expect(world.sweep(true)).rejects.toThrow('disk full');
    expect(world.host.paths.has(TARGET)).toBe(false);
    Reflect.deleteProperty(world.journal, 'write');
    world.disk.plugged = true;
    await world.stage();
    await world.publish();
    expect(world.read(TARGET, 'a')).toBe('kept');
  });

  it('looks at a link once that a former process made', async () => {
    const world = await publishedWorld();
    world.start();
    expect(await world.during(() => world.publish())).toEqual(['isSymlink', 'isSymlink']);
    expect(await world.during(() => world.publish())).toEqual(['isSymlink']);
  });

  it('makes a link anew where one is that nobody can follow, and reaches the volume', async () => {
    const world = await publishedWorld();
    world.host.paths.set(OTHER_TARGET, { kind: 'link', target: '/kubelet/pods' });
    await world.publish({ target_path: OTHER_TARGET });
    expect(world.host.paths.get(OTHER_TARGET)).toEqual({ kind: 'link', target: STAGING });
  });

  it.each([
    ['publish', (world: NodeWorld): Promise<unknown> => world.publish({ volume_id: 'vol-another' })],
    ['unpublish', (world: NodeWorld): Promise<unknown> => world.unpublish({ volume_id: 'vol-another' })],
  ])('law 4: does not %s over the link of another volume of ours', async (_what, run) => {
    const world = await publishedWorld();
    const record = await world.record();
    if (record === undefined) throw new Error('no record');
    await world.journal.write({ ...record, volumeId: 'vol-another' as typeof VOLUME, targets: [] });
    await expect(run(world)).rejects.toMatchObject({ code: 'failed-precondition' });
    expect(world.host.paths.get(TARGET)).toEqual({ kind: 'link', target: STAGING });
  });

  it.each([
    ['a file', TARGET],
    ['a full folder', `${TARGET}/file`],
  ])('law 4: leaves %s in place of the link', async (_what, file) => {
    const world = await publishedWorld();
    world.host.paths.set(TARGET, { kind: 'folder' });
    world.host.paths.set(file, { kind: 'file' });
    await expect(world.unpublish()).rejects.toMatchObject({ code: 'failed-precondition' });
    world.start();
    await expect(world.publish()).rejects.toMatchObject({ code: 'failed-precondition' });
    expect(world.host.paths.get(file)).toEqual({ kind: 'file' });
  });

  it('law 3: removes a link that the journal has lost', async () => {
    const world = await publishedWorld();
    const record = await world.record();
    if (record !== undefined) await world.journal.write({ ...record, targets: [] });
    await world.unpublish();
    expect(world.host.paths.has(TARGET)).toBe(false);
    expect(world.read(STAGING, 'a')).toBe('kept');
  });
});

describe('NodeUnstage over v1alpha1', () => {
  it('law 2: unmounts exactly what the journal says', async () => {
    const world = await publishedWorld();
    await world.unpublish();
    const { volumes } = world.host;
    const asked: unknown[] = [];
    const unmount = volumes.unmountVolume.bind(volumes);
    Object.assign(volumes, {
      unmountVolume: (...args: Parameters<typeof unmount>) => {
        asked.push(args.slice(0, 2));
        return unmount(...args);
      },
    });
    await world.unstage();
    expect(asked).toEqual([[world.disk.volumes[0]?.id, STAGING]]);
    expect(world.disk.online).toBe(true);
  });

  it.each([
    ['says that nothing is', (world: NodeWorld): Promise<unknown> => world.unstage()],
    ['has lost the volume', (world: NodeWorld): Promise<unknown> => world.journal.remove(VOLUME)],
  ])('law 2: leaves what is mounted when the journal %s', async (_what, spoil) => {
    const world = await publishedWorld();
    await world.unpublish();
    await spoil(world);
    const volume = mountAnother(world, STAGING);
    await expect(world.unstage()).rejects.toMatchObject(refused('cannot tell'));
    expect(world.host.paths.get(STAGING)).toEqual({ kind: 'mount', volume: volume.id });
  });
});

describe('NodeExpand and NodeGetVolumeStats over v1alpha1', () => {
  it('grows, and answers no size when nothing can tell it', async () => {
    const world = await publishedWorld();
    world.disk.capacityBytes = 2048n * MIB;
    expect(await world.expand(2048n * MIB)).toEqual({});
    expect(world.host.follow(STAGING)?.fileSystemBytes).toBe(2031n * MIB);
    expect((await world.record())?.grownToBytes).toBe(1024n * MIB);
    expect(
      world.log.lines.some(({ level, message }) => level === 'warn' && message.includes('its size')),
    ).toBe(true);
  });

  it('measures the growth itself where it can, and fails when there was none', async () => {
    const world = oldWorld();
    world.host.features = { ...world.host.features, localStat: true };
    world.extraDeps = {
      statVolume: () =>
        Promise.resolve({ totalBytes: world.host.follow(STAGING)?.fileSystemBytes ?? 0n, usedBytes: 0n }),
    };
    world.start();
    await world.stage();
    await expect(world.expand(2048n * MIB)).rejects.toMatchObject({ code: 'unavailable' });
    world.disk.capacityBytes = 2048n * MIB;
    expect(await world.expand(2048n * MIB)).toEqual({ capacity_bytes: (2048n * MIB).toString() });
  });

  it('answers not found for a path where nothing is mounted any more', async () => {
    const world = await publishedWorld();
    world.host.paths.set(STAGING, { kind: 'folder' });
    await expect(world.expand(0n)).rejects.toMatchObject({ code: 'not-found' });
    await expect(world.stats({ volume_path: '/kubelet/pods' })).rejects.toMatchObject({ code: 'not-found' });
  });

  it('gives the condition alone when nothing can tell the bytes', async () => {
    const world = await publishedWorld();
    const healthy = { usage: [], volume_condition: { abnormal: false, message: 'the volume is healthy' } };
    expect(
      await world.during(async () => {
        expect(await world.stats()).toEqual(healthy);
      }),
    ).toEqual([]);
    world.host.paths.set(STAGING, { kind: 'folder' });
    await world.sweep(false);
    expect(await world.stats()).toMatchObject({ volume_condition: { abnormal: true } });
  });
});

describe('NodeGetVolumeStats of a process that does not see the mounts', () => {
  async function blindWorld(preset: 'v1' | 'v1alpha1'): Promise<NodeWorld> {
    const world = new NodeWorld({ preset });
    world.host.features = { ...world.host.features, localStat: true };
    world.extraDeps = { statVolume: () => Promise.reject(new Error('ENOENT')) };
    world.start();
    await world.stage();
    return world;
  }

  it('asks the host, after it has looked once whether the volume is there', async () => {
    const world = await blindWorld('v1');
    expect(await world.stats()).toMatchObject({ usage: [{ total: (1007n * MIB).toString() }] });
    world.time = new Date(world.time.getTime() + 31_000);
    expect(await world.during(() => world.stats())).toEqual(['getVolumeStats']);
    world.disk.plugged = false;
    world.time = new Date(world.time.getTime() + 31_000);
    expect(await world.stats()).toMatchObject({ volume_condition: { abnormal: true } });
  });

  it('gives the condition alone over v1alpha1', async () => {
    const world = await blindWorld('v1alpha1');
    expect(await world.stats()).toMatchObject({ usage: [], volume_condition: { abnormal: false } });
    expect(await world.during(() => world.stats())).toEqual([]);
  });
});

describe('the sweep over v1alpha1', () => {
  it('law 12: clears what dangles, at start at once and later at the second look, and the links to it', async () => {
    for (const atStart of [true, false]) {
      const world = await publishedWorld();
      world.disk.plugged = false;
      await world.sweep(atStart);
      expect(world.host.paths.has(STAGING)).toBe(!atStart);
      if (!atStart) await world.sweep(false);
      expect(world.host.paths.has(STAGING)).toBe(false);
      expect(world.host.paths.has(TARGET)).toBe(false);
      expect(await world.record()).toMatchObject({ phase: 'unstaged', holdsFileSystem: true, targets: [] });
      world.disk.plugged = true;
      await world.stage();
      expect(world.read(STAGING, 'a')).toBe('kept');
    }
  });

  it('looks at a healthy volume with one call, also after a reboot', async () => {
    const world = await publishedWorld();
    world.host.reboot();
    world.start();
    expect(await world.during(() => world.sweep(true))).toEqual(['isSymlink']);
    expect(world.read(TARGET, 'a')).toBe('kept');
    expect(world.process.conditions.get(VOLUME).abnormal).toBe(false);
  });

  it('law 1: keeps the record of a volume for ever: its disk may be there', async () => {
    const world = await publishedWorld();
    await world.unpublish();
    await world.unstage();
    world.time = new Date(world.time.getTime() + 400 * 24 * 60 * 60 * 1000);
    await world.sweep(false);
    expect(await world.record()).toMatchObject({ holdsFileSystem: true });
  });
});
