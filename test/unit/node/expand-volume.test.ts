import { describe, expect, it } from '@jest/globals';
import { MIB } from '../../../src/core/capacity.ts';
import { capability, NodeWorld, OTHER_TARGET, STAGING, TARGET } from '../../support/node-world.ts';

async function stagedWorld(): Promise<NodeWorld> {
  const world = new NodeWorld();
  await world.stage();
  world.write(STAGING, 'a', 'kept');
  return world;
}

describe('NodeExpandVolume', () => {
  it.each([STAGING, TARGET])('grows the file system of a volume at %s', async (path) => {
    const world = await stagedWorld();
    await world.publish();
    world.disk.capacityBytes = 2048n * MIB;
    const answer = await world.expand(2048n * MIB, { volume_path: path });
    expect(answer).toEqual({ capacity_bytes: (2048n * MIB).toString() });
    expect(world.host.follow(STAGING)?.fileSystemBytes).toBe(2031n * MIB);
    expect(world.read(TARGET, 'a')).toBe('kept');
  });

  it('answers the size of the file system when no size is asked for', async () => {
    const world = await stagedWorld();
    expect(await world.expand(0n, { capacity_range: null })).toEqual({
      capacity_bytes: (1007n * MIB).toString(),
    });
  });

  it('answers what there is when the host leaves a small growth undone', async () => {
    const world = await stagedWorld();
    world.disk.capacityBytes = 1100n * MIB;
    expect(await world.expand(1100n * MIB)).toEqual({ capacity_bytes: (1007n * MIB).toString() });
  });

  it('fails with the numbers when the file system did not grow', async () => {
    const world = await stagedWorld();
    await expect(world.expand(2048n * MIB)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining((2048n * MIB).toString()) as unknown,
    });
  });

  it('refuses a limit below the present size', async () => {
    const world = await stagedWorld();
    const capacity_range = { required_bytes: '0', limit_bytes: (512n * MIB).toString() };
    await expect(world.expand(0n, { capacity_range })).rejects.toMatchObject({ code: 'out-of-range' });
  });

  it.each([
    ['a volume nobody knows', { volume_id: 'vol-unknown' }],
    ['a path where nothing is', { volume_path: '/kubelet/none' }],
    ['a plain folder', { volume_path: '/kubelet/pods' }],
  ])('answers not found for %s', async (_what, fields) => {
    const world = await stagedWorld();
    await expect(world.expand(0n, fields)).rejects.toMatchObject({ code: 'not-found' });
  });

  it('law 2: answers not found for a path of another volume', async () => {
    const world = await stagedWorld();
    const other = world.host.plug({ serialNumber: 'other', page83: '' });
    other.online = true;
    const volume = world.host.addVolume(other, { formatted: true, fileSystemBytes: MIB });
    world.host.paths.set(OTHER_TARGET, { kind: 'mount', volume: volume.id });
    await expect(world.expand(0n, { volume_path: OTHER_TARGET })).rejects.toMatchObject({
      code: 'not-found',
    });
    expect(volume.fileSystemBytes).toBe(MIB);
  });

  it.each([
    ['no volume id', { volume_id: '' }],
    ['no path', { volume_path: '' }],
    ['block access', { volume_capability: { ...capability(), access_type: 'block', block: {} } }],
    ['ext4', { volume_capability: capability('SINGLE_NODE_WRITER', 'ext4') }],
  ])('law 11: refuses %s', async (_what, fields) => {
    const world = await stagedWorld();
    await expect(world.expand(0n, fields)).rejects.toMatchObject({ code: 'invalid-argument' });
  });
});
