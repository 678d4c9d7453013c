import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { AttachedDisk } from '../../../src/core/attach-folder.ts';
import { StorageError } from '../../../src/core/errors.ts';
import { HostFaults, SimulatedCrash, withFaults } from '../../../src/core/host-faults.ts';
import type { HostFault } from '../../../src/core/host-faults.ts';
import { asDiskNumber } from '../../../src/core/ids.ts';
import type { HostStorage } from '../../../src/core/ports/host-storage.ts';
import { countingHost } from '../../support/counting-host.ts';
import type { HostCallLog } from '../../support/counting-host.ts';
import { simulatedHost } from '../../support/simulated-host.ts';

const SIGNAL = new AbortController().signal;
const MIB = 1024n * 1024n;
const ONE = asDiskNumber(1);

describe('host faults', () => {
  let world: Awaited<ReturnType<typeof simulatedHost>>;
  let faults: HostFaults;
  let host: HostStorage;
  /** Calls that reached the host behind the faults. */
  let reached: HostCallLog;

  const inject = (...plan: readonly HostFault[]): void => {
    faults.add(...plan);
  };

  beforeEach(async () => {
    world = await simulatedHost();
    faults = new HostFaults();
    const counted = countingHost(world.host);
    reached = counted.calls;
    host = withFaults(counted.host, faults);
  });

  afterEach(async () => {
    await world.cleanup();
  });

  it('changes nothing and calls nothing more without a fault', async () => {
    await world.plugDisk(64n * MIB);
    await host.disks.setDiskState(ONE, true, SIGNAL);
    await expect(host.disks.getDiskState(ONE, SIGNAL)).resolves.toEqual({ online: true });
    expect(reached.methods).toEqual(['setDiskState', 'getDiskState']);
    expect(faults.calls).toBe(2);
  });

  describe('failing calls', () => {
    it.each<[string, HostFault, string[]]>([
      ['every call', { kind: 'fail' }, ['failed', 'failed', 'failed', 'failed']],
      ['a group', { kind: 'fail', group: 'disk' }, ['failed', 'ok', 'failed', 'ok']],
      ['a method', { kind: 'fail', method: 'pathExists' }, ['ok', 'failed', 'ok', 'failed']],
      ['the second of a method', { kind: 'fail', method: 'rescan', nth: 2 }, ['ok', 'ok', 'failed', 'ok']],
      ['the third of all', { kind: 'fail', nth: 3 }, ['ok', 'ok', 'failed', 'ok']],
    ])('fails %s', async (_what, fault, expected) => {
      inject(fault);
      const outcomes: string[] = [];
      for (let round = 0; round < 2; round++) {
        for (const call of [() => host.disks.rescan(SIGNAL), () => host.files.pathExists('/', SIGNAL)]) {
          outcomes.push(
            await call()
              .then(() => 'ok')
              .catch(() => 'failed'),
          );
        }
      }
      expect(outcomes).toEqual(expected);
      expect(reached.total).toBe(expected.filter((outcome) => outcome === 'ok').length);
    });

    it('fails with the error it is told', async () => {
      const error = new StorageError('unavailable', 'the pipe is gone');
      inject({ kind: 'fail', error });
      await expect(host.disks.rescan(SIGNAL)).rejects.toBe(error);
    });

    it('works again when the faults are cleared', async () => {
      inject({ kind: 'fail' });
      await expect(host.disks.rescan(SIGNAL)).rejects.toThrow('injected');
      faults.clear();
      await expect(host.disks.rescan(SIGNAL)).resolves.toBeUndefined();
    });
  });

  it('slows a call down', async () => {
    inject({ kind: 'slow', milliseconds: 60, method: 'rescan' });
    const begun = performance.now();
    await host.files.pathExists('/', SIGNAL);
    await host.disks.rescan(SIGNAL);
    expect(performance.now() - begun).toBeGreaterThanOrEqual(55);
  });

  it('law 6: hangs a call until it is released, whatever its signal says', async () => {
    let release = (): void => undefined;
    const until = new Promise<void>((resolve) => {
      release = resolve;
    });
    inject({ kind: 'hang', until, method: 'rescan', nth: 1 });
    const aborted = AbortSignal.abort();
    const hanging = host.disks.listDiskIds(SIGNAL).then(() => host.disks.rescan(aborted));
    const winner = await Promise.race([hanging.catch(() => 'ended'), host.files.pathExists('/', SIGNAL)]);
    expect(winner).toBe(true);
    expect(reached.count('rescan')).toBe(0);
    release();
    await expect(hanging).rejects.toMatchObject({ code: 'cancelled' });
  });

  describe('crash', () => {
    it('dies after the work of the call, and nothing runs from then on', async () => {
      inject({ kind: 'crash', afterCall: 2 });
      await host.disks.rescan(SIGNAL);
      await expect(host.disks.listDiskIds(SIGNAL)).rejects.toBeInstanceOf(SimulatedCrash);
      expect(faults.crashed).toBe(true);
      await expect(host.files.pathExists('/', SIGNAL)).rejects.toBeInstanceOf(SimulatedCrash);
      expect(reached.methods).toEqual(['rescan', 'listDiskIds']);
    });

    it('dies before the first call', async () => {
      inject({ kind: 'crash', afterCall: 0 });
      await expect(host.disks.rescan(SIGNAL)).rejects.toBeInstanceOf(SimulatedCrash);
      expect(reached.total).toBe(0);
    });

    it('does not tell the dead that their last call failed', async () => {
      inject({ kind: 'crash', afterCall: 1 });
      await expect(host.disks.getDiskStats(asDiskNumber(99), SIGNAL)).rejects.toBeInstanceOf(SimulatedCrash);
    });

    it('stays dead when the faults are cleared: a new process has new faults', async () => {
      inject({ kind: 'crash', afterCall: 0 });
      await expect(host.disks.rescan(SIGNAL)).rejects.toThrow();
      faults.clear();
      await expect(host.disks.rescan(SIGNAL)).rejects.toBeInstanceOf(SimulatedCrash);
      await expect(withFaults(world.host, new HostFaults()).disks.rescan(SIGNAL)).resolves.toBeUndefined();
    });
  });

  describe('broken disks', () => {
    let disk: AttachedDisk;
    let other: AttachedDisk;

    beforeEach(async () => {
      disk = await world.plugDisk(64n * MIB);
      other = await world.plugDisk(64n * MIB);
    });

    const volumeOf = async (number = ONE): Promise<string | undefined> => {
      await host.disks.setDiskState(number, true, SIGNAL);
      await host.disks.partitionDisk(number, SIGNAL);
      return (await host.volumes.listVolumesOnDisk(number, 0, SIGNAL))[0];
    };

    it('has a disk that does not come online', async () => {
      inject({ kind: 'offline-disk', serialNumber: disk.serialNumber });
      expect((await host.disks.listDiskIds(SIGNAL)).has(ONE)).toBe(true);
      await expect(host.disks.setDiskState(ONE, true, SIGNAL)).rejects.toThrow('does not come online');
      await expect(host.disks.getDiskState(ONE, SIGNAL)).resolves.toEqual({ online: false });
      await expect(host.disks.partitionDisk(ONE, SIGNAL)).rejects.toThrow();
      await expect(host.volumes.listVolumesOnDisk(ONE, 0, SIGNAL)).resolves.toEqual([]);
      await expect(volumeOf(asDiskNumber(2))).resolves.toBeDefined();
    });

    it('misses a disk and its volumes, and no other', async () => {
      const volume = (await volumeOf()) as Awaited<ReturnType<typeof host.volumes.getVolumeIdFromTargetPath>>;
      inject({ kind: 'missing-disk', serialNumber: disk.serialNumber });
      const serials = [...(await host.disks.listDiskIds(SIGNAL)).values()].map(
        ({ serialNumber }) => serialNumber,
      );
      expect(serials).toEqual([other.serialNumber]);
      expect([...(await host.disks.listDiskLocations(SIGNAL)).keys()]).toEqual([2]);
      await expect(host.disks.getDiskStats(ONE, SIGNAL)).rejects.toMatchObject({ code: 'not-found' });
      await expect(host.volumes.listVolumesOnDisk(ONE, 0, SIGNAL)).rejects.toThrow();
      await expect(host.volumes.isVolumeFormatted(volume, SIGNAL)).rejects.toThrow();
      await expect(host.volumes.getVolumeStats(volume, SIGNAL)).rejects.toThrow();
      await expect(host.disks.getDiskStats(asDiskNumber(2), SIGNAL)).resolves.toEqual({
        totalBytes: 64n * MIB,
      });
      faults.clear();
      await expect(host.volumes.isVolumeFormatted(volume, SIGNAL)).resolves.toBe(false);
    });
  });
});
