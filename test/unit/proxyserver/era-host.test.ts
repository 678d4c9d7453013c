import { beforeEach, describe, expect, it } from '@jest/globals';
import { GIB, MIB } from '../../../src/core/capacity.ts';
import { StorageError } from '../../../src/core/errors.ts';
import { aroundHostCalls } from '../../../src/core/host-calls.ts';
import { asDiskNumber, asHostVolumeId, hostVolumeIdOf } from '../../../src/core/ids.ts';
import type { HostIscsi, HostStorage } from '../../../src/core/ports/host-storage.ts';
import { type Era, eraHost } from '../../../src/proxyserver/era-host.ts';
import { overriding } from '../../../src/util/overriding.ts';
import { InMemoryHost, type MemoryDisk, type MemoryVolume } from '../../support/in-memory-host.ts';

const SIGNAL = new AbortController().signal;
const SYSTEM = hostVolumeIdOf('00000000-0000-4000-8000-00000000000c');
const PATH = '/plugins/globalmount';
const ERAS: readonly Era[] = ['1.2', '1.3'];

let memory: InMemoryHost;
let disk: MemoryDisk;
let volume: MemoryVolume;
/** The calls that reached the machine. */
let calls: string[];

beforeEach(async () => {
  memory = new InMemoryHost();
  disk = memory.plug({ page83: 'naa.1', serialNumber: '1' });
  disk.online = true;
  volume = memory.addVolume(disk, { formatted: true });
  await memory.files.mkdir(PATH, SIGNAL);
  calls = [];
});

function hostOf(era: Era, machine: HostStorage = memory): HostStorage {
  const seen = aroundHostCalls(machine, ({ method }, run) => {
    calls.push(method);
    return run();
  });
  return eraHost(seen, era, SYSTEM);
}

const numberOf = ({ number }: MemoryDisk): ReturnType<typeof asDiskNumber> => asDiskNumber(number);

describe('a disk without volumes', () => {
  it.each([
    ['1.2', ['']],
    ['1.3', []],
  ] as const)('has in era %s the list %j', async (era, list) => {
    const raw = memory.plug({ page83: 'naa.2', serialNumber: '2' });
    const found = await hostOf(era).volumes.listVolumesOnDisk(numberOf(raw), 0, SIGNAL);
    expect(found).toEqual(list);
  });

  it.each(ERAS)('is not one that has some, in era %s', async (era) => {
    const found = await hostOf(era).volumes.listVolumesOnDisk(numberOf(disk), 0, SIGNAL);
    expect(found).toEqual([volume.id]);
  });
});

describe('mounting again at the same place', () => {
  it('fails up to 1.2, and what is mounted stays', async () => {
    const { volumes } = hostOf('1.2');
    await volumes.mountVolume(volume.id, PATH, SIGNAL);
    await expect(volumes.mountVolume(volume.id, PATH, SIGNAL)).rejects.toThrow(/already gives access/);
    expect(memory.follow(PATH)).toBe(volume);
  });

  it('succeeds from 1.3 on, without a second mount', async () => {
    const { volumes } = hostOf('1.3');
    await volumes.mountVolume(volume.id, PATH, SIGNAL);
    await volumes.mountVolume(volume.id, PATH, SIGNAL);
    expect(calls.filter((method) => method === 'mountVolume')).toHaveLength(1);
  });

  it.each(ERAS)('fails for another volume in era %s', async (era) => {
    const { volumes } = hostOf(era);
    const other = memory.addVolume(disk, { formatted: true });
    await volumes.mountVolume(volume.id, PATH, SIGNAL);
    await expect(volumes.mountVolume(other.id, PATH, SIGNAL)).rejects.toThrow(StorageError);
    expect(memory.follow(PATH)).toBe(volume);
  });
});

describe('whether a missing path is a link', () => {
  /** The words of a machine for whatever it is asked of a path. */
  const machine = (exists: HostStorage['files']['pathExists']): HostStorage => {
    const isSymlink = (): Promise<never> =>
      Promise.reject(new StorageError('failed-precondition', 'the words of the machine'));
    const files = overriding(memory.files, { isSymlink, pathExists: exists });
    return overriding<HostStorage>(memory, { files });
  };
  const ask = (era: Era, exists: HostStorage['files']['pathExists']): Promise<boolean> =>
    hostOf(era, machine(exists)).files.isSymlink('/plugins/missing', SIGNAL);
  const isMissing = (): Promise<boolean> => Promise.resolve(false);

  it.each([
    ['1.2', /^the words of the machine$/],
    ['1.3', /^cannot open \/plugins\/missing .* no file or folder has this name$/],
  ] as const)('law 5: fails in era %s with %s', async (era, text) => {
    await expect(ask(era, isMissing)).rejects.toThrow(text);
  });

  it.each(ERAS)('is not said of a path that is there or may be, in era %s', async (era) => {
    await expect(ask(era, () => Promise.resolve(true))).rejects.toThrow(/^the words of the machine$/);
    const failure = new StorageError('unavailable', 'the disk below failed');
    await expect(ask(era, () => Promise.reject(failure))).rejects.toThrow(/^the words of the machine$/);
  });

  it.each(ERAS)('is not said of what is a link and what is none, in era %s', async (era) => {
    await memory.files.createSymlink(PATH, '/plugins/link', SIGNAL);
    const { files } = hostOf(era);
    await expect(files.isSymlink('/plugins/link', SIGNAL)).resolves.toBe(true);
    await expect(files.isSymlink(PATH, SIGNAL)).resolves.toBe(false);
  });
});

describe('the state that a disk has already', () => {
  it.each([
    ['1.2', 2],
    ['1.3', 1],
  ] as const)('is set in era %s %i times of two', async (era, times) => {
    const { disks } = hostOf(era);
    await disks.setDiskState(numberOf(disk), true, SIGNAL);
    await disks.setDiskState(numberOf(disk), false, SIGNAL);
    expect(calls.filter((method) => method === 'setDiskState')).toHaveLength(times);
    expect(disk.online).toBe(false);
  });
});

describe('growth', () => {
  /** The partition takes the first GiB of a disk that has grown by so much. */
  const grow = async (era: Era, diskBytes: bigint, sizeBytes: bigint): Promise<boolean> => {
    const { volumes } = hostOf(era);
    volume.fileSystemBytes = GIB - 17n * MIB;
    disk.capacityBytes = diskBytes;
    await volumes.resizeVolume(volume.id, sizeBytes, SIGNAL);
    return calls.includes('resizeVolume');
  };

  it.each(ERAS)('below 100 MiB succeeds and does nothing, in era %s', async (era) => {
    for (const [diskBytes, size] of [
      [GIB, 0n],
      [GIB + 98n * MIB, 0n],
      [2n * GIB, GIB + 82n * MIB],
      [2n * GIB, GIB / 2n],
      [2n * GIB, GIB - 17n * MIB],
    ] as const) {
      await expect(grow(era, diskBytes, size)).resolves.toBe(false);
    }
  });

  it.each(ERAS)('of 100 MiB and more is done, in era %s', async (era) => {
    await expect(grow(era, GIB + 101n * MIB, 0n)).resolves.toBe(true);
    calls.length = 0;
    await expect(grow(era, 2n * GIB, GIB + 84n * MIB)).resolves.toBe(true);
  });

  it.each(ERAS)('of no volume fails, in era %s', async (era) => {
    for (const id of ['-1', '']) {
      const growing = hostOf(era).volumes.resizeVolume(asHostVolumeId(id), 2n * MIB, SIGNAL);
      await expect(growing).rejects.toThrow(StorageError);
    }
  });
});

describe('paths on none of the disks', () => {
  /** A host that says "not found" of what is on no volume of it, as ours do. */
  const machine = (failure = new StorageError('not-found', 'on no volume')): HostStorage => {
    const fail = (): Promise<never> => Promise.reject(failure);
    const volumes = overriding(memory.volumes, {
      getVolumeIdFromTargetPath: fail,
      getClosestVolumeIdFromTargetPath: fail,
    });
    return overriding<HostStorage>(memory, { volumes });
  };

  it.each(ERAS)('are on the volume of drive C: when the closest is wanted, in era %s', async (era) => {
    const { volumes } = hostOf(era, machine());
    await expect(volumes.getClosestVolumeIdFromTargetPath(PATH, SIGNAL)).resolves.toBe(SYSTEM);
    await expect(volumes.getClosestVolumeIdFromTargetPath('/missing', SIGNAL)).rejects.toThrow();
  });

  it.each([
    ['1.2', 'nowhere'],
    ['1.3', SYSTEM],
  ] as const)('are for a link to a plain directory in era %s: %s', async (era, found) => {
    await memory.files.createSymlink(PATH, '/plugins/link', SIGNAL);
    const { volumes } = hostOf(era, machine());
    const look = (path: string): Promise<string> =>
      volumes.getVolumeIdFromTargetPath(path, SIGNAL).catch(() => 'nowhere');
    await expect(look('/plugins/link')).resolves.toBe(found);
    await expect(look(PATH)).resolves.toBe('nowhere');
  });

  it.each(ERAS)('are not those of which the machine could not tell, in era %s', async (era) => {
    await memory.files.createSymlink(PATH, '/plugins/link', SIGNAL);
    const { volumes } = hostOf(era, machine(new StorageError('unavailable', 'the disk below failed')));
    await expect(volumes.getVolumeIdFromTargetPath('/plugins/link', SIGNAL)).rejects.toThrow(/failed/);
    await expect(volumes.getClosestVolumeIdFromTargetPath(PATH, SIGNAL)).rejects.toThrow(/failed/);
  });
});

describe('a second login to an iSCSI target', () => {
  it.each([
    ['1.2', 'fails', 1],
    ['1.3', 'is left to the machine', 2],
  ] as const)('in era %s %s', async (era, _how, logins) => {
    let connected = 0;
    const iscsi: HostIscsi = overriding(memory.iscsi, {
      connectTarget: () => Promise.resolve(void (connected += 1)),
      getTargetDisks: () => Promise.resolve(connected === 0 ? [] : [numberOf(disk)]),
    });
    const host = hostOf(era, overriding<HostStorage>(memory, { iscsi }));
    const portal = { address: '10.0.0.1', port: 3260 };
    const login = (): Promise<void> =>
      host.iscsi.connectTarget(portal, 'iqn.x', { type: 'none' }, SIGNAL).catch(() => undefined);
    await login();
    await login();
    expect(connected).toBe(logins);
  });
});
