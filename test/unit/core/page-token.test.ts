import { describe, expect, it } from '@jest/globals';
import { decodePageToken, encodePageToken } from '../../../src/core/page-token.ts';

describe('page tokens', () => {
  it('carry the id to go on after', () => {
    expect(decodePageToken('volumes', encodePageToken('volumes', 'vol-1'))).toBe('vol-1');
  });

  it('fit into a CSI string of 128 bytes', () => {
    expect(encodePageToken('volumes', 'x'.repeat(36)).length).toBeLessThanOrEqual(128);
  });

  it.each([
    ['nothing', ''],
    ['a word', 'invalid-token'],
    ['an id', 'vol-1'],
    ['an id and a dot', 'vol-1.'],
    ['a dot', '.'],
    ['another checksum', 'vol-1.0000000000000000'],
    ['another id', encodePageToken('volumes', 'vol-1').replace('vol-1', 'vol-2')],
    ['another listing', encodePageToken('snapshots', 'vol-1')],
    ['a path', encodePageToken('volumes', '../x')],
    ['capitals', encodePageToken('volumes', 'vol-1').toUpperCase()],
    ['a tail', `${encodePageToken('volumes', 'vol-1')}0`],
  ])('are aborted when they are %s', (_what, token) => {
    expect(() => decodePageToken('volumes', token)).toThrow(
      expect.objectContaining({
        code: 'aborted',
        message: expect.stringContaining('start again without a token'),
      }),
    );
  });
});
