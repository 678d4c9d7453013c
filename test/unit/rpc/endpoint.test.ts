import { describe, expect, it } from '@jest/globals';
import { StorageError } from '../../../src/core/errors.ts';
import { clientTarget, formatEndpoint, parseEndpoint } from '../../../src/rpc/endpoint.ts';

describe('parseEndpoint', () => {
  it.each([
    ['unix:///csi/csi.sock', '/csi/csi.sock'],
    ['unix:/csi/csi.sock', '/csi/csi.sock'],
    ['unix:///with space/ü.sock', '/with space/ü.sock'],
    ['unix://C:\\csi\\csi.sock', 'C:\\csi\\csi.sock'],
    ['unix:///C:\\csi\\csi.sock', 'C:\\csi\\csi.sock'],
    ['unix:C:/csi/csi.sock', 'C:/csi/csi.sock'],
    ['unix:\\csi\\csi.sock', '\\csi\\csi.sock'],
    ['unix://\\csi\\csi.sock', '\\csi\\csi.sock'],
  ])('reads %s', (text, path) => {
    expect(parseEndpoint(text)).toEqual({ kind: 'unix', path });
  });

  it.each([
    ['tcp://127.0.0.1:0', '127.0.0.1', 0],
    ['tcp://localhost:65535', 'localhost', 65535],
    ['tcp://[::1]:10000', '::1', 10000],
  ])('reads %s, and writes it again', (text, host, port) => {
    expect(parseEndpoint(text)).toEqual({ kind: 'tcp', host, port });
    expect(formatEndpoint(parseEndpoint(text))).toBe(text);
    expect(`tcp://${clientTarget(parseEndpoint(text))}`).toBe(text);
  });

  it('gives clients the path as it is', () => {
    expect(clientTarget({ kind: 'unix', path: '/csi/csi.sock' })).toBe('unix:/csi/csi.sock');
    expect(formatEndpoint({ kind: 'unix', path: '/csi/csi.sock' })).toBe('unix:///csi/csi.sock');
  });

  it.each([
    ['', 'begins with neither'],
    ['/csi/csi.sock', 'begins with neither'],
    ['http://127.0.0.1:80', 'begins with neither'],
    ['unix:', 'must be absolute'],
    ['unix://csi.sock', 'must be absolute'],
    ['unix:csi.sock', 'must be absolute'],
    ['unix:///csi/', 'names no file'],
    ['unix://C:\\csi\\', 'names no file'],
    ['unix:///a\0b', 'names no file'],
    [`unix:///${'x'.repeat(107)}`, '108 bytes'],
    ['tcp://127.0.0.1', 'no host and port'],
    ['tcp://127.0.0.1:65536', 'no host and port'],
    ['tcp://127.0.0.1:port', 'no host and port'],
    ['tcp:127.0.0.1:80', 'no host and port'],
    ['tcp://:80', 'no host and port'],
    ['tcp://0.0.0.0:80', 'no authentication'],
    ['tcp://127.evil.example:80', 'no authentication'],
    ['tcp://[::]:80', 'no authentication'],
  ])('refuses "%s" and says what to do', (text, why) => {
    expect(() => parseEndpoint(text)).toThrow(why);
    expect(() => parseEndpoint(text)).toThrow(/: .*(use|shorten)/);
    expect(() => parseEndpoint(text)).toThrow(StorageError);
  });

  it('takes the longest path a socket can have', () => {
    expect(parseEndpoint(`unix:///${'x'.repeat(106)}`).kind).toBe('unix');
  });
});
