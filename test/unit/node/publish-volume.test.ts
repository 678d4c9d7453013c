import { describe, expect, it } from '@jest/globals';
import {
  BLANK,
  capability,
  NodeWorld,
  OTHER_TARGET,
  STAGING,
  TARGET,
  VOLUME,
} from '../../support/node-world.ts';

async function stagedWorld(): Promise<NodeWorld> {
  const world = new NodeWorld();
  await world.stage();
  return world;
}

describe('NodePublishVolume', () => {
  it('links the target to the staged volume', async () => {
    const world = await stagedWorld();
    await world.publish();
    expect(world.host.paths.get(TARGET)).toEqual({ kind: 'link', target: STAGING });
    expect(await world.record()).toMatchObject({ targets: [{ path: TARGET, state: 'published' }] });
  });

  it.each([
    ['a volume that is not staged', (): Promise<NodeWorld> => Promise.resolve(new NodeWorld()), {}],
    ['another staging path', stagedWorld, { staging_target_path: '/kubelet/elsewhere' }],
    ['no staging path', stagedWorld, { staging_target_path: '' }],
  ])('refuses %s', async (_what, make, fields) => {
    const world = await make();
    await expect(world.publish(fields)).rejects.toMatchObject({ code: 'failed-precondition' });
    expect(world.host.paths.has(TARGET)).toBe(false);
  });

  it('never gives a pod the folder of a volume whose mount is gone', async () => {
    const world = await stagedWorld();
    world.host.paths.set(STAGING, { kind: 'folder' });
    await expect(world.publish()).rejects.toMatchObject({
      code: 'failed-precondition',
      message: expect.stringContaining('nothing is mounted there any more') as unknown,
    });
    expect(world.host.paths.has(TARGET)).toBe(false);
  });

  it('law 2: never gives a pod another volume that is mounted in place of its own', async () => {
    const world = await stagedWorld();
    const other = world.host.plug({ serialNumber: 'other', page83: '' });
    other.online = true;
    world.host.paths.set(STAGING, {
      kind: 'mount',
      volume: world.host.addVolume(other, { formatted: true }).id,
    });
    await expect(world.publish()).rejects.toMatchObject({ code: 'failed-precondition' });
    expect(world.host.paths.has(TARGET)).toBe(false);
  });

  it('law 11: refuses a read-only publish', async () => {
    const world = await stagedWorld();
    await expect(world.publish({ readonly: true })).rejects.toMatchObject({ code: 'invalid-argument' });
    expect(world.host.paths.has(TARGET)).toBe(false);
  });

  it.each([
    ['the staging path itself', STAGING],
    ['a path below it', `${STAGING}/pod`],
    ['nothing', ''],
  ])('refuses %s as target', async (_what, target) => {
    const world = await stagedWorld();
    await expect(world.publish({ target_path: target })).rejects.toMatchObject({ code: 'invalid-argument' });
  });

  it.each([
    ['an empty folder', { kind: 'folder' } as const],
    ['a link that leads nowhere', { kind: 'link', target: '/kubelet/gone' } as const],
  ])('makes room where %s is', async (_what, entry) => {
    const world = await stagedWorld();
    world.host.paths.set(TARGET, entry);
    await world.publish();
    expect(world.host.paths.get(TARGET)).toEqual({ kind: 'link', target: STAGING });
  });

  it('law 4: leaves a file that is in the way', async () => {
    const world = await stagedWorld();
    world.host.paths.set(TARGET, { kind: 'file' });
    await expect(world.publish()).rejects.toMatchObject({ code: 'failed-precondition' });
    expect(world.host.paths.get(TARGET)).toEqual({ kind: 'file' });
  });

  it('law 4: leaves a full folder that is in the way', async () => {
    const world = await stagedWorld();
    world.host.paths.set(TARGET, { kind: 'folder' });
    world.host.paths.set(`${TARGET}/file`, { kind: 'file' });
    await expect(world.publish()).rejects.toMatchObject({ code: 'failed-precondition' });
    expect(world.host.paths.has(`${TARGET}/file`)).toBe(true);
  });

  it('law 4: never replaces a live link to another volume', async () => {
    const world = await stagedWorld();
    const other = world.host.plug({ serialNumber: 'other', page83: '' });
    other.online = true;
    world.host.paths.set(TARGET, {
      kind: 'mount',
      volume: world.host.addVolume(other, { formatted: true }).id,
    });
    await expect(world.publish()).rejects.toMatchObject({ code: 'failed-precondition' });
    expect(world.host.paths.get(TARGET)?.kind).toBe('mount');
  });

  it('adopts a link of its own that the journal does not know', async () => {
    const world = await stagedWorld();
    world.host.paths.set(TARGET, { kind: 'link', target: STAGING });
    await world.publish();
    expect(await world.record()).toMatchObject({ targets: [{ path: TARGET, state: 'published' }] });
  });

  it('makes the folder the target is in when it is missing', async () => {
    const world = await stagedWorld();
    const deep = '/kubelet/pods/three/volumes/mount';
    await world.publish({ target_path: deep });
    expect(world.host.follow(deep)).toBeDefined();
  });

  it('makes a link again that somebody removed', async () => {
    const world = await stagedWorld();
    await world.publish();
    world.host.paths.delete(TARGET);
    await world.publish();
    expect(world.host.follow(TARGET)).toBeDefined();
  });

  it('rebuilds a lost journal from the mount and publish_context', async () => {
    const world = await stagedWorld();
    await world.journal.remove(VOLUME);
    await world.publish();
    expect(await world.record()).toMatchObject({ phase: 'staged', targets: [{ path: TARGET }] });
  });

  it('publishes a SINGLE_NODE_MULTI_WRITER volume to two pods', async () => {
    const world = await stagedWorld();
    const shared = { volume_capability: capability('SINGLE_NODE_MULTI_WRITER') };
    await world.publish(shared);
    await world.publish({ ...shared, target_path: OTHER_TARGET });
    expect((await world.record())?.targets.map(({ path }) => path)).toEqual([TARGET, OTHER_TARGET]);
  });

  it.each([
    ['SINGLE_NODE_SINGLE_WRITER', 'SINGLE_NODE_SINGLE_WRITER'],
    ['SINGLE_NODE_MULTI_WRITER', 'SINGLE_NODE_SINGLE_WRITER'],
    ['SINGLE_NODE_SINGLE_WRITER', 'SINGLE_NODE_MULTI_WRITER'],
  ])('law 11: refuses a second target when the first is %s and the second %s', async (first, second) => {
    const world = await stagedWorld();
    await world.publish({ volume_capability: capability(first) });
    const again = { target_path: OTHER_TARGET, volume_capability: capability(second) };
    await expect(world.publish(again)).rejects.toMatchObject({
      code: 'failed-precondition',
      message: expect.stringContaining(TARGET) as unknown,
    });
    world.host.paths.delete(TARGET);
    await world.publish(again);
    expect((await world.record())?.targets.map(({ path }) => path)).toEqual([OTHER_TARGET]);
  });

  it('refuses another access mode at the same target', async () => {
    const world = await stagedWorld();
    await world.publish();
    const other = { volume_capability: capability('SINGLE_NODE_MULTI_WRITER') };
    await expect(world.publish(other)).rejects.toMatchObject({ code: 'already-exists' });
  });

  it('law 2: never gives a pod the former disk of a volume that was made again under its name', async () => {
    const world = await stagedWorld();
    const disk = world.host.plug({ serialNumber: 'serial-2', page83: 'naa.6002' });
    world.publishContext = world.contextOf(disk, BLANK);
    await expect(world.publish()).rejects.toMatchObject({
      code: 'failed-precondition',
      message: expect.stringMatching(/serial-1.*serial-2/) as unknown,
    });
    expect(world.host.paths.has(TARGET)).toBe(false);
  });

  it('never says that a pod has its volume when only the folder is left that it was mounted at', async () => {
    const world = await stagedWorld();
    await world.publish();
    world.host.paths.set(STAGING, { kind: 'folder' });
    await expect(world.publish()).rejects.toMatchObject({ code: 'failed-precondition' });
  });
});
