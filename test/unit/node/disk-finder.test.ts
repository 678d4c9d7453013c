import { describe, expect, it } from '@jest/globals';
import { asDiskNumber } from '../../../src/core/ids.ts';
import { diskIn } from '../../../src/node/disk-table.ts';

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
