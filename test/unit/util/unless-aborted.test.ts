import { describe, expect, it } from '@jest/globals';
import { unlessAborted } from '../../../src/util/unless-aborted.ts';

const signal = new AbortController().signal;

describe('waiting unless the caller goes', () => {
  it('gives what was waited for, or its failure', async () => {
    expect(await unlessAborted(Promise.resolve(1), signal)).toBe(1);
    await expect(unlessAborted(Promise.reject(new Error('no')), signal)).rejects.toThrow('no');
  });

  it('ends with the reason of the caller; what was waited for may fail later', async () => {
    const caller = new AbortController();
    let fail: (error: Error) => void = () => undefined;
    const waited = new Promise<never>((_, reject) => (fail = reject));
    const waiting = unlessAborted(waited, caller.signal);
    caller.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    await expect(unlessAborted(waited, caller.signal)).rejects.toThrow('gone');
    fail(new Error('later'));
    await expect(waited).rejects.toThrow('later');
  });
});
