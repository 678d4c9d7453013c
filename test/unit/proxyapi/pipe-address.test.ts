import { describe, expect, it } from '@jest/globals';
import { isNamedPipes, pipeAddress } from '../../../src/proxyapi/pipe-address.ts';

const PIPE = { group: 'volume', version: 'v1' } as const;

describe('pipeAddress', () => {
  it.each([
    ['\\\\.\\pipe\\', '\\\\.\\pipe\\csi-proxy-volume-v1'],
    ['\\\\.\\pipe', '\\\\.\\pipe\\csi-proxy-volume-v1'],
    ['\\\\.\\PIPE\\', '\\\\.\\pipe\\csi-proxy-volume-v1'],
    ['\\\\.\\pipe\\other-', '\\\\.\\pipe\\other-csi-proxy-volume-v1'],
    ['/var/run/csi-proxy', '/var/run/csi-proxy/csi-proxy-volume-v1.sock'],
    ['/pipe', '/pipe/csi-proxy-volume-v1.sock'],
  ])('in %s is %s', (pipeDir, address) => {
    expect(pipeAddress(pipeDir, PIPE)).toBe(address);
  });

  it('takes no folder for named pipes', () => {
    expect(isNamedPipes('\\\\.\\pipes\\x')).toBe(false);
    expect(isNamedPipes(String.raw`C:\pipe`)).toBe(false);
  });
});
