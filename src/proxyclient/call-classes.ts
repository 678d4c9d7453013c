import type { IscsiAuthentication } from '../core/ports/host-storage.ts';
import type { ApiGroup } from '../proxyapi/api-versions.ts';
import type { ArgsOf, GroupPorts } from '../proxyapi/rpc-codec.ts';
import { windowsPath } from './windows-path.ts';

/**
 * A `read` changes nothing: it may be cancelled and asked again. A `mutation` that has begun runs to its end on the
 * node whatever its caller does, so it is never cancelled and never repeated (law 6).
 */
export type Effect = 'read' | 'mutation';

/** Which of the options' timeouts applies. */
export type Deadline = 'file' | 'read' | 'storage';

/** What the client has to know of a call beyond its codec. */
export interface CallClass<Args> {
  readonly effect: Effect;
  readonly deadline: Deadline;
  /** The same arguments with the paths in the form of CSI Proxy. */
  toProxy?(args: Args): Args;
  /** Those of the arguments that no message may show (law 9). */
  secrets?(args: Args): readonly string[];
}

const FILE_READ = { effect: 'read', deadline: 'file' } as const;
const FILE_MUTATION = { effect: 'mutation', deadline: 'file' } as const;
const READ = { effect: 'read', deadline: 'read' } as const;
const MUTATION = { effect: 'mutation', deadline: 'storage' } as const;

/** Every method of the port that goes over a pipe. */
export const CALL_CLASSES: {
  readonly [Group in ApiGroup]: {
    readonly [Method in keyof GroupPorts[Group]]: CallClass<ArgsOf<GroupPorts[Group][Method]>>;
  };
} = {
  disk: {
    listDiskLocations: READ,
    partitionDisk: MUTATION,
    rescan: READ,
    listDiskIds: READ,
    getDiskNumberByPage83: READ,
    getDiskStats: READ,
    setDiskState: MUTATION,
    getDiskState: READ,
  },
  volume: {
    listVolumesOnDisk: READ,
    isVolumeFormatted: READ,
    formatVolume: MUTATION,
    mountVolume: { ...MUTATION, toProxy: ([volume, target]) => [volume, windowsPath(target)] },
    unmountVolume: { ...MUTATION, toProxy: ([volume, target]) => [volume, windowsPath(target)] },
    resizeVolume: MUTATION,
    getVolumeStats: READ,
    getDiskNumberFromVolumeId: READ,
    getVolumeIdFromTargetPath: { ...READ, toProxy: ([path]) => [windowsPath(path)] },
    getClosestVolumeIdFromTargetPath: { ...READ, toProxy: ([path]) => [windowsPath(path)] },
    writeVolumeCache: MUTATION,
  },
  filesystem: {
    pathExists: { ...FILE_READ, toProxy: ([path]) => [windowsPath(path)] },
    mkdir: { ...FILE_MUTATION, toProxy: ([path]) => [windowsPath(path)] },
    rmdir: { ...FILE_MUTATION, toProxy: ([path, force]) => [windowsPath(path), force] },
    rmdirContents: { ...FILE_MUTATION, toProxy: ([path]) => [windowsPath(path)] },
    createSymlink: {
      ...FILE_MUTATION,
      toProxy: ([source, target]) => [windowsPath(source), windowsPath(target)],
    },
    isSymlink: { ...FILE_READ, toProxy: ([path]) => [windowsPath(path)] },
  },
  smb: {
    newSmbGlobalMapping: {
      ...MUTATION,
      toProxy: ([{ localPath, ...mapping }]) => [
        { ...mapping, localPath: localPath === '' ? '' : windowsPath(localPath) },
      ],
      secrets: ([{ password }]) => [password],
    },
    removeSmbGlobalMapping: MUTATION,
  },
  iscsi: {
    addTargetPortal: MUTATION,
    discoverTargetPortal: READ,
    removeTargetPortal: MUTATION,
    listTargetPortals: READ,
    connectTarget: { ...MUTATION, secrets: ([, , authentication]) => secretOf(authentication) },
    disconnectTarget: MUTATION,
    getTargetDisks: READ,
    setMutualChapSecret: { ...MUTATION, secrets: ([secret]) => [secret] },
  },
  system: {
    getBiosSerialNumber: READ,
    getService: READ,
    startService: MUTATION,
    stopService: MUTATION,
  },
};

const secretOf = (authentication: IscsiAuthentication): readonly string[] =>
  authentication.type === 'none' ? [] : [authentication.secret];
