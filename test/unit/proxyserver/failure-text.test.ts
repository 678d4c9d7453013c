import { describe, expect, it } from '@jest/globals';
import { StorageError } from '../../../src/core/errors.ts';
import { failureText } from '../../../src/proxyserver/failure-text.ts';

const busy = new StorageError('failed-precondition', 'volume 7 is in use by p4ss');
const plain = (text: string): string => text;
const ofEra = (era: '1.2' | '1.3', error: unknown, group: 'volume' | 'filesystem' = 'volume'): string =>
  failureText(error, { group, rpc: 'FormatVolume', era }, plain);

describe('failureText', () => {
  it('law 5: is another text in each era, with what the machine said in it', () => {
    expect(ofEra('1.3', busy)).toBe('volume 7 is in use by p4ss');
    expect(ofEra('1.2', busy)).toMatch(
      /command: FormatVolume, output: .*volume 7 is in use.*exit status 1$/s,
    );
  });

  it('up to 1.2 is that of a shell only where there was one', () => {
    expect(ofEra('1.2', busy, 'filesystem')).toBe('volume 7 is in use by p4ss');
    const refused = new StorageError('invalid-argument', 'the request has no volume id');
    expect(ofEra('1.2', refused)).toBe('the request has no volume id');
  });

  it('law 9: is scrubbed, also where it is cut', () => {
    const scrub = (text: string): string => text.replaceAll('p4ss', '***');
    const long = new StorageError('internal', `${'x'.repeat(2046)}p4ss`);
    for (const error of [busy, long]) {
      const text = failureText(error, { group: 'smb', rpc: 'NewSmbGlobalMapping', era: '1.2' }, scrub);
      expect(text).not.toMatch(/p4/);
    }
  });

  it('has a bounded length, for it travels in a header', () => {
    for (const era of ['1.2', '1.3'] as const) {
      expect(ofEra(era, new StorageError('internal', '世'.repeat(100_000))).length).toBeLessThan(2100);
    }
  });

  it('law 9: says nothing of a failure that was not foreseen', () => {
    for (const thrown of [new TypeError('secret of p4ss'), 'p4ss', undefined]) {
      expect(ofEra('1.2', thrown)).toBe(
        'FormatVolume ended in a way that the server did not foresee: its log says more',
      );
    }
  });
});
