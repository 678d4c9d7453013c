import { describe, expect, it } from '@jest/globals';
import { CLUSTER_BYTES, FreeSpace } from '../../../../src/hosts/simulated/free-space.ts';

const C = CLUSTER_BYTES;

describe('free space of a simulated volume', () => {
  it('hands out the lowest gaps, in whole clusters', () => {
    const free = new FreeSpace(4 * C, 20 * C, [
      [6 * C, 2 * C],
      [10 * C, 1],
    ]);
    expect(free.bytes).toBe(13 * C);
    expect(free.allocate(1)).toEqual([[4 * C, 1]]);
    expect(free.allocate(3 * C)).toEqual([
      [5 * C, C],
      [8 * C, 2 * C],
    ]);
    expect(free.allocate(C + 1)).toEqual([[11 * C, C + 1]]);
    expect(free.allocate(0)).toEqual([]);
    expect(free.bytes).toBe(7 * C);
  });

  it('finds one piece where one piece is needed', () => {
    const free = new FreeSpace(0, 10 * C, [[C, C]]);
    expect(free.allocateWhole(2 * C)).toEqual([2 * C, 2 * C]);
    expect(free.allocateWhole(10)).toEqual([0, 10]);
  });

  it('refuses more than there is, and then still has what there was', () => {
    const free = new FreeSpace(0, 2 * C, []);
    expect(() => free.allocate(2 * C + 1)).toThrow(/volume is full/);
    expect(() => free.allocateWhole(3 * C)).toThrow(/volume is full/);
    expect(free.allocate(2 * C)).toEqual([[0, 2 * C]]);
    expect(() => free.allocate(1)).toThrow(/volume is full/);
  });
});
