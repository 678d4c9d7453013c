import type { DiskNumber, HostVolumeId } from '../ids.ts';

/**
 * What a Windows node can do with disks, volumes and paths. Versionless, grouped and named like the newest
 * CSI Proxy API of each group (disk v1, volume v2alpha1, filesystem v2alpha1), so that the proxy client and the
 * proxy server are pure translation. Sizes are bytes as `bigint`. Paths are in the host's own form.
 *
 * An adapter decides nothing: it does what it is told or throws a `StorageError`. Callers never decide on the
 * code or text of a failure, they ask for the state instead (law 5): through CSI Proxy every failure looks alike.
 * `cancelled` and `deadline-exceeded` are no failures of the host: nobody waited for its answer, so nothing is known.
 * A mutation that has begun runs to its end even when `signal` aborts; the signal stops it before it begins.
 */
export interface HostStorage {
  readonly disks: HostDisks;
  readonly volumes: HostVolumes;
  readonly files: HostFiles;
  readonly smb: HostSmb;
  readonly iscsi: HostIscsi;
  readonly system: HostSystem;
  /** Most volumes this host can have attached at once, known without asking it: the default of `--max-volumes-per-node`. */
  readonly maxVolumes: number;
  /** What this host cannot do, so that the node can degrade knowingly. */
  capabilities(signal: AbortSignal): Promise<HostCapabilities>;
  /** Whether the host can serve now; when not, why, and what an administrator does about it (law 10). */
  readiness(signal: AbortSignal): Promise<HostReadiness>;
}

export interface HostCapabilities {
  /** One word for logs, metrics and `doctor`: `linux`, `simulated`, `proxy`. */
  readonly kind: string;
  /** False: no `listDiskIds`; a disk's identity is proven only by `getDiskNumberByPage83`, and not at all without a page 83 id. */
  readonly diskIds: boolean;
  /** False: disks cannot be taken online or offline; they are as they arrived. */
  readonly diskState: boolean;
  /** False: no `getVolumeStats`. */
  readonly volumeStats: boolean;
  /** False: no `getVolumeIdFromTargetPath` and `getDiskNumberFromVolumeId`. */
  readonly targetPathLookup: boolean;
  /** True: this process can `statfs` a staged path itself and gets the volume's numbers. */
  readonly localStat: boolean;
}

export type HostReadiness =
  { readonly ready: true } | { readonly ready: false; readonly reason: string; readonly mend: string };

/** The serial number and SCSI page 83 id of a disk, as the host reports them: untrimmed, `''` when there is none. */
export interface DiskIds {
  readonly page83: string;
  readonly serialNumber: string;
}

export interface DiskLocation {
  readonly adapter: string;
  readonly bus: string;
  readonly target: string;
  readonly lun: string;
}

export interface HostDisks {
  listDiskLocations(signal: AbortSignal): Promise<ReadonlyMap<DiskNumber, DiskLocation>>;
  /** Writes a GPT with a reserved and one largest basic-data partition on a raw disk. No-op when a basic partition exists. */
  partitionDisk(disk: DiskNumber, signal: AbortSignal): Promise<void>;
  /** Looks for attached, detached and resized disks. */
  rescan(signal: AbortSignal): Promise<void>;
  listDiskIds(signal: AbortSignal): Promise<ReadonlyMap<DiskNumber, DiskIds>>;
  /** The one disk with exactly this page 83 id; fails when there is none. The only identity the oldest CSI Proxies know. */
  getDiskNumberByPage83(page83: string, signal: AbortSignal): Promise<DiskNumber>;
  getDiskStats(disk: DiskNumber, signal: AbortSignal): Promise<{ readonly totalBytes: bigint }>;
  setDiskState(disk: DiskNumber, online: boolean, signal: AbortSignal): Promise<void>;
  getDiskState(disk: DiskNumber, signal: AbortSignal): Promise<{ readonly online: boolean }>;
}

export interface VolumeStats {
  readonly totalBytes: bigint;
  readonly usedBytes: bigint;
}

export interface HostVolumes {
  /** Volumes on a disk, in partition order; none on a raw or offline disk. `partition` 0 means all. */
  listVolumesOnDisk(
    disk: DiskNumber,
    partition: number,
    signal: AbortSignal,
  ): Promise<readonly HostVolumeId[]>;
  /** True when Windows sees a file system it knows. False says nothing about foreign data (law 1). */
  isVolumeFormatted(volume: HostVolumeId, signal: AbortSignal): Promise<boolean>;
  /** Formats as NTFS, unconditionally. The caller has obeyed law 1. */
  formatVolume(volume: HostVolumeId, signal: AbortSignal): Promise<void>;
  /** Mounts at an existing empty directory. Mounting the same volume there again may succeed or fail. */
  mountVolume(volume: HostVolumeId, targetPath: string, signal: AbortSignal): Promise<void>;
  /** Flushes, then unmounts. The empty directory stays. */
  unmountVolume(volume: HostVolumeId, targetPath: string, signal: AbortSignal): Promise<void>;
  /** Grows partition and file system to `sizeBytes`, 0n for all there is. Never shrinks; growth below 100 MiB may be ignored. */
  resizeVolume(volume: HostVolumeId, sizeBytes: bigint, signal: AbortSignal): Promise<void>;
  getVolumeStats(volume: HostVolumeId, signal: AbortSignal): Promise<VolumeStats>;
  getDiskNumberFromVolumeId(volume: HostVolumeId, signal: AbortSignal): Promise<DiskNumber>;
  /** Follows a mount point, or a link to one, to its volume. Fails on a plain directory or missing path. */
  getVolumeIdFromTargetPath(targetPath: string, signal: AbortSignal): Promise<HostVolumeId>;
  /** Like the above for any path below a mount point. */
  getClosestVolumeIdFromTargetPath(targetPath: string, signal: AbortSignal): Promise<HostVolumeId>;
  writeVolumeCache(volume: HostVolumeId, signal: AbortSignal): Promise<void>;
}

export interface HostFiles {
  /** True for anything there, a dangling link or mount point included. */
  pathExists(path: string, signal: AbortSignal): Promise<boolean>;
  /** Makes the directory and its parents; no-op when it is there. */
  mkdir(path: string, signal: AbortSignal): Promise<void>;
  /** Removes a link, a mount point or an empty directory itself; with `force` a tree too, never through a link. */
  rmdir(path: string, force: boolean, signal: AbortSignal): Promise<void>;
  /** Empties a directory, never through a link. */
  rmdirContents(path: string, signal: AbortSignal): Promise<void>;
  /** Makes `target` a directory link to `source`. Fails when `target` is there. */
  createSymlink(source: string, target: string, signal: AbortSignal): Promise<void>;
  /** True for a link or mount point whose target is there; false for a plain directory and for a dangling one; fails on a missing path. */
  isSymlink(path: string, signal: AbortSignal): Promise<boolean>;
}

export interface SmbMapping {
  /** `\\\\host\\share` or a path below it. */
  readonly remotePath: string;
  /** A link made to the share, `''` for none. */
  readonly localPath: string;
  readonly username: string;
  /** Secret (law 9). */
  readonly password: string;
}

/** SMB shares, mapped for the whole host. */
export interface HostSmb {
  /** A mapping that is there and works stays as it is, whatever the credentials. */
  newSmbGlobalMapping(mapping: SmbMapping, signal: AbortSignal): Promise<void>;
  /** Fails when there is no such mapping. */
  removeSmbGlobalMapping(remotePath: string, signal: AbortSignal): Promise<void>;
}

export interface IscsiPortal {
  readonly address: string;
  /** 0 means 3260. */
  readonly port: number;
}

export type IscsiAuthentication =
  | { readonly type: 'none' }
  /** The secret has 12 to 16 bytes (Windows' rule) and is a secret (law 9). */
  | { readonly type: 'one-way-chap' | 'mutual-chap'; readonly username: string; readonly secret: string };

/** The host's iSCSI initiator. Needs the service MSiSCSI. */
export interface HostIscsi {
  addTargetPortal(portal: IscsiPortal, signal: AbortSignal): Promise<void>;
  /** IQNs of the targets a portal offers. */
  discoverTargetPortal(portal: IscsiPortal, signal: AbortSignal): Promise<readonly string[]>;
  removeTargetPortal(portal: IscsiPortal, signal: AbortSignal): Promise<void>;
  listTargetPortals(signal: AbortSignal): Promise<readonly IscsiPortal[]>;
  /** Logs in. A second login may succeed or fail; ask `getTargetDisks` for the state. */
  connectTarget(
    portal: IscsiPortal,
    iqn: string,
    authentication: IscsiAuthentication,
    signal: AbortSignal,
  ): Promise<void>;
  disconnectTarget(portal: IscsiPortal, iqn: string, signal: AbortSignal): Promise<void>;
  getTargetDisks(portal: IscsiPortal, iqn: string, signal: AbortSignal): Promise<readonly DiskNumber[]>;
  /** The initiator's own secret, one for the whole host. */
  setMutualChapSecret(secret: string, signal: AbortSignal): Promise<void>;
}

export type ServiceStatus =
  | 'unknown'
  | 'stopped'
  | 'start-pending'
  | 'stop-pending'
  | 'running'
  | 'continue-pending'
  | 'pause-pending'
  | 'paused';

export type ServiceStartType = 'boot' | 'system' | 'automatic' | 'manual' | 'disabled';

export interface HostService {
  readonly displayName: string;
  readonly startType: ServiceStartType;
  readonly status: ServiceStatus;
}

export interface HostSystem {
  getBiosSerialNumber(signal: AbortSignal): Promise<string>;
  getService(name: string, signal: AbortSignal): Promise<HostService>;
  /** Waits until it runs; no-op when it does. */
  startService(name: string, signal: AbortSignal): Promise<void>;
  /** Waits until it has stopped; with `force` its dependents too. */
  stopService(name: string, force: boolean, signal: AbortSignal): Promise<void>;
}
