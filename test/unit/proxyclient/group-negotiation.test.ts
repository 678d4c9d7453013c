import { afterEach, describe, expect, it } from '@jest/globals';
import { API_VERSIONS, type ApiVersion, type Pipe } from '../../../src/proxyapi/api-versions.ts';
import { GroupNegotiation } from '../../../src/proxyclient/group-negotiation.ts';
import { NoVersion } from '../../../src/proxyclient/no-version.ts';
import { FakePipes } from '../../support/fake-pipes.ts';
import { RecordingLogger } from '../../support/recording-logger.ts';

const signal = new AbortController().signal;
const disk = (version: ApiVersion): Pipe => ({ group: 'disk', version });
const tick = (): Promise<void> => new Promise((go) => setImmediate(go));

function world(options: { readonly isExtension?: boolean } = {}): {
  pipes: FakePipes;
  disks: GroupNegotiation;
  log: RecordingLogger;
  agreed: (ApiVersion | undefined)[];
  clock: { now: number };
} {
  const pipes = new FakePipes();
  const log = new RecordingLogger();
  const agreed: (ApiVersion | undefined)[] = [];
  const clock = { now: 0 };
  const disks = new GroupNegotiation(
    {
      log,
      transport: pipes,
      chances: { now: () => clock.now, random: () => 0 },
      isExtension: options.isExtension ?? false,
      agreed: (version) => agreed.push(version),
    },
    'disk',
    API_VERSIONS.disk,
  );
  open.push(disks);
  return { pipes, disks, log, agreed, clock };
}
const open: GroupNegotiation[] = [];
afterEach(() => {
  for (const negotiation of open.splice(0)) negotiation.close();
});

async function noVersion(looking: Promise<unknown>): Promise<NoVersion> {
  const error = await looking.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(NoVersion);
  return error as NoVersion;
}

describe('what is agreed on', () => {
  it('is looked for newest first, once for all who ask, and remembered', async () => {
    const { pipes, disks, agreed } = world();
    pipes.add(disk('v1beta2'), disk('v1alpha1'));
    const sessions = await Promise.all([disks.session(signal), disks.session(signal)]);
    sessions.push(await disks.session(signal));
    expect(sessions.map(({ version }) => version)).toEqual(['v1beta2', 'v1beta2', 'v1beta2']);
    expect(pipes.tried).toEqual(['disk-v1', 'disk-v1beta3', 'disk-v1beta2']);
    expect(agreed).toEqual(['v1beta2']);
  });

  it('is looked for again in a while when it is not the newest: a server opens its pipes one by one', async () => {
    const { pipes, disks, agreed, clock, log } = world();
    pipes.add(disk('v1alpha1'));
    const old = await disks.session(signal);
    pipes.add(...API_VERSIONS.disk.map(disk));
    clock.now = 1999;
    expect((await disks.session(signal)).version).toBe('v1alpha1');
    clock.now = 2000;
    await disks.session(signal);
    await tick();
    expect((await disks.session(signal)).version).toBe('v1');
    await old.connection.closed;
    expect(agreed).toEqual(['v1alpha1', 'v1']);
    expect(pipes.openConnections).toBe(1);
    expect(log.lines.map(({ level }) => level)).toEqual(['info', 'info']);
  });

  it('is looked for again now and then while the server stays', async () => {
    const { pipes, disks, clock } = world();
    pipes.add(disk('v1beta3'));
    await disks.session(signal);
    for (clock.now = 2000; clock.now < 100_000; clock.now += 2000) {
      await disks.session(signal);
      await tick();
    }
    expect(pipes.tried).toEqual(['disk-v1', 'disk-v1beta3', 'disk-v1', 'disk-v1']);
  });

  it('law 10: becomes the newest, however late that comes', async () => {
    const { pipes, disks, clock } = world();
    pipes.add(disk('v1beta3'));
    await disks.session(signal);
    clock.now = 2000;
    await disks.session(signal);
    await tick();
    pipes.add(disk('v1'));
    clock.now = 61_999;
    expect((await disks.session(signal)).version).toBe('v1beta3');
    clock.now = 62_000;
    await disks.session(signal);
    await tick();
    expect((await disks.session(signal)).version).toBe('v1');
  });

  it('is over when the connection ends; the next call looks anew, at once', async () => {
    const { pipes, disks, agreed, log } = world();
    pipes.add(disk('v1'));
    await disks.session(signal);
    pipes.replace([disk('v1beta1')]);
    await tick();
    expect(disks.version).toBeUndefined();
    expect((await disks.session(signal)).version).toBe('v1beta1');
    expect(agreed).toEqual(['v1', undefined, 'v1beta1']);
    expect(log.lines.map(({ level }) => level)).toEqual(['info', 'warn', 'info']);
  });

  it('is dropped once, however many calls found it of no use', async () => {
    const { pipes, disks, agreed } = world();
    pipes.add(disk('v1'));
    const session = await disks.session(signal);
    disks.drop(session, 'lost');
    const next = await disks.session(signal);
    disks.drop(session, 'lost');
    expect(await disks.session(signal)).toBe(next);
    expect(agreed).toEqual(['v1', undefined, 'v1']);
  });
});

describe('a pipe that is there and of no use', () => {
  it.each(['stalled', 'broken', 'busy'] as const)('%s: no older one is tried', async (fault) => {
    const { pipes, disks } = world();
    pipes.add(disk('v1'), disk('v1beta3'));
    pipes.break(disk('v1'), fault);
    const error = await noVersion(disks.session(signal));
    expect(error).toMatchObject({ code: 'unavailable', fault });
    expect(error.message).toContain(`fake:csi-proxy-disk-v1: it is ${fault}`);
    expect(new Set(pipes.tried)).toEqual(new Set(['disk-v1']));
  });

  it('busy is tried again before it is given up', async () => {
    const { pipes, disks } = world();
    pipes.add(disk('v1'));
    pipes.break(disk('v1'), 'busy');
    const looking = disks.session(signal);
    await new Promise((go) => setTimeout(go, 60));
    pipes.break(disk('v1'), undefined);
    expect((await looking).version).toBe('v1');
    expect(pipes.tried.length).toBeGreaterThan(1);
  });
});

describe('as long as nothing is there', () => {
  it('another look is taken after 100 ms, 200 ms, … 5 s; calls in between are told at once', async () => {
    const { pipes, disks, clock } = world();
    const looks: number[] = [];
    for (clock.now = 0; clock.now <= 30_000; clock.now += 50) {
      pipes.tried.length = 0;
      const error = await noVersion(disks.session(signal));
      expect(error.message).toContain('csiproxy');
      if (pipes.tried.length > 0) looks.push(clock.now);
    }
    expect(looks).toEqual([0, 100, 300, 700, 1500, 3100, 6300, 11_300, 16_300, 21_300, 26_300]);
  });

  it('the log tells it once, and when it comes', async () => {
    const { pipes, disks, clock, log } = world();
    for (clock.now = 0; clock.now <= 10_000; clock.now += 1000) await noVersion(disks.session(signal));
    pipes.add(disk('v1'));
    clock.now = 20_000;
    await disks.session(signal);
    expect(log.lines.map(({ level, message }) => `${level} ${message}`)).toEqual([
      'warn no CSI Proxy',
      'info agreed on a version with CSI Proxy',
    ]);
  });

  it('an extension is missed quietly', async () => {
    const { disks, log } = world({ isExtension: true });
    await noVersion(disks.session(signal));
    expect(log.lines.map(({ level }) => level)).toEqual(['debug']);
  });
});

describe('a caller who goes', () => {
  it('is cancelled; the look goes on for the others', async () => {
    const { pipes, disks } = world();
    pipes.add(disk('v1'));
    const caller = new AbortController();
    const gone = disks.session(caller.signal);
    const stays = disks.session(signal);
    caller.abort();
    await expect(gone).rejects.toMatchObject({ code: 'cancelled' });
    expect((await stays).version).toBe('v1');
    await expect(disks.session(caller.signal)).rejects.toMatchObject({ code: 'cancelled' });
  });
});

describe('the end', () => {
  it('closes what is agreed on, and what is being agreed on', async () => {
    const { pipes, disks } = world();
    pipes.add(disk('v1'));
    const looking = disks.session(signal);
    disks.close();
    await expect(looking).rejects.toMatchObject({ code: 'unavailable' });
    await expect(disks.session(signal)).rejects.toMatchObject({ code: 'unavailable' });
    expect(pipes.openConnections).toBe(0);
  });
});
