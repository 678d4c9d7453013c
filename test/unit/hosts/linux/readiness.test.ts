import { describe, expect, it } from '@jest/globals';
import { readinessOf } from '../../../../src/hosts/linux/readiness.ts';
import { packageOf, TOOLS } from '../../../../src/hosts/linux/tools.ts';

describe('readinessOf', () => {
  it.each([1000, undefined])('tells user %s to be root or to simulate', async (userId) => {
    await expect(readinessOf(userId)).resolves.toMatchObject({
      ready: false,
      reason: expect.stringContaining('need root'),
      mend: expect.stringContaining('--host simulated'),
    });
  });
});

describe('packageOf', () => {
  it('knows the package of every tool', () => {
    expect([...TOOLS.keys()].filter((tool) => packageOf(tool) === '')).toEqual([]);
    expect(packageOf('mkfs.ntfs')).toBe('ntfs-3g');
  });
});
