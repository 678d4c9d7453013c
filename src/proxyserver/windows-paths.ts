import { StorageError } from '../core/errors.ts';
import type { HostStorage } from '../core/ports/host-storage.ts';
import { overriding } from '../util/overriding.ts';
import type { PathRules } from './path-rules.ts';
import type { RootPath } from './root-path.ts';

type Use<Result> = (hostPath: string) => Promise<Result>;

/** The host with Windows' paths: checked by the rules, then those of this machine. Failures name them as they came. */
export function withWindowsPaths(host: HostStorage, rules: PathRules, root: RootPath): HostStorage {
  const at = async <Result>(path: string, use: Use<Result>): Promise<Result> => {
    const hostPath = root.toHost(path);
    try {
      return await use(hostPath);
    } catch (error) {
      throw inWindowsWords(error, hostPath, root);
    }
  };
  const file = async <Result>(path: string, use: Use<Result>): Promise<Result> => at(rules.file(path), use);
  const place = async <Result>(path: string, use: Use<Result>): Promise<Result> => at(rules.place(path), use);
  const { files, smb, volumes } = host;
  return overriding(host, {
    files: {
      pathExists: (path, signal) => file(path, (at) => files.pathExists(at, signal)),
      mkdir: (path, signal) => file(path, (at) => files.mkdir(at, signal)),
      rmdir: (path, force, signal) => file(path, (at) => files.rmdir(at, force, signal)),
      rmdirContents: (path, signal) => file(path, (at) => files.rmdirContents(at, signal)),
      createSymlink: (source, target, signal) =>
        file(target, (to) => file(source, (from) => files.createSymlink(from, to, signal))),
      isSymlink: (path, signal) => place(path, (at) => files.isSymlink(at, signal)),
    },
    volumes: overriding(volumes, {
      mountVolume: (volume, path, signal) => place(path, (at) => volumes.mountVolume(volume, at, signal)),
      unmountVolume: (volume, path, signal) => place(path, (at) => volumes.unmountVolume(volume, at, signal)),
      getVolumeIdFromTargetPath: (path, signal) =>
        place(path, (at) => volumes.getVolumeIdFromTargetPath(at, signal)),
      getClosestVolumeIdFromTargetPath: (path, signal) =>
        place(path, (at) => volumes.getClosestVolumeIdFromTargetPath(at, signal)),
    }),
    smb: overriding(smb, {
      newSmbGlobalMapping: (mapping, signal) =>
        mapping.localPath === ''
          ? smb.newSmbGlobalMapping(mapping, signal)
          : file(mapping.localPath, (at) => smb.newSmbGlobalMapping({ ...mapping, localPath: at }, signal)),
    }),
  });
}

/** The caller knows nothing of the paths of this machine. What the host said stays the cause, for the log. */
function inWindowsWords(error: unknown, hostPath: string, root: RootPath): unknown {
  if (!(error instanceof StorageError) || hostPath === '/') return error;
  const message = error.message.replaceAll(hostPath, () => root.toWindows(hostPath));
  return new StorageError(error.code, message, { cause: error });
}
