import { describe, expect, it } from '@jest/globals';
import { asVolumeId } from '../../../src/core/ids.ts';
import { volumeLockKey } from '../../../src/node/node-deps.ts';
import { NodeWorld, STAGING, TARGET, VOLUME } from '../../support/node-world.ts';

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

async function publishedWorld(): Promise<NodeWorld> {
  const world = new NodeWorld();
  await world.stage();
  world.write(STAGING, 'a', 'kept');
  await world.publish();
  return world;
}

async function rebootedWorld(): Promise<NodeWorld> {
  const world = await publishedWorld();
  world.host.reboot();
  world.start();
  return world;
}

describe('the sweep', () => {
  it('law 12: clears at start what a reboot left dangling, and keeps what is known of formats', async () => {
    const world = await rebootedWorld();
    await world.sweep(true);
    expect(world.host.paths.has(STAGING)).toBe(false);
    expect(world.host.paths.has(TARGET)).toBe(false);
    expect(await world.record()).toMatchObject({ phase: 'unstaged', holdsFileSystem: true, targets: [] });
  });

  it('law 12: after the sweep the volume can be staged again with its data', async () => {
    const world = await rebootedWorld();
    await world.sweep(true);
    await world.stage();
    await world.publish();
    expect(world.read(TARGET, 'a')).toBe('kept');
    expect(world.disk.formats).toBe(1);
  });

  it('law 12: clears the empty folder that a reboot leaves where mounts are not kept, and the links to it', async () => {
    const world = await publishedWorld();
    world.host.paths.set(STAGING, { kind: 'folder' });
    world.disk.online = false;
    world.start();
    await world.sweep(true);
    expect(world.host.paths.has(STAGING)).toBe(false);
    expect(world.host.paths.has(TARGET)).toBe(false);
  });

  it('law 12: on a periodic pass clears only what dangled in the pass before too', async () => {
    const world = await rebootedWorld();
    await world.sweep(false);
    expect(world.host.paths.has(STAGING)).toBe(true);
    await world.sweep(false);
    expect(world.host.paths.has(STAGING)).toBe(false);
  });

  it('law 12: leaves a mount that comes back after a blip', async () => {
    const world = await publishedWorld();
    for (let blip = 0; blip < 3; blip += 1) {
      world.disk.online = false;
      await world.sweep(false);
      world.disk.online = true;
      await world.sweep(false);
    }
    expect(world.read(TARGET, 'a')).toBe('kept');
    expect(await world.record()).toMatchObject({ phase: 'staged' });
  });

  it('leaves a healthy volume, looking at it with three calls', async () => {
    const world = await publishedWorld();
    expect(await world.during(() => world.sweep(true))).toEqual(['listDiskIds', 'isSymlink', 'getDiskState']);
    expect(world.read(TARGET, 'a')).toBe('kept');
    expect(world.process.conditions.get(VOLUME).abnormal).toBe(false);
  });

  it('law 4: leaves files in a staging folder where nothing is mounted, and the links to it', async () => {
    const world = await publishedWorld();
    world.host.paths.set(STAGING, { kind: 'folder' });
    world.host.paths.set(`${STAGING}/stray`, { kind: 'file' });
    await world.sweep(true);
    expect(world.host.paths.has(`${STAGING}/stray`)).toBe(true);
    expect(world.host.paths.has(TARGET)).toBe(true);
    expect(world.process.conditions.get(VOLUME).abnormal).toBe(true);
  });

  it('law 6: leaves a volume alone while an RPC holds its lock', async () => {
    const world = await rebootedWorld();
    const held = world.process.lock.tryAcquire([volumeLockKey(VOLUME)], 'NodeStageVolume');
    expect(await world.during(() => world.sweep(true))).toEqual(['listDiskIds']);
    expect(world.host.paths.has(STAGING)).toBe(true);
    if (held.acquired) held.release();
    await world.sweep(true);
    expect(world.host.paths.has(STAGING)).toBe(false);
  });

  it('law 6: holds the lock until its own host calls have ended', async () => {
    const world = await rebootedWorld();
    const busy: boolean[] = [];
    world.interfere = async ({ method }, run) => {
      await new Promise(setImmediate);
      if (method === 'rmdir') {
        busy.push(!world.process.lock.tryAcquire([volumeLockKey(VOLUME)], 'test').acquired);
      }
      return run();
    };
    await world.sweep(true);
    expect(busy).toEqual([true, true]);
    expect(world.process.lock.size).toBe(0);
  });

  it('law 3: converges when it dies at any place', async () => {
    const measure = await rebootedWorld();
    await measure.sweep(true);
    for (let last = 1; last < measure.process.crash.steps; last += 1) {
      const world = await rebootedWorld();
      world.start(last);
      await world.sweep(true).catch(() => undefined);
      world.start();
      await world.sweep(true);
      expect(world.host.paths.has(STAGING)).toBe(false);
      expect(world.host.paths.has(TARGET)).toBe(false);
      expect(await world.record()).toMatchObject({ phase: 'unstaged', targets: [] });
    }
  });

  it('clears a mount point of an unmount that a reboot cut short', async () => {
    const world = await publishedWorld();
    await world.unpublish();
    world.start(4);
    await expect(world.unstage()).rejects.toThrow('dead');
    expect(await world.record()).toMatchObject({ phase: 'unstaging' });
    world.disk.plugged = false;
    world.start();
    await world.sweep(true);
    expect(world.host.paths.has(STAGING)).toBe(false);
    expect(await world.record()).toMatchObject({ phase: 'unstaged' });
  });

  it('clears a mount point of a stage that a reboot cut short', async () => {
    const world = new NodeWorld();
    world.start(11);
    await expect(world.stage()).rejects.toThrow('dead');
    expect(await world.record()).toMatchObject({ phase: 'staged' });
    world.disk.plugged = false;
    world.start();
    await world.sweep(true);
    expect(world.host.paths.has(STAGING)).toBe(false);
    expect(await world.record()).toMatchObject({ phase: 'unstaged', holdsFileSystem: true });
  });

  it.each(['formatting', 'unstaging'] as const)(
    'law 12: clears at start what dangles after a reboot in the middle of %s, and leaves the rest to the repeat',
    async (phase) => {
      const world = await publishedWorld();
      await world.unpublish();
      const record = await world.record();
      if (record !== undefined) await world.journal.write({ ...record, phase });
      world.host.reboot();
      world.start();
      world.time = new Date(world.time.getTime() + 1000);
      await world.sweep(true);
      expect(world.host.paths.has(STAGING)).toBe(false);
      expect(await world.record()).toMatchObject({ phase });
      await world.stage();
      expect(world.host.follow(STAGING)).toBeDefined();
      expect(world.disk.formats).toBe(1);
    },
  );

  it('leaves an unstage that was cut short to its repeat while the disk is there', async () => {
    const world = await publishedWorld();
    await world.unpublish();
    world.start(5);
    await expect(world.unstage()).rejects.toThrow('dead');
    world.start();
    await world.sweep(true);
    expect(await world.record()).toMatchObject({ phase: 'unstaging' });
    await world.unstage();
    expect(world.disk.online).toBe(false);
  });

  it.each([
    ['offline', (world: NodeWorld): void => void (world.disk.online = false), /offline/],
    ['gone', (world: NodeWorld): void => void (world.disk.plugged = false), /not on this node/],
  ])('observes a disk that is %s', async (_what, spoil, message) => {
    const world = await publishedWorld();
    spoil(world);
    await world.sweep(false);
    expect(world.process.conditions.get(VOLUME)).toMatchObject({
      abnormal: true,
      message: expect.stringMatching(message) as unknown,
    });
  });

  it.each([
    [29, true, false],
    [31, true, true],
    [31, false, false],
  ])('after %d days, disk gone: %s: drops the record: %s', async (days, gone, dropped) => {
    const world = await publishedWorld();
    await world.unpublish();
    await world.unstage();
    world.disk.plugged = !gone;
    world.time = new Date(world.time.getTime() + days * DAY_MILLISECONDS);
    await world.sweep(false);
    expect((await world.record()) === undefined).toBe(dropped);
  });

  it('keeps on after one volume fails', async () => {
    const world = await rebootedWorld();
    const second = asVolumeId('vol-second');
    const record = await world.record();
    if (record !== undefined) {
      await world.journal.write({ ...record, volumeId: second, stagingPath: '/kubelet/second', targets: [] });
    }
    world.interfere = ({ method }, run) => {
      const down = method === 'getDiskState' && world.process.calls.count('getDiskState') === 1;
      return down ? Promise.reject(new Error('the host is down')) : run();
    };
    await world.sweep(true);
    expect(
      world.log.lines.some(({ level, message }) => level === 'warn' && message.includes('is down')),
    ).toBe(true);
    expect(await world.record()).toMatchObject({ phase: 'staged' });
    expect(await world.journal.read(second)).toMatchObject({ record: { phase: 'unstaged' } });
  });

  it('law 6: a host call that hangs keeps the lock of its volume, and neither the others nor the end waiting', async () => {
    const world = await rebootedWorld();
    const second = asVolumeId('vol-second');
    const record = await world.record();
    if (record !== undefined)
      await world.journal.write({ ...record, volumeId: second, stagingPath: '/kubelet/second', targets: [] });
    world.sweepPatienceSeconds = 0.01;
    world.start();
    let remove: () => void = () => undefined;
    const removed = new Promise<void>((go) => (remove = go));
    world.interfere = async ({ method }, run) => {
      if (method === 'rmdir') await removed;
      return run();
    };
    const isLocked = (): boolean => !world.process.lock.tryAcquire([volumeLockKey(VOLUME)], 'test').acquired;
    await world.sweep(true);
    expect(isLocked()).toBe(true);
    expect(await world.journal.read(second)).toMatchObject({ record: { phase: 'unstaged' } });
    expect(world.log.lines.filter(({ message }) => message.includes('overdue'))).toHaveLength(1);
    remove();
    while (world.process.lock.size > 0) await new Promise(setImmediate);
    expect(await world.record()).toMatchObject({ phase: 'unstaged' });
  });

  it('a host call that hangs does not keep the process from its end', async () => {
    const world = await rebootedWorld();
    const stop = new AbortController();
    let remove: () => void = () => undefined;
    const removed = new Promise<void>((go) => (remove = go));
    world.interfere = async ({ method }, run) => {
      if (method === 'rmdir') {
        stop.abort();
        await removed;
      }
      return run();
    };
    await world.process.sweeper.run(stop.signal);
    expect(world.process.lock.size).toBe(1);
    remove();
  });

  it('makes no host call when the journal is empty', async () => {
    const world = new NodeWorld();
    expect(await world.during(() => world.sweep(true))).toEqual([]);
  });

  it('law 10: repeats its first pass until the host is there, and stops when told', async () => {
    const world = await rebootedWorld();
    const stop = new AbortController();
    let looks = 0;
    world.interfere = ({ method }, run) => {
      if (method === 'listDiskIds') looks += 1;
      if (looks === 1) return Promise.reject(new Error('CSI Proxy is not there'));
      stop.abort();
      return run();
    };
    await world.process.sweeper.run(AbortSignal.any([stop.signal, AbortSignal.timeout(3000)]));
    expect(looks).toBe(2);
  });

  it('leaves to NodeUnstage a disk that is still online when it clears its mount', async () => {
    const world = await publishedWorld();
    world.host.paths.set(STAGING, { kind: 'folder' });
    world.start();
    await world.sweep(true);
    await world.sweep(false);
    expect(world.host.paths.has(TARGET)).toBe(false);
    await world.unstage();
    expect(world.disk.online).toBe(false);
    expect(await world.record()).toMatchObject({ phase: 'unstaged', targets: [] });
  });

  it('does not call a volume broken whose disk came while it looked', async () => {
    const world = new NodeWorld();
    await world.stage();
    await world.unstage();
    world.disk.plugged = false;
    world.interfere = async ({ method }, run) => {
      const answer = await run();
      if (method === 'listDiskIds' && !world.disk.plugged) {
        world.disk.plugged = true;
        world.time = new Date(world.time.getTime() + 1);
        await world.stage();
      }
      return answer;
    };
    await world.sweep(false);
    expect(await world.record()).toMatchObject({ phase: 'staged' });
    expect(world.process.conditions.get(VOLUME).abnormal).toBe(false);
  });

  it.each(['v1', 'v1alpha1'] as const)(
    'law 10: warns once while there is no CSI Proxy %s, says when it is back, and does its first pass then',
    async (preset) => {
      const world = new NodeWorld({ preset });
      await world.stage();
      world.disk.plugged = false;
      world.start();
      const stop = new AbortController();
      let calls = 0;
      world.interfere = ({ method }, run) => {
        calls += 1;
        if (calls <= 10) return Promise.reject(new Error('CSI Proxy is not there'));
        if (method === 'rmdir') stop.abort();
        return run();
      };
      await world.process.sweeper.run(AbortSignal.any([stop.signal, AbortSignal.timeout(3000)]));
      expect(calls).toBeGreaterThan(10);
      expect(world.host.paths.has(STAGING)).toBe(false);
      const said = world.log.lines.filter(({ message }) => /not there|answers again/.test(message));
      expect(said.map(({ level }) => level)).toEqual(['warn', 'info']);
    },
  );

  it('law 10: does not wait for its next turn when the first pass fails', async () => {
    const world = await rebootedWorld();
    world.sweepIntervalSeconds = 3600;
    world.start();
    const stop = new AbortController();
    let looks = 0;
    world.interfere = ({ method }, run) => {
      if (method === 'listDiskIds') looks += 1;
      if (looks === 1) return Promise.reject(new Error('CSI Proxy is not there'));
      stop.abort();
      return run();
    };
    await world.process.sweeper.run(AbortSignal.any([stop.signal, AbortSignal.timeout(3000)]));
    expect(looks).toBe(2);
  });
});
