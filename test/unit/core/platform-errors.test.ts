import { describe, expect, it } from '@jest/globals';
import { attempt } from '../../../src/core/platform-errors.ts';
import { StorageError } from '../../../src/core/errors.ts';

const failing = (code: string): Promise<never> =>
  attempt('write a disk', () => Promise.reject(Object.assign(new Error(`${code}: no`), { code })));

describe('attempt', () => {
  it.each([
    ['ENOENT', 'failed-precondition'],
    ['EEXIST', 'failed-precondition'],
    ['EBUSY', 'failed-precondition'],
    ['ENOSPC', 'resource-exhausted'],
    ['EDQUOT', 'resource-exhausted'],
    ['EFBIG', 'out-of-range'],
    ['EROFS', 'unavailable'],
    ['EIO', 'unavailable'],
    ['EACCES', 'unavailable'],
    ['ABORT_ERR', 'cancelled'],
    ['EWHATEVER', 'internal'],
  ])('turns %s into %s, says what was tried and keeps the cause', async (code, expected) => {
    await expect(failing(code)).rejects.toMatchObject({
      name: 'StorageError',
      code: expected,
      message: expect.stringContaining('cannot write a disk: '),
      cause: { code },
    });
  });

  it('leaves what is a StorageError already, and what succeeds', async () => {
    const error = new StorageError('not-found', 'gone');
    await expect(attempt('look', () => Promise.reject(error))).rejects.toBe(error);
    expect(await attempt('look', () => Promise.resolve(1))).toBe(1);
  });

  it('takes anything that is thrown', async () => {
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- that is what is tested
    await expect(attempt('look', () => Promise.reject('text'))).rejects.toMatchObject({
      code: 'internal',
      message: 'cannot look: text',
    });
  });
});
