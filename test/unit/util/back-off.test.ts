import { describe, expect, it } from '@jest/globals';
import { BackOff } from '../../../src/util/back-off.ts';

const waits = (backOff: BackOff, count: number): number[] =>
  Array.from({ length: count }, () => backOff.next());

describe('a back-off', () => {
  it('doubles up to its limit, and begins anew after a success', () => {
    const backOff = new BackOff({ firstSeconds: 1, mostSeconds: 5, random: () => 0 });
    expect(waits(backOff, 5)).toEqual([1000, 2000, 4000, 5000, 5000]);
    backOff.reset();
    expect(waits(backOff, 2)).toEqual([1000, 2000]);
  });

  it('never waits longer than the limit, though the first wait would', () => {
    expect(waits(new BackOff({ firstSeconds: 1, mostSeconds: 0.5, random: () => 0 }), 2)).toEqual([500, 500]);
  });

  it('is shortened by up to a half', () => {
    const backOff = new BackOff({ firstSeconds: 1, mostSeconds: 60, random: () => 0.5 });
    expect(waits(backOff, 2)).toEqual([750, 1500]);
  });

  it('differs from one process to the next', () => {
    const options = { firstSeconds: 1, mostSeconds: 60 };
    expect(new BackOff(options).next()).not.toBe(new BackOff(options).next());
  });
});
