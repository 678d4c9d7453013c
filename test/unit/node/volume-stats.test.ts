import { describe, expect, it } from '@jest/globals';
import { MIB } from '../../../src/core/capacity.ts';
import { NodeWorld, STAGING, TARGET, VOLUME } from '../../support/node-world.ts';

async function publishedWorld(): Promise<NodeWorld> {
  const world = new NodeWorld();
  await world.stage();
  await world.publish();
  world.write(STAGING, 'a', 'one MiB in this host');
  return world;
}

describe('NodeGetVolumeStats', () => {
  it.each([STAGING, TARGET])('gives bytes and condition of a volume at %s', async (path) => {
    const world = await publishedWorld();
    expect(await world.stats({ volume_path: path })).toEqual({
      usage: [
        {
          unit: 'BYTES',
          total: (1007n * MIB).toString(),
          used: MIB.toString(),
          available: (1006n * MIB).toString(),
        },
      ],
      volume_condition: { abnormal: false, message: 'the volume is healthy' },
    });
  });

  it('asks the host again when the answer is old, and after the volume grew', async () => {
    const world = await publishedWorld();
    await world.stats();
    expect(await world.during(() => world.stats())).toEqual([]);
    world.time = new Date(world.time.getTime() + 31_000);
    expect(await world.during(() => world.stats())).toEqual(['getVolumeStats']);
    await world.expand(1024n * MIB);
    expect(await world.during(() => world.stats())).toEqual(['getVolumeStats']);
  });

  it('looks itself, at the path asked for, where the process can', async () => {
    const world = new NodeWorld();
    const asked: string[] = [];
    world.host.features = { ...world.host.features, localStat: true };
    world.extraDeps = {
      statVolume: (path) => {
        asked.push(path);
        return Promise.resolve({ totalBytes: 10n, usedBytes: 12n });
      },
    };
    world.start();
    await world.stage();
    expect(await world.stats()).toMatchObject({ usage: [{ total: '10', used: '12', available: '0' }] });
    expect(asked).toEqual([STAGING]);
  });

  it('proves a path by the host that the journal does not know', async () => {
    const world = await publishedWorld();
    const record = await world.record();
    if (record !== undefined) await world.journal.write({ ...record, targets: [] });
    expect(await world.during(() => world.stats({ volume_path: TARGET }))).toEqual([
      'getVolumeIdFromTargetPath',
      'getVolumeStats',
    ]);
  });

  it.each([
    ['a volume nobody knows', { volume_id: 'vol-unknown' }],
    ['a path where nothing is', { volume_path: '/some/path' }],
    ['a relative path', { volume_path: 'some/path' }],
    ['a plain folder', { volume_path: '/kubelet/pods' }],
  ])('answers not found for %s', async (_what, fields) => {
    const world = await publishedWorld();
    await expect(world.stats(fields)).rejects.toMatchObject({ code: 'not-found' });
  });

  it('does not even ask the host about a relative path', async () => {
    const world = await publishedWorld();
    const asked = await world.during(() => world.stats({ volume_path: 'some/path' }).catch(() => undefined));
    expect(asked).toEqual([]);
  });

  it('answers not found for a target whose link somebody removed', async () => {
    const world = await publishedWorld();
    world.host.features = { ...world.host.features, localStat: true };
    world.extraDeps = { statVolume: () => Promise.reject(new Error('ENOENT')) };
    world.start();
    world.host.paths.delete(TARGET);
    await expect(world.stats({ volume_path: TARGET })).rejects.toMatchObject({ code: 'not-found' });
  });

  it.each([
    ['offline', (world: NodeWorld): void => void (world.disk.online = false), /is offline/],
    ['gone', (world: NodeWorld): void => void (world.disk.plugged = false), /is not on this node/],
  ])('looks deeper when the disk is %s, and says so with the last numbers', async (_what, spoil, message) => {
    const world = await publishedWorld();
    await world.stats();
    spoil(world);
    world.time = new Date(world.time.getTime() + 31_000);
    expect(await world.stats()).toMatchObject({
      usage: [{ total: (1007n * MIB).toString() }],
      volume_condition: { abnormal: true, message: expect.stringMatching(message) as unknown },
    });
  });

  it('reports a mount that is gone as the sweep saw it, without counting the bytes of the folder below', async () => {
    const world = await publishedWorld();
    world.host.paths.set(STAGING, { kind: 'folder' });
    await world.sweep(false);
    expect(await world.during(() => world.stats())).toEqual([]);
    expect(await world.stats()).toMatchObject({
      usage: [],
      volume_condition: { abnormal: true, message: expect.stringMatching(/nothing is mounted/) as unknown },
    });
  });

  it('passes a failure on when the volume is healthy', async () => {
    const world = await publishedWorld();
    Object.assign(world.host.volumes, { getVolumeStats: () => Promise.reject(new Error('busy')) });
    await expect(world.stats()).rejects.toThrow('busy');
  });

  it('takes no lock', () => {
    expect(new NodeWorld().process.service.lockKeys['NodeGetVolumeStats']).toBeUndefined();
  });

  it.each([{ volume_id: '' }, { volume_path: '' }])('refuses a request with %j', async (fields) => {
    await expect((await publishedWorld()).stats(fields)).rejects.toMatchObject({ code: 'invalid-argument' });
  });

  it('forgets what it knew of a volume that is unstaged', async () => {
    const world = await publishedWorld();
    world.process.conditions.set(VOLUME, { abnormal: true, message: 'old' });
    await world.unpublish();
    await world.unstage();
    await world.stage();
    expect(await world.stats()).toMatchObject({ volume_condition: { abnormal: false } });
  });
});
