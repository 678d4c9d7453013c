import { describe, expect, it } from '@jest/globals';
import {
  capacityFor,
  DEFAULT_VOLUME_BYTES,
  GIB,
  isWithin,
  KIB,
  MIB,
  MINIMUM_VOLUME_BYTES,
  requireSaneRange,
  roundUpToStep,
} from '../../../src/core/capacity.ts';

const range = (requiredBytes: bigint, limitBytes: bigint) => ({ requiredBytes, limitBytes });

describe('capacityFor', () => {
  it.each([
    ['nothing asked', range(0n, 0n), 0n, DEFAULT_VOLUME_BYTES],
    ['nothing asked of a copy', range(0n, 0n), 100n * MIB, 100n * MIB],
    ['exact', range(GIB, GIB), 0n, GIB],
    ['rounded up', range(GIB + 1n, 0n), 0n, GIB + MIB],
    ['rounded up within the limit', range(GIB + 1n, GIB + MIB), 0n, GIB + MIB],
    ['below the minimum', range(1n, 0n), 0n, MINIMUM_VOLUME_BYTES],
    ['below the floor', range(GIB, 0n), 2n * GIB, 2n * GIB],
    ['limit below the default', range(0n, 600n * MIB + KIB), 0n, 600n * MIB],
    ['limit above the default', range(0n, 5n * GIB), 0n, DEFAULT_VOLUME_BYTES],
    ['limit of a copy', range(0n, 5n * GIB), 2n * GIB, 2n * GIB],
    ['limit is the minimum', range(0n, MINIMUM_VOLUME_BYTES), 0n, MINIMUM_VOLUME_BYTES],
  ])('%s', (_what, asked, floor, expected) => {
    expect(capacityFor(asked, floor)).toBe(expected);
  });

  it.each([
    ['limit below the minimum', range(0n, MINIMUM_VOLUME_BYTES - 1n), 0n],
    ['limit below the floor', range(0n, GIB), 2n * GIB],
    ['rounding passes the limit', range(GIB + 1n, GIB + 2n), 0n],
    ['rounding passes int64', range(2n ** 63n - 1n, 0n), 0n],
  ])('out-of-range: %s', (_what, asked, floor) => {
    expect(() => capacityFor(asked, floor)).toThrow(expect.objectContaining({ code: 'out-of-range' }));
  });
});

describe('requireSaneRange', () => {
  it.each([range(-1n, 0n), range(0n, -1n), range(2n, 1n)])('refuses %o', (asked) => {
    expect(() => {
      requireSaneRange(asked);
    }).toThrow(expect.objectContaining({ code: 'invalid-argument' }));
  });

  it.each([range(0n, 0n), range(1n, 0n), range(0n, 1n), range(1n, 1n)])('takes %o', (asked) => {
    expect(() => {
      requireSaneRange(asked);
    }).not.toThrow();
  });
});

it.each([
  [0n, 0n],
  [1n, MIB],
  [MIB, MIB],
  [MIB + 1n, 2n * MIB],
])('roundUpToStep(%d) is %d', (bytes, expected) => {
  expect(roundUpToStep(bytes)).toBe(expected);
});

it.each([
  [GIB, range(0n, 0n), true],
  [GIB, range(GIB, GIB), true],
  [GIB, range(GIB + 1n, 0n), false],
  [GIB, range(0n, GIB - 1n), false],
])('isWithin(%d, %o) is %s', (bytes, asked, expected) => {
  expect(isWithin(bytes, asked)).toBe(expected);
});
