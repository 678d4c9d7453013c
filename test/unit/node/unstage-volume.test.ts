import { describe, expect, it } from '@jest/globals';
import { NodeWorld, STAGING, TARGET, VOLUME } from '../../support/node-world.ts';

async function stagedWorld(): Promise<NodeWorld> {
  const world = new NodeWorld();
  await world.stage();
  world.write(STAGING, 'a', 'kept');
  return world;
}

describe('NodeUnstageVolume', () => {
  it('unmounts, takes the disk offline, and leaves the empty staging folder', async () => {
    const world = await stagedWorld();
    await world.unstage();
    expect(world.host.paths.get(STAGING)).toEqual({ kind: 'folder' });
    expect(world.disk.online).toBe(false);
    expect(await world.record()).toMatchObject({ phase: 'unstaged', holdsFileSystem: true, targets: [] });
  });

  it('refuses while a pod still has the volume, and says where', async () => {
    const world = await stagedWorld();
    await world.publish();
    await expect(world.unstage()).rejects.toMatchObject({
      code: 'failed-precondition',
      message: expect.stringContaining(TARGET) as unknown,
    });
    expect(world.read(TARGET, 'a')).toBe('kept');
  });

  it('does not mind a target that is gone', async () => {
    const world = await stagedWorld();
    await world.publish();
    world.host.paths.delete(TARGET);
    await world.unstage();
    expect(await world.record()).toMatchObject({ phase: 'unstaged', targets: [] });
  });

  it.each([
    ['a volume nobody knows', { volume_id: 'vol-unknown', staging_target_path: '/kubelet/none' }],
    [
      'a volume nobody knows at an empty folder',
      { volume_id: 'vol-unknown', staging_target_path: '/kubelet/pods/two' },
    ],
    ['another path where nothing is mounted', { staging_target_path: '/kubelet/pods/two' }],
  ])('is fine with %s', async (_what, fields) => {
    const world = await stagedWorld();
    await world.unstage(fields);
    expect(world.read(STAGING, 'a')).toBe('kept');
  });

  it('law 2: leaves another volume that is mounted at the staging path', async () => {
    const world = await stagedWorld();
    const other = world.host.plug({ serialNumber: 'other', page83: '' });
    other.online = true;
    const volume = world.host.addVolume(other, { formatted: true });
    world.host.paths.set(STAGING, { kind: 'mount', volume: volume.id });
    await expect(world.unstage()).rejects.toMatchObject({ code: 'failed-precondition' });
    expect(world.host.paths.get(STAGING)?.kind).toBe('mount');
    expect(other.online).toBe(true);
  });

  it('law 2: leaves a mount that belongs to another volume of ours', async () => {
    const world = await stagedWorld();
    await expect(world.unstage({ volume_id: 'vol-another' })).rejects.toMatchObject({
      code: 'failed-precondition',
      message: expect.stringContaining(VOLUME) as unknown,
    });
    expect(world.read(STAGING, 'a')).toBe('kept');
  });

  it('law 2: unmounts without a journal, and takes no unproven disk offline', async () => {
    const world = await stagedWorld();
    await world.journal.remove(VOLUME);
    await world.unstage();
    expect(world.host.paths.get(STAGING)).toEqual({ kind: 'folder' });
    expect(world.disk.online).toBe(true);
  });

  it('clears a mount point that leads nowhere, and keeps what the journal knows of formats', async () => {
    const world = await stagedWorld();
    await world.publish();
    world.host.reboot();
    world.start();
    await world.unstage();
    expect(world.host.paths.get(STAGING)).toEqual({ kind: 'folder' });
    expect(await world.record()).toMatchObject({ phase: 'unstaged', holdsFileSystem: true });
    await world.unpublish();
    expect(world.host.paths.has(TARGET)).toBe(false);
  });

  it('law 12: clears a mount point that leads nowhere also when the journal has lost the volume', async () => {
    const world = await stagedWorld();
    await world.journal.remove(VOLUME);
    world.disk.plugged = false;
    await world.unstage();
    expect(world.host.paths.get(STAGING)).toEqual({ kind: 'folder' });
  });

  it('law 2: leaves a mount point that leads nowhere to the volume it belongs to', async () => {
    const world = await stagedWorld();
    world.host.reboot();
    const call = world.unstage({ volume_id: 'vol-another' });
    await expect(call).rejects.toMatchObject({ code: 'failed-precondition' });
    expect(world.host.paths.get(STAGING)).toMatchObject({ kind: 'mount' });
  });

  it('is done when the disk is gone', async () => {
    const world = await stagedWorld();
    world.disk.plugged = false;
    await world.unstage();
    expect(await world.record()).toMatchObject({ phase: 'unstaged' });
  });

  it.each([
    ['formatting', 9],
    ['staged', 11],
  ])('takes a disk offline that a stage left online when it died as %s', async (phase, steps) => {
    const world = new NodeWorld();
    world.start(steps);
    await expect(world.stage()).rejects.toThrow('dead');
    expect(await world.record()).toMatchObject({ phase });
    expect(world.disk.online).toBe(true);
    world.start();
    await world.unstage();
    expect(world.disk.online).toBe(false);
  });

  it('law 4: leaves files that were written where the mount should have been', async () => {
    const world = await stagedWorld();
    world.host.paths.set(STAGING, { kind: 'folder' });
    world.host.paths.set(`${STAGING}/stray`, { kind: 'file' });
    await world.unstage();
    expect(world.host.paths.has(`${STAGING}/stray`)).toBe(true);
    expect(world.disk.online).toBe(false);
  });

  it('law 5: believes the state when an unmount fails that was done', async () => {
    const world = await stagedWorld();
    world.interfere = async ({ method }, run) => {
      const answer = await run();
      if (method === 'unmountVolume') throw new Error('The access path is not valid');
      return answer;
    };
    await world.unstage();
    expect(world.disk.online).toBe(false);
  });

  it('fails, and says staged, when an unmount fails and the volume is still mounted', async () => {
    const world = await stagedWorld();
    Object.assign(world.host.volumes, { unmountVolume: () => Promise.reject(new Error('in use')) });
    await expect(world.unstage()).rejects.toThrow('in use');
    expect(world.read(STAGING, 'a')).toBe('kept');
    expect(world.disk.online).toBe(true);
  });

  it.each([{ volume_id: '' }, { staging_target_path: '' }])('refuses a request with %j', async (fields) => {
    await expect(new NodeWorld().unstage(fields)).rejects.toMatchObject({ code: 'invalid-argument' });
  });

  it('law 12: leaves no dangling mount point when the volume goes while it unmounts', async () => {
    const world = await stagedWorld();
    world.interfere = ({ method }, run) => {
      if (method === 'unmountVolume') world.disk.online = false;
      return run();
    };
    await world.unstage();
    expect(world.host.paths.get(STAGING)).toEqual({ kind: 'folder' });
  });
});
