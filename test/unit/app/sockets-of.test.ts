import { describe, expect, it } from '@jest/globals';
import { probeOf, socketsOf } from '../../../src/app/sockets-of.ts';
import { openListener } from '../../../src/rpc/listen.ts';
import { NODE_SOCKETS } from '../../../src/rpc/unix-socket.ts';

const CHOICES = [
  ['node', 'linux', true],
  ['node', 'win32', true],
  ['auto', 'linux', true],
  ['auto', 'win32', false],
  ['reactor', 'linux', false],
] as const;

describe('socketsOf', () => {
  it.each(CHOICES)('%s on %s: sockets of Node.js: %s', (backend, platform, isNode) => {
    expect(socketsOf(backend, platform) === openListener).toBe(isNode);
  });
});

describe('probeOf', () => {
  it.each(CHOICES)('%s on %s: sockets of Node.js: %s', (backend, platform, isNode) => {
    expect(probeOf(backend, platform) === NODE_SOCKETS).toBe(isNode);
  });
});
