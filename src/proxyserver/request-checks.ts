import { StorageError } from '../core/errors.ts';
import type { HostVolumeId } from '../core/ids.ts';
import type { HostStorage, HostVolumes } from '../core/ports/host-storage.ts';
import { overriding } from '../util/overriding.ts';

/** What a server refuses before it asks the machine: requests that name no volume, no path or no share. */
export function withRequestChecks(host: HostStorage): HostStorage {
  const { smb } = host;
  return overriding(host, {
    volumes: checkedVolumes(host.volumes),
    smb: {
      newSmbGlobalMapping: async (mapping, signal) =>
        smb.newSmbGlobalMapping({ ...mapping, remotePath: sharePath(mapping.remotePath) }, signal),
      removeSmbGlobalMapping: async (remotePath, signal) =>
        smb.removeSmbGlobalMapping(sharePath(remotePath), signal),
    },
  });
}

function checkedVolumes(volumes: HostVolumes): HostVolumes {
  const ofVolume =
    <Rest extends unknown[], Result>(method: (volume: HostVolumeId, ...rest: Rest) => Promise<Result>) =>
    async (volume: HostVolumeId, ...rest: Rest): Promise<Result> => {
      requireText(volume, 'volume id');
      return method(volume, ...rest);
    };
  const ofPath =
    <Result>(method: (path: string, signal: AbortSignal) => Promise<Result>) =>
    async (path: string, signal: AbortSignal): Promise<Result> => {
      requireText(path, 'target path');
      return method(path, signal);
    };
  return overriding(volumes, {
    isVolumeFormatted: ofVolume((...args) => volumes.isVolumeFormatted(...args)),
    formatVolume: ofVolume((...args) => volumes.formatVolume(...args)),
    mountVolume: ofVolume((volume, path, signal) =>
      ofPath(() => volumes.mountVolume(volume, path, signal))(path, signal),
    ),
    unmountVolume: ofVolume((volume, path, signal) =>
      ofPath(() => volumes.unmountVolume(volume, path, signal))(path, signal),
    ),
    resizeVolume: ofVolume((...args) => volumes.resizeVolume(...args)),
    getVolumeStats: ofVolume((...args) => volumes.getVolumeStats(...args)),
    getDiskNumberFromVolumeId: ofVolume((...args) => volumes.getDiskNumberFromVolumeId(...args)),
    writeVolumeCache: ofVolume((...args) => volumes.writeVolumeCache(...args)),
    getVolumeIdFromTargetPath: ofPath((...args) => volumes.getVolumeIdFromTargetPath(...args)),
    getClosestVolumeIdFromTargetPath: ofPath((...args) => volumes.getClosestVolumeIdFromTargetPath(...args)),
  });
}

function requireText(text: string, what: string): void {
  if (text === '') throw new StorageError('invalid-argument', `the request has no ${what}`);
}

/** `\\host\share`, or a path below it, with Windows' separators. Throws `invalid-argument` for anything shorter. */
export function sharePath(remotePath: string): string {
  const path = remotePath.replaceAll('/', '\\');
  if (/^\\\\[^\\]+\\[^\\]+/.test(path)) return path;
  throw new StorageError(
    'invalid-argument',
    `${JSON.stringify(remotePath)} is no path of an SMB share: use \\\\host\\share, or a path below it`,
  );
}
