import { describe, expect, it } from '@jest/globals';
import { DiskGuard } from '../../../src/backends/disk-guard.ts';

/** Work that ends when it is told to. */
function pending(): { readonly work: () => Promise<string>; readonly end: () => void } {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return {
    work: async () => {
      await ended;
      return 'done';
    },
    end: () => {
      end();
    },
  };
}

const busy = { code: 'aborted' };
const now = (): Promise<string> => Promise.resolve('now');

describe('DiskGuard', () => {
  it('lets one change a disk, and nobody else near it meanwhile', async () => {
    const guard = new DiskGuard();
    const { work, end } = pending();
    const first = guard.changing('a', work);
    await expect(guard.changing('a', now)).rejects.toMatchObject(busy);
    await expect(guard.reading('a', now)).rejects.toMatchObject(busy);
    expect(await guard.changing('b', now)).toBe('now');
    end();
    expect(await first).toBe('done');
    expect(await guard.changing('a', now)).toBe('now');
  });

  it('lets many copy a disk, and nobody change it until the last is done', async () => {
    const guard = new DiskGuard();
    const [one, other] = [pending(), pending()];
    const copies = [guard.reading('a', one.work), guard.reading('a', other.work)];
    one.end();
    await copies[0];
    await expect(guard.changing('a', now)).rejects.toMatchObject(busy);
    other.end();
    await copies[1];
    expect(await guard.changing('a', now)).toBe('now');
  });

  it('is free again after a failure', async () => {
    const guard = new DiskGuard();
    const fail = (): Promise<never> => Promise.reject(new Error('no'));
    await expect(guard.changing('a', fail)).rejects.toThrow('no');
    await expect(guard.reading('a', fail)).rejects.toThrow('no');
    expect(await guard.changing('a', now)).toBe('now');
  });
});
