import { describe, expect, it } from '@jest/globals';
import {
  inetAddress,
  MAX_ADDRESS_BYTES,
  pathOf,
  portOf,
  unixAddress,
} from '../../../src/transport/sockaddr.ts';

describe('the address of a unix socket', () => {
  it('is a family and 108 bytes of path, as Windows and Linux lay it out', () => {
    const address = Buffer.from(unixAddress('C:\\csi\\csi.sock'));
    expect(address).toHaveLength(110);
    expect(address.subarray(0, 2)).toEqual(Buffer.from([1, 0]));
    expect(address.subarray(2, 17).toString()).toBe('C:\\csi\\csi.sock');
    expect(address.subarray(17).every((byte) => byte === 0)).toBe(true);
  });

  it.each(['/csi/csi.sock', '/ü/ß.sock', `/${'x'.repeat(106)}`])('gives the path back: %s', (path) => {
    expect(pathOf(unixAddress(path))).toBe(path);
  });

  it('has no path when the socket has none', () => {
    expect(pathOf(Uint8Array.of(1, 0))).toBe('');
    expect(pathOf(new Uint8Array(MAX_ADDRESS_BYTES))).toBe('');
  });

  it.each([
    [`/${'x'.repeat(107)}`, '108 bytes'],
    [`/${'ü'.repeat(54)}`, '109 bytes'],
    ['', 'names no file'],
    ['/a\0b', 'names no file'],
  ])('refuses %j', (path, why) => {
    expect(() => unixAddress(path)).toThrow(why);
  });
});

describe('the address of a TCP socket', () => {
  it('has port and address in network order', () => {
    expect(Buffer.from(inetAddress('127.0.0.1', 0x1234))).toEqual(
      Buffer.from([2, 0, 0x12, 0x34, 127, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]),
    );
    expect(portOf(inetAddress('127.0.0.1', 65_535))).toBe(65_535);
  });

  it.each(['0.0.0.0', '10.0.0.1', '127.0.0', '127.0.0.256', '127.0.0.x', 'localhost', '::1'])(
    'refuses %s: it is for tests on this machine',
    (host) => {
      expect(() => inetAddress(host, 1)).toThrow('it takes 127.0.0.1');
    },
  );
});
