import { describe, expect, it } from '@jest/globals';
import { availableBytes, type PoolShare } from '../../../../src/backends/file/pool-space.ts';
import { GIB, MIB } from '../../../../src/core/capacity.ts';

const share = (changes: Partial<PoolShare>): PoolShare => ({
  totalBytes: 100n * GIB,
  freeBytes: 100n * GIB,
  othersBytes: 0n,
  promisedBytes: 0n,
  overcommitRatio: 1,
  ...changes,
});

describe('availableBytes', () => {
  it.each<[string, Partial<PoolShare>, bigint]>([
    ['all of an empty pool', {}, 100n * GIB],
    ['less what is promised, though sparse images take nothing', { promisedBytes: 30n * GIB }, 70n * GIB],
    [
      'the same when those images are full: a byte is not counted twice',
      { promisedBytes: 30n * GIB, freeBytes: 70n * GIB },
      70n * GIB,
    ],
    [
      'less what others have',
      { othersBytes: 40n * GIB, freeBytes: 60n * GIB, promisedBytes: 10n * GIB },
      50n * GIB,
    ],
    [
      'no more than is free, when others have grown',
      { promisedBytes: 10n * GIB, freeBytes: 5n * GIB },
      5n * GIB,
    ],
    ['nothing when more is promised than there is', { promisedBytes: 101n * GIB }, 0n],
    ['nothing when nothing is free', { freeBytes: 0n }, 0n],
    ['twice as much with ratio 2', { overcommitRatio: 2, promisedBytes: 50n * GIB }, 150n * GIB],
    ['ratio times what is free with ratio 2', { overcommitRatio: 2, freeBytes: 10n * GIB }, 20n * GIB],
    ['half of it with ratio 0.5', { overcommitRatio: 0.5 }, 50n * GIB],
    ['whole steps', { totalBytes: 10n * MIB + 1n, freeBytes: 10n * MIB + 1n }, 10n * MIB],
    ['nothing of less than a step', { freeBytes: MIB - 1n }, 0n],
  ])('is %s', (_what, changes, expected) => {
    expect(availableBytes(share(changes))).toBe(expected);
  });
});
