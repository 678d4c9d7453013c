import { describe, expect, it } from '@jest/globals';
import { NodeWorld, OTHER_TARGET, STAGING, TARGET } from '../../support/node-world.ts';

async function publishedWorld(): Promise<NodeWorld> {
  const world = new NodeWorld();
  await world.stage();
  world.write(STAGING, 'a', 'kept');
  await world.publish();
  return world;
}

describe('NodeUnpublishVolume', () => {
  it('law 4: removes the link and nothing behind it', async () => {
    const world = await publishedWorld();
    await world.unpublish();
    expect(world.host.paths.has(TARGET)).toBe(false);
    expect(world.read(STAGING, 'a')).toBe('kept');
  });

  it('law 4: removes a link that leads nowhere, and an empty folder', async () => {
    const world = await publishedWorld();
    world.host.paths.delete(STAGING);
    await world.unpublish();
    world.host.paths.set(OTHER_TARGET, { kind: 'folder' });
    await world.unpublish({ target_path: OTHER_TARGET });
    expect(world.host.paths.has(TARGET)).toBe(false);
    expect(world.host.paths.has(OTHER_TARGET)).toBe(false);
  });

  it.each([
    ['a file', TARGET],
    ['a full folder', `${TARGET}/file`],
  ])('law 4: refuses %s in place of the link', async (_what, file) => {
    const world = await publishedWorld();
    world.host.paths.set(TARGET, { kind: 'folder' });
    world.host.paths.set(file, { kind: 'file' });
    await expect(world.unpublish()).rejects.toMatchObject({ code: 'failed-precondition' });
    expect(world.host.paths.has(file)).toBe(true);
  });

  it.each([
    ['a target that was never published', { target_path: OTHER_TARGET }],
    ['a volume nobody knows', { volume_id: 'vol-unknown', target_path: OTHER_TARGET }],
    ['an id nobody can have made', { volume_id: '../../etc/passwd', target_path: OTHER_TARGET }],
  ])('is fine with %s', async (_what, fields) => {
    const world = await publishedWorld();
    await world.unpublish(fields);
    expect(world.host.paths.has(TARGET)).toBe(true);
  });

  it('law 4: refuses the staging path', async () => {
    const world = await publishedWorld();
    await expect(world.unpublish({ target_path: STAGING })).rejects.toMatchObject({
      code: 'failed-precondition',
    });
    expect(world.read(STAGING, 'a')).toBe('kept');
  });

  it.each([
    ['staging path', STAGING],
    ['target', TARGET],
  ])('law 4: refuses the %s of another volume', async (_what, path) => {
    const world = await publishedWorld();
    const asked = world.unpublish({ volume_id: 'vol-another', target_path: path });
    await expect(asked).rejects.toMatchObject({ code: 'failed-precondition' });
    expect(world.read(TARGET, 'a')).toBe('kept');
  });

  it('law 4: refuses an unknown live link that leads to another volume', async () => {
    const world = await publishedWorld();
    const other = world.host.plug({ serialNumber: 'other', page83: '' });
    other.online = true;
    const volume = world.host.addVolume(other, { formatted: true });
    world.host.paths.set(OTHER_TARGET, { kind: 'mount', volume: volume.id });
    await expect(world.unpublish({ target_path: OTHER_TARGET })).rejects.toMatchObject({
      code: 'failed-precondition',
    });
    expect(world.host.paths.get(OTHER_TARGET)?.kind).toBe('mount');
  });

  it('removes a live link of its own that the journal lost', async () => {
    const world = await publishedWorld();
    world.host.paths.set(OTHER_TARGET, { kind: 'link', target: STAGING });
    await world.unpublish({ target_path: OTHER_TARGET });
    expect(world.host.paths.has(OTHER_TARGET)).toBe(false);
  });

  it('law 3: removes a link whose making was cut short and whose mount has gone since', async () => {
    const world = await publishedWorld();
    const record = await world.record();
    const targets = record?.targets.map((target) => ({ ...target, state: 'creating' as const })) ?? [];
    if (record !== undefined) await world.journal.write({ ...record, targets });
    world.host.paths.set(STAGING, { kind: 'folder' });
    await world.unstage();
    await world.unpublish();
    expect(world.host.paths.has(TARGET)).toBe(false);
  });

  it('law 3: removes a link the journal has lost, though a reboot took the mount and no sweep has seen it yet', async () => {
    const world = await publishedWorld();
    const record = await world.record();
    if (record !== undefined) await world.journal.write({ ...record, targets: [] });
    world.host.paths.set(STAGING, { kind: 'folder' });
    await world.unpublish();
    expect(world.host.paths.has(TARGET)).toBe(false);
  });

  it('says that it was cancelled, not that something is in the way', async () => {
    const world = await publishedWorld();
    const caller = new AbortController();
    world.interfere = ({ method }, run) => {
      if (method !== 'rmdir') return run();
      caller.abort();
      return Promise.reject(new Error('not begun'));
    };
    await expect(world.call('NodeUnpublishVolume', {}, caller.signal)).rejects.toMatchObject({
      code: 'cancelled',
    });
  });

  it.each([{ volume_id: '' }, { target_path: '' }])('refuses a request with %j', async (fields) => {
    await expect(new NodeWorld().unpublish(fields)).rejects.toMatchObject({ code: 'invalid-argument' });
  });

  it("law 4: leaves another volume's link where a publish of this one had failed", async () => {
    const world = await publishedWorld();
    const other = world.host.plug({ serialNumber: 'other', page83: 'naa.6009' });
    other.online = true;
    const volume = world.host.addVolume(other, { formatted: true });
    world.host.paths.set(OTHER_TARGET, { kind: 'mount', volume: volume.id });
    const fields = { target_path: OTHER_TARGET };
    await expect(world.publish(fields)).rejects.toMatchObject({ code: 'failed-precondition' });
    await expect(world.unpublish(fields)).rejects.toMatchObject({ code: 'failed-precondition' });
    expect(world.host.paths.get(OTHER_TARGET)?.kind).toBe('mount');
  });

  it.each([
    '/kubelet//globalmount',
    '/kubelet/globalmount/',
    '/kubelet/pods/../globalmount',
    '/kubelet/./globalmount',
  ])('law 4: refuses the staging path written as %s', async (path) => {
    const world = await publishedWorld();
    // A host reads all of these as one path.
    world.host.paths.set(path, world.host.paths.get(STAGING) ?? { kind: 'file' });
    await expect(world.unpublish({ target_path: path })).rejects.toMatchObject({
      code: expect.stringMatching(/^(failed-precondition|invalid-argument)$/) as unknown,
    });
    expect(world.host.paths.has(path)).toBe(true);
  });
});
