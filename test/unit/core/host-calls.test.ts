import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { aroundHostCalls } from '../../../src/core/host-calls.ts';
import type { HostCall } from '../../../src/core/host-calls.ts';
import { asDiskNumber } from '../../../src/core/ids.ts';
import { countingHost } from '../../support/counting-host.ts';
import { simulatedHost } from '../../support/simulated-host.ts';

const SIGNAL = new AbortController().signal;
const MIB = 1024n * 1024n;
type World = Awaited<ReturnType<typeof simulatedHost>>;

describe('host calls', () => {
  let world: World;

  beforeEach(async () => {
    world = await simulatedHost();
  });

  afterEach(async () => {
    await world.cleanup();
  });

  it('runs around every call of the three groups, and gives back what the host gives', async () => {
    const seen: HostCall[] = [];
    const host = aroundHostCalls(world.host, (call, run) => {
      seen.push(call);
      return run();
    });
    const disk = await world.plugDisk(64n * MIB);
    const ids = await host.disks.listDiskIds(SIGNAL);
    await host.disks.setDiskState(asDiskNumber(1), true, SIGNAL);
    await host.volumes.listVolumesOnDisk(asDiskNumber(1), 0, SIGNAL);
    await host.files.pathExists(world.disks.root, SIGNAL);
    expect([...ids.values()]).toEqual([{ serialNumber: disk.serialNumber, page83: disk.page83 }]);
    expect(seen).toEqual([
      { group: 'disk', method: 'listDiskIds' },
      { group: 'disk', method: 'setDiskState' },
      { group: 'volume', method: 'listVolumesOnDisk' },
      { group: 'filesystem', method: 'pathExists' },
    ]);
  });

  it('leaves questions about the host itself alone', async () => {
    const { host, calls } = countingHost(world.host);
    await expect(host.readiness(SIGNAL)).resolves.toEqual({ ready: true });
    await expect(host.capabilities(SIGNAL)).resolves.toMatchObject({ kind: 'simulated', localStat: false });
    expect(calls.total).toBe(0);
  });

  it('passes a failure on as it is', async () => {
    const host = aroundHostCalls(world.host, (_call, run) => run());
    await expect(host.disks.getDiskStats(asDiskNumber(7), SIGNAL)).rejects.toMatchObject({
      code: 'not-found',
    });
  });

  it('counts calls by name, in order', async () => {
    const { host, calls } = countingHost(world.host);
    const look = async (): Promise<void> => {
      await host.disks.rescan(SIGNAL);
      await host.disks.listDiskIds(SIGNAL);
    };
    await look();
    await expect(calls.during(look)).resolves.toEqual(['rescan', 'listDiskIds']);
    expect(calls.total).toBe(4);
    expect(calls.count('rescan')).toBe(2);
    calls.clear();
    expect(calls.methods).toEqual([]);
  });
});
