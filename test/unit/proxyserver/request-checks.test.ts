import { describe, expect, it } from '@jest/globals';
import { asHostVolumeId, hostVolumeIdOf } from '../../../src/core/ids.ts';
import type { HostSmb, HostStorage } from '../../../src/core/ports/host-storage.ts';
import { sharePath, withRequestChecks } from '../../../src/proxyserver/request-checks.ts';
import { overriding } from '../../../src/util/overriding.ts';
import { InMemoryHost } from '../../support/in-memory-host.ts';

const SIGNAL = new AbortController().signal;
const NONE = asHostVolumeId('');
const ANY = hostVolumeIdOf('00000000-0000-4000-8000-000000000001');

/** A host whose volumes may not be asked at all. */
function untouchable(): HostStorage {
  const volumes = new Proxy(new InMemoryHost().volumes, {
    get: (_target, method) => () => Promise.reject(new Error(`the host was asked to ${String(method)}`)),
  });
  return withRequestChecks(overriding<HostStorage>(new InMemoryHost(), { volumes }));
}

describe('a request without volume id', () => {
  it.each<[string, (host: HostStorage) => Promise<unknown>]>([
    ['isVolumeFormatted', ({ volumes }) => volumes.isVolumeFormatted(NONE, SIGNAL)],
    ['formatVolume', ({ volumes }) => volumes.formatVolume(NONE, SIGNAL)],
    ['mountVolume', ({ volumes }) => volumes.mountVolume(NONE, '', SIGNAL)],
    ['unmountVolume', ({ volumes }) => volumes.unmountVolume(NONE, '', SIGNAL)],
    ['resizeVolume', ({ volumes }) => volumes.resizeVolume(NONE, 0n, SIGNAL)],
    ['getVolumeStats', ({ volumes }) => volumes.getVolumeStats(NONE, SIGNAL)],
    ['getDiskNumberFromVolumeId', ({ volumes }) => volumes.getDiskNumberFromVolumeId(NONE, SIGNAL)],
    ['writeVolumeCache', ({ volumes }) => volumes.writeVolumeCache(NONE, SIGNAL)],
  ])('is refused before the machine is asked: %s', async (_method, call) => {
    await expect(call(untouchable())).rejects.toThrow('the request has no volume id');
  });
});

describe('a request without target path', () => {
  it.each<[string, (host: HostStorage) => Promise<unknown>]>([
    ['mountVolume', ({ volumes }) => volumes.mountVolume(ANY, '', SIGNAL)],
    ['unmountVolume', ({ volumes }) => volumes.unmountVolume(ANY, '', SIGNAL)],
    ['getVolumeIdFromTargetPath', ({ volumes }) => volumes.getVolumeIdFromTargetPath('', SIGNAL)],
    [
      'getClosestVolumeIdFromTargetPath',
      ({ volumes }) => volumes.getClosestVolumeIdFromTargetPath('', SIGNAL),
    ],
  ])('is refused before the machine is asked: %s', async (_method, call) => {
    await expect(call(untouchable())).rejects.toThrow('the request has no target path');
  });
});

describe('sharePath', () => {
  it.each([
    [String.raw`\\hostname\path`, String.raw`\\hostname\path`],
    [String.raw`\\hostname\path` + '\\', String.raw`\\hostname\path` + '\\'],
    [String.raw`\\hostname\path\subpath`, String.raw`\\hostname\path\subpath`],
    ['//hostname/path', String.raw`\\hostname\path`],
  ])('takes %s', (given, path) => {
    expect(sharePath(given)).toBe(path);
  });

  it.each(['', 'hostname', String.raw`\\hostname`, '//hostname/', String.raw`\\\path`, String.raw`C:\x\y`])(
    'refuses %j',
    (given) => {
      expect(() => sharePath(given)).toThrow(expect.objectContaining({ code: 'invalid-argument' }));
    },
  );

  it('is what a host gets to hear', async () => {
    const heard: string[] = [];
    const smb: HostSmb = {
      newSmbGlobalMapping: ({ remotePath }) => Promise.resolve(void heard.push(remotePath)),
      removeSmbGlobalMapping: (remotePath) => Promise.resolve(void heard.push(remotePath)),
    };
    const host = withRequestChecks(overriding<HostStorage>(new InMemoryHost(), { smb }));
    const mapping = { remotePath: '//h/s', localPath: '', username: 'u', password: 'p' };
    await host.smb.newSmbGlobalMapping(mapping, SIGNAL);
    await host.smb.removeSmbGlobalMapping('//h/s', SIGNAL);
    await expect(host.smb.removeSmbGlobalMapping('h', SIGNAL)).rejects.toThrow(/no path of an SMB share/);
    expect(heard).toEqual([String.raw`\\h\s`, String.raw`\\h\s`]);
  });
});
