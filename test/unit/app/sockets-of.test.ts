import { describe, expect, it } from '@jest/globals';
import { socketsOf } from '../../../src/app/sockets-of.ts';
import { openListener } from '../../../src/rpc/listen.ts';

describe('socketsOf', () => {
  it.each([
    ['node', 'linux', true],
    ['node', 'win32', true],
    ['auto', 'linux', true],
    ['auto', 'win32', false],
    ['reactor', 'linux', false],
  ] as const)('%s on %s: sockets of Node.js: %s', (backend, platform, isNode) => {
    expect(socketsOf(backend, platform) === openListener).toBe(isNode);
  });
});
