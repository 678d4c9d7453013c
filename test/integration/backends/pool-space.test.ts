import { describe, expect, it } from '@jest/globals';
import { PoolSpace } from '../../../src/backends/file/pool-space.ts';
import { GIB } from '../../../src/core/capacity.ts';
import { inTempFolder } from '../../support/temp-folder.ts';

/** Others write to this file system too while the test runs: what differs by less than this is noise. */
const NOISE = GIB;
const PROMISE = 4n * NOISE;

const inSpace = (work: (space: PoolSpace) => Promise<void>): Promise<void> =>
  inTempFolder(async (poolDir) => {
    await work(await PoolSpace.open({ poolDir, overcommitRatio: 1, allocatedBytes: 0n, promisedBytes: 0n }));
  });

describe('the account of a pool', () => {
  it('holds a promise until it is released', async () => {
    await inSpace(async (space) => {
      const before = await space.available();
      await space.promising(PROMISE, 'make a disk', () => Promise.resolve());
      expect(before - (await space.available())).toBeGreaterThan(PROMISE - NOISE);
      space.release(PROMISE);
      expect(before - (await space.available())).toBeLessThan(NOISE);
    });
  });

  it('takes a promise back when its steps fail', async () => {
    await inSpace(async (space) => {
      const before = await space.available();
      const failing = space.promising(PROMISE, 'make a disk', () => Promise.reject(new Error('no')));
      await expect(failing).rejects.toThrow('cannot make a disk: no');
      expect(before - (await space.available())).toBeLessThan(NOISE);
    });
  });

  it('never promises the same space to two who ask at once', async () => {
    await inSpace(async (space) => {
      const most = (await space.available()) - NOISE;
      const asks = [1, 2].map(() => space.promising(most, 'make a disk', () => Promise.resolve()));
      const outcome = (await Promise.allSettled(asks)).map(({ status }) => status);
      expect(outcome.sort()).toEqual(['fulfilled', 'rejected']);
    });
  });
});
