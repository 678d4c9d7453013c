import type { DiskNumber, HostVolumeId } from '../ids.ts';

/**
 * What a Windows node can do with disks, volumes and paths. Versionless, grouped and named like the newest
 * CSI Proxy API of each group (disk v1, volume v2alpha1, filesystem v2alpha1), so that the proxy client and the
 * proxy server are pure translation. Sizes are bytes as `bigint`. Paths are in the host's own form.
 *
 * An adapter decides nothing: it does what it is told or throws a `StorageError`. Callers never decide on the
 * code or text of a failure, they ask for the state instead (law 5): through CSI Proxy every failure looks alike.
 * A mutation that has begun runs to its end even when `signal` aborts; the signal stops it before it begins.
 */
export interface HostStorage {
  readonly disks: HostDisks;
  readonly volumes: HostVolumes;
  readonly files: HostFiles;
  /** What this host cannot do, so that the node can degrade knowingly. */
  capabilities(signal: AbortSignal): Promise<HostCapabilities>;
  /** Whether the host can serve now; when not, why, and what an administrator does about it (law 10). */
  readiness(signal: AbortSignal): Promise<HostReadiness>;
}

export interface HostCapabilities {
  /** One word for logs, metrics and `doctor`: `linux`, `simulated`, `proxy`. */
  readonly kind: string;
  /** False: disks have no ids, so no disk's identity can be proven and nothing may be formatted. */
  readonly diskIds: boolean;
  /** False: disks cannot be taken online or offline. */
  readonly diskState: boolean;
  /** False: no `getVolumeStats`. */
  readonly volumeStats: boolean;
  /** False: no `getVolumeIdFromTargetPath` and `getDiskNumberFromVolumeId`. */
  readonly targetPathLookup: boolean;
  /** True: this process can `statfs` a staged path itself and gets the volume's numbers. */
  readonly localStat: boolean;
  /** Most volumes this host can have attached at once: the default of `--max-volumes-per-node`. */
  readonly maxVolumes: number;
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
