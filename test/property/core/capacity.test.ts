import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  CAPACITY_STEP_BYTES,
  capacityFor,
  type CapacityRange,
  isWithin,
  MINIMUM_VOLUME_BYTES,
} from '../../../src/core/capacity.ts';
import { StorageError } from '../../../src/core/errors.ts';

const INT64_MAX = 2n ** 63n - 1n;
/** Sizes of every magnitude, often near a multiple of the step. */
const bytes = fc.oneof(
  fc.bigInt(0n, INT64_MAX),
  fc.tuple(fc.bigInt(0n, 10_000n), fc.bigInt(-2n, 2n)).map(([steps, more]) => {
    const near = steps * CAPACITY_STEP_BYTES + more;
    return near < 0n ? 0n : near;
  }),
);
const range: fc.Arbitrary<CapacityRange> = fc
  .tuple(bytes, bytes, fc.boolean())
  .map(([one, other, unlimited]) => ({
    requiredBytes: one < other ? one : other,
    limitBytes: unlimited ? 0n : one < other ? other : one,
  }));

/** The size, or undefined when none is possible. */
function sizeFor(asked: CapacityRange, floor: bigint): bigint | undefined {
  try {
    return capacityFor(asked, floor);
  } catch (error) {
    expect(StorageError.is(error, 'out-of-range')).toBe(true);
    return undefined;
  }
}

describe('capacityFor, for any range and floor', () => {
  it('satisfies the range, the floor, the minimum, the step and int64, or is out-of-range', () => {
    fc.assert(
      fc.property(range, bytes, (asked, floor) => {
        const size = sizeFor(asked, floor);
        if (size === undefined) return;
        expect(isWithin(size, asked)).toBe(true);
        expect(size % CAPACITY_STEP_BYTES).toBe(0n);
        expect(size >= floor && size >= MINIMUM_VOLUME_BYTES && size <= INT64_MAX).toBe(true);
      }),
    );
  });

  it('is out-of-range only when no multiple of the step fits', () => {
    fc.assert(
      fc.property(range, bytes, (asked, floor) => {
        if (sizeFor(asked, floor) !== undefined) return;
        const least = [asked.requiredBytes, floor, MINIMUM_VOLUME_BYTES].reduce((a, b) => (a > b ? a : b));
        const most = asked.limitBytes === 0n ? INT64_MAX : asked.limitBytes;
        const largestStep = most - (most % CAPACITY_STEP_BYTES);
        expect(largestStep < least).toBe(true);
      }),
    );
  });

  it('gives exactly the required size when it is a multiple of the step', () => {
    fc.assert(
      fc.property(fc.bigInt(33n, 10_000_000n), (steps) => {
        const requiredBytes = steps * CAPACITY_STEP_BYTES;
        expect(capacityFor({ requiredBytes, limitBytes: requiredBytes }, 0n)).toBe(requiredBytes);
      }),
    );
  });

  it('never gives less when more is required, or when the source is larger', () => {
    const size = fc.bigInt(1n, 2n ** 50n);
    fc.assert(
      fc.property(size, size, size, (one, other, fixed) => {
        const [less, more] = one < other ? [one, other] : [other, one];
        const required = (requiredBytes: bigint) => capacityFor({ requiredBytes, limitBytes: 0n }, fixed);
        const floor = (floorBytes: bigint) =>
          capacityFor({ requiredBytes: fixed, limitBytes: 0n }, floorBytes);
        expect(required(less) <= required(more)).toBe(true);
        expect(floor(less) <= floor(more)).toBe(true);
      }),
    );
  });

  it('law 3: asking for the size that was given gives it again', () => {
    fc.assert(
      fc.property(range, bytes, (asked, floor) => {
        const size = sizeFor(asked, floor);
        if (size === undefined) return;
        expect(capacityFor({ requiredBytes: size, limitBytes: size }, floor)).toBe(size);
      }),
    );
  });
});
