import { describe, expect, it } from '@jest/globals';
import { StorageError } from '../../../src/core/errors.ts';
import { asDiskNumber } from '../../../src/core/ids.ts';
import { confirmDisk, currentDisk, findDisk, seeDisks } from '../../../src/node/disk-finder.ts';
import { diskIn } from '../../../src/node/disk-table.ts';
import { InMemoryHost } from '../../support/in-memory-host.ts';
import { PRESET_NAMES } from '../../support/memory-host-presets.ts';

const wanted = { serialNumber: 'vol01', page83: 'naa.6001' };
const at = (serialNumber: string, page83: string): ReturnType<typeof diskIn> =>
  diskIn(new Map([[asDiskNumber(3), { serialNumber, page83 }]]), wanted);

describe('the disk with an identity', () => {
  it.each([
    ['both ids', 'vol01', 'naa.6001'],
    ['ids padded by the host', '  vol01   ', 'naa.6001 '],
    ['the serial number, when page 83 is not reported', 'vol01', ''],
    ['page 83, when there is no serial number', '          ', 'naa.6001'],
  ])('law 2: is found by %s', (_by, serialNumber, page83) => {
    expect(at(serialNumber, page83)).toBe(3);
  });

  it.each([
    ['a longer serial number', 'vol012', ''],
    ['a shorter serial number', 'vol0', ''],
    ['another case', 'VOL01', ''],
    ['no ids at all', '', ''],
    ['two other ids', 'vol02', 'naa.6002'],
  ])('law 2: is not one with %s', (_with, serialNumber, page83) => {
    expect(at(serialNumber, page83)).toBeUndefined();
  });

  it.each([
    ['the serial number', 'vol01', 'naa.6002'],
    ['page 83', 'vol02', 'naa.6001'],
  ])('law 2: is refused when only %s agrees', (_only, serialNumber, page83) => {
    expect(() => at(serialNumber, page83)).toThrow(/one id agrees and the other does not/);
  });

  it('law 2: is refused when two disks have it', () => {
    const ids = { serialNumber: 'vol01', page83: '' };
    expect(() =>
      diskIn(
        new Map([
          [asDiskNumber(3), ids],
          [asDiskNumber(4), ids],
        ]),
        wanted,
      ),
    ).toThrow(/disks 3 and 4 both have/);
  });
});

const never = new AbortController().signal;

describe.each(PRESET_NAMES)('looking for a disk over a host with %s', (preset) => {
  function hostWith(...page83: readonly string[]): InMemoryHost {
    const host = new InMemoryHost();
    host.become(preset);
    for (const id of page83) host.plug({ serialNumber: '', page83: id });
    return host;
  }

  it('law 2: finds the one with exactly this id', async () => {
    const host = hostWith('naa.60011', 'naa.6001', 'naa.600');
    expect(await findDisk(host, wanted, never)).toBe(2);
    expect(await currentDisk(host, wanted, never)).toBe(2);
    await confirmDisk(host, wanted, asDiskNumber(2), never);
  });

  it('law 2: takes none of two with one id', async () => {
    const host = hostWith('naa.6001', 'naa.6001');
    await expect(findDisk(host, wanted, never)).rejects.toThrow(/disks 1 and 2/);
    await expect(confirmDisk(host, wanted, asDiskNumber(1), never)).rejects.toThrow(/disks 1 and 2/);
  });

  it('law 2: does not confirm another number', async () => {
    await expect(confirmDisk(hostWith('naa.6001'), wanted, asDiskNumber(2), never)).rejects.toThrow(
      /was number 2 and is number 1 now/,
    );
  });

  it('answers unavailable for a disk that is not there', async () => {
    await expect(findDisk(hostWith('naa.6002'), wanted, never)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('naa.6001 is not on this node, also after a rescan') as unknown,
    });
  });

  it('law 2: proves no identity without an id', async () => {
    const none = { serialNumber: preset.startsWith('v1alpha1') ? 'vol01' : '', page83: '' };
    await expect(findDisk(hostWith('', 'naa.6001'), none, never)).rejects.toMatchObject({
      code: expect.stringMatching(/unavailable|failed-precondition/) as unknown,
    });
  });

  it('law 5: calls no disk gone that the host does not tell of', async () => {
    const disk = await currentDisk(hostWith('naa.6002'), wanted, never).catch((error: unknown) => error);
    const untold = expect.objectContaining({ code: 'unavailable' }) as unknown;
    expect(disk).toEqual(hostWith().features.diskIds ? undefined : untold);
  });

  it('says that it was cancelled, not that the disk is not there', async () => {
    const host = hostWith('naa.6001');
    Object.assign(host.disks, {
      listDiskIds: () => Promise.reject(new StorageError('cancelled', 'cancelled')),
      getDiskNumberByPage83: () => Promise.reject(new StorageError('cancelled', 'cancelled')),
    });
    await expect(currentDisk(host, wanted, AbortSignal.abort())).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('tells a disk that is gone from one that it knows nothing of', async () => {
    const host = hostWith('naa.6001');
    const seen = await seeDisks(host, never);
    const { diskIds } = host.features;
    expect(seen(wanted).kind).toBe(diskIds ? 'here' : 'unknown');
    expect(seen({ serialNumber: 'vol02', page83: 'naa.6002' }).kind).toBe(diskIds ? 'gone' : 'unknown');
  });
});
