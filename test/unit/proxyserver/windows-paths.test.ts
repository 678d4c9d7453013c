import { describe, expect, it } from '@jest/globals';
import { StorageError } from '../../../src/core/errors.ts';
import { hostVolumeIdOf } from '../../../src/core/ids.ts';
import type { HostFiles, HostSmb, HostStorage, HostVolumes } from '../../../src/core/ports/host-storage.ts';
import { pathRules } from '../../../src/proxyserver/path-rules.ts';
import { rootPath } from '../../../src/proxyserver/root-path.ts';
import { withWindowsPaths } from '../../../src/proxyserver/windows-paths.ts';
import { overriding } from '../../../src/util/overriding.ts';
import { InMemoryHost } from '../../support/in-memory-host.ts';

const SIGNAL = new AbortController().signal;
const GOOD = String.raw`C:\k\a`;
const BAD = String.raw`C:\other`;
const HERE = '/srv/c/k/a';
const VOLUME = hostVolumeIdOf('00000000-0000-4000-8000-000000000001');

/** A host that only writes down what it is asked, and the same with Windows' paths. */
function recordingHost({ compat = false, failure }: { compat?: boolean; failure?: Error } = {}): {
  readonly host: HostStorage;
  readonly asked: unknown[][];
} {
  const asked: unknown[][] = [];
  const recording = (): HostFiles & HostVolumes & HostSmb =>
    new Proxy({} as HostFiles & HostVolumes & HostSmb, {
      get:
        (_target, method) =>
        (...args: unknown[]) => {
          asked.push([method, ...args.slice(0, -1)]);
          return failure === undefined ? Promise.resolve() : Promise.reject(failure);
        },
    });
  const machine = overriding<HostStorage>(new InMemoryHost(), {
    files: recording(),
    volumes: recording(),
    smb: recording(),
  });
  const rules = pathRules({ workingDirs: [], kubeletPath: 'C:\\k', compat });
  return { host: withWindowsPaths(machine, rules, rootPath('/srv/c')), asked };
}

type Call = (host: HostStorage, path: string) => Promise<unknown>;

const FILES: readonly (readonly [string, Call])[] = [
  ['pathExists', ({ files }, path) => files.pathExists(path, SIGNAL)],
  ['mkdir', ({ files }, path) => files.mkdir(path, SIGNAL)],
  ['rmdir', ({ files }, path) => files.rmdir(path, true, SIGNAL)],
  ['rmdirContents', ({ files }, path) => files.rmdirContents(path, SIGNAL)],
  ['createSymlink', ({ files }, path) => files.createSymlink(path, String.raw`C:\k\b`, SIGNAL)],
  ['createSymlink', ({ files }, path) => files.createSymlink(String.raw`C:\k\b`, path, SIGNAL)],
  [
    'newSmbGlobalMapping',
    ({ smb }, localPath) =>
      smb.newSmbGlobalMapping({ remotePath: '\\\\h\\s', localPath, username: '', password: '' }, SIGNAL),
  ],
];
const PLACES: readonly (readonly [string, Call])[] = [
  ['isSymlink', ({ files }, path) => files.isSymlink(path, SIGNAL)],
  ['mountVolume', ({ volumes }, path) => volumes.mountVolume(VOLUME, path, SIGNAL)],
  ['unmountVolume', ({ volumes }, path) => volumes.unmountVolume(VOLUME, path, SIGNAL)],
  ['getVolumeIdFromTargetPath', ({ volumes }, path) => volumes.getVolumeIdFromTargetPath(path, SIGNAL)],
  [
    'getClosestVolumeIdFromTargetPath',
    ({ volumes }, path) => volumes.getClosestVolumeIdFromTargetPath(path, SIGNAL),
  ],
];

describe('withWindowsPaths', () => {
  it.each([...FILES, ...PLACES])('gives %s the path of this machine', async (method, call) => {
    const { host, asked } = recordingHost();
    await call(host, GOOD);
    expect(asked).toHaveLength(1);
    expect(asked[0]?.[0]).toBe(method);
    expect(JSON.stringify(asked[0])).toContain(JSON.stringify(HERE));
    expect(JSON.stringify(asked[0])).not.toContain('C:');
  });

  it.each([...FILES, ...PLACES])(
    'law 4: does not even ask %s about a path outside',
    async (_method, call) => {
      const { host, asked } = recordingHost();
      await expect(call(host, BAD)).rejects.toThrow(/not within/);
      expect(asked).toEqual([]);
    },
  );

  it.each(PLACES)(
    'asks %s about any path when the holes are open, but never out of the root',
    async (_m, call) => {
      const { host, asked } = recordingHost({ compat: true });
      await call(host, 'C:/../../other');
      expect(JSON.stringify(asked[0])).toContain('"/srv/c/other"');
      await expect(call(host, String.raw`D:\other`)).rejects.toThrow(/not on drive C:/);
    },
  );

  it('takes forward slashes where the original does', async () => {
    const { host, asked } = recordingHost();
    await host.volumes.mountVolume(VOLUME, 'c:/k/a', SIGNAL);
    expect(asked).toEqual([['mountVolume', VOLUME, HERE]]);
    await expect(host.files.mkdir('c:/k/a', SIGNAL)).rejects.toThrow(/not allowed/);
  });

  it('lets a share without a link pass', async () => {
    const { host, asked } = recordingHost();
    const mapping = { remotePath: '\\\\h\\s', localPath: '', username: 'u', password: 'p' };
    await host.smb.newSmbGlobalMapping(mapping, SIGNAL);
    expect(asked).toEqual([['newSmbGlobalMapping', mapping]]);
  });

  it('names the path in a failure as the caller knows it, and keeps what the machine said', async () => {
    const failure = new StorageError('failed-precondition', `cannot remove ${HERE}/b: ${HERE} is in use`);
    const { host } = recordingHost({ failure });
    await expect(host.files.rmdir(GOOD, false, SIGNAL)).rejects.toMatchObject({
      message: String.raw`cannot remove C:\k\a/b: C:\k\a is in use`,
      cause: failure,
    });
  });

  it('names a path with dollar signs as it is', async () => {
    const failure = new StorageError('failed-precondition', "cannot remove /srv/c/k/$&$'$`$$");
    const { host } = recordingHost({ failure });
    await expect(host.files.rmdir("C:\\k\\$&$'$`$$", false, SIGNAL)).rejects.toMatchObject({
      message: "cannot remove C:\\k\\$&$'$`$$",
    });
  });

  it('passes on as it is what was not foreseen', async () => {
    const failure = new TypeError(HERE);
    await expect(recordingHost({ failure }).host.files.mkdir(GOOD, SIGNAL)).rejects.toBe(failure);
  });
});
