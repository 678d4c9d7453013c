import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { HostStorage } from '../../../src/core/ports/host-storage.ts';
import { watchHotPlug } from '../../../src/hosts/hot-plug.ts';
import { simulatedHostStorage } from '../../../src/hosts/simulated/simulated-host-storage.ts';
import { countingHost } from '../../support/counting-host.ts';
import type { HostCallLog } from '../../support/counting-host.ts';
import { LocalDisks } from '../../support/local-disks.ts';
import { RecordingLogger } from '../../support/recording-logger.ts';

const DISK_BYTES = 1024n * 1024n;
const GIVE_UP_MS = 4000;

async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  for (let waited = 0; !(await holds()); waited += 20) {
    if (waited > GIVE_UP_MS) throw new Error('it never came to pass');
    await wait(20);
  }
}

describe('watchHotPlug', () => {
  let disks: LocalDisks;
  let log: RecordingLogger;
  let stop: AbortController;
  let host: HostStorage;
  let calls: HostCallLog;
  let running: Promise<void> = Promise.resolve();

  beforeEach(async () => {
    disks = await LocalDisks.create();
    log = new RecordingLogger();
    stop = new AbortController();
    const { attachDir, stateDir } = disks;
    ({ host, calls } = countingHost(
      simulatedHostStorage({ log }, { attachDir, stateDir, sanPolicy: 'online' }),
    ));
  });

  afterEach(async () => {
    stop.abort();
    await running;
    await disks.cleanup();
  });

  const start = (): void => {
    running = watchHotPlug({ attachDir: disks.attachDir, host, log }, stop.signal);
  };

  /** The simulated host has a record of each disk that is online; nobody else calls it here. */
  const onlineDisks = async (): Promise<number> =>
    (await readdir(join(disks.stateDir, 'disks')).catch(() => [])).length;

  it('has a plugged disk arrive, and an unplugged one disappear, without a call', async () => {
    start();
    const disk = await disks.plug(DISK_BYTES);
    await until(async () => (await onlineDisks()) === 1);
    await disks.unplug(disk);
    await until(async () => (await onlineDisks()) === 0);
    expect(calls.total).toBe(calls.count('listDiskIds'));
  });

  it('looks once for disks that come together', async () => {
    start();
    await until(() => calls.total === 1);
    await Promise.all(Array.from({ length: 8 }, () => disks.plug(DISK_BYTES)));
    await until(async () => (await onlineDisks()) === 8);
    expect(calls.total).toBeLessThan(5);
  });

  it('finds what was plugged before it began', async () => {
    await disks.plug(DISK_BYTES);
    start();
    await until(async () => (await onlineDisks()) === 1);
    expect(log.lines).toEqual([]);
  });

  it('waits for a folder that is not there yet, says so once and warns of nothing', async () => {
    await rm(disks.attachDir, { recursive: true });
    start();
    await until(() => log.lines.length > 0);
    await wait(1200);
    await mkdir(disks.attachDir);
    await disks.plug(DISK_BYTES);
    await until(async () => (await onlineDisks()) === 1);
    expect(log.lines.map(({ level }) => level)).toEqual(['info']);
  });

  it('warns once of a folder that goes away', async () => {
    start();
    await until(() => calls.total === 1);
    await rm(disks.attachDir, { recursive: true });
    await until(() => log.lines.some(({ level }) => level === 'warn'));
    await wait(1200);
    expect(log.lines.filter(({ level }) => level === 'warn')).toHaveLength(1);
  });

  it('watches the folder that takes the place of the one it watched', async () => {
    start();
    await until(() => calls.total === 1);
    await rm(disks.attachDir, { recursive: true });
    await mkdir(disks.attachDir);
    await disks.plug(DISK_BYTES);
    await until(async () => (await onlineDisks()) === 1);
    await rename(disks.attachDir, `${disks.attachDir}-away`);
    await mkdir(disks.attachDir);
    await until(async () => (await onlineDisks()) === 0);
    expect(log.lines.filter(({ level }) => level === 'error')).toEqual([]);
  }, 15_000);

  it('goes on when the host cannot list its disks', async () => {
    let broken = true;
    const listDiskIds: HostStorage['disks']['listDiskIds'] = (signal) =>
      broken ? Promise.reject(new Error('not now')) : host.disks.listDiskIds(signal);
    const flaky = { disks: { ...host.disks, listDiskIds } };
    running = watchHotPlug({ attachDir: disks.attachDir, host: flaky, log }, stop.signal);
    await until(() => log.lines.some(({ message }) => message.startsWith('cannot look')));
    broken = false;
    await disks.plug(DISK_BYTES);
    await until(async () => (await onlineDisks()) === 1);
    expect(calls.count('listDiskIds')).toBeGreaterThan(0);
  });

  it('ends at once when it is told to, whatever it waits for', async () => {
    start();
    await until(() => calls.total === 1);
    stop.abort();
    await expect(running).resolves.toBeUndefined();
    await rm(disks.attachDir, { recursive: true });
    await expect(
      watchHotPlug({ attachDir: disks.attachDir, host, log }, AbortSignal.timeout(50)),
    ).resolves.toBeUndefined();
  });
});
