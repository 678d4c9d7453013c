import { MIB } from '../core/capacity.ts';
import { StorageError } from '../core/errors.ts';
import { BASIC_PARTITION_FIRST_LBA, lastUsableLba, SECTOR_BYTES } from '../core/gpt.ts';
import { asHostVolumeId, type HostVolumeId } from '../core/ids.ts';
import type {
  HostDisks,
  HostFiles,
  HostIscsi,
  HostStorage,
  HostVolumes,
} from '../core/ports/host-storage.ts';
import { overriding } from '../util/overriding.ts';

/** Whose behaviour a server shows: csi-proxy.exe up to 1.2 runs a PowerShell for each call, from 1.3 on it asks WMI. */
export type Era = '1.2' | '1.3';

/** Growth that is not worth it: both eras take it, and do nothing. */
const LEAST_GROWTH_BYTES = 100n * MIB;

/** The id that servers up to 1.2 list for a disk without volumes. */
const NO_VOLUME = asHostVolumeId('');

/**
 * A host that behaves as a release of csi-proxy.exe does where it may behave in several ways. Paths that are on none of
 * its disks are on `systemVolume`, the volume of drive C:.
 */
export function eraHost(host: HostStorage, era: Era, systemVolume: HostVolumeId): HostStorage {
  const { disks, files, volumes } = host;
  const alike: Partial<HostVolumes> = {
    resizeVolume: async (volume, sizeBytes, signal) => {
      const growth =
        (await targetBytes(host, volume, sizeBytes, signal)) - (await sizeOf(host, volume, signal));
      if (growth >= LEAST_GROWTH_BYTES) await volumes.resizeVolume(volume, sizeBytes, signal);
    },
    getClosestVolumeIdFromTargetPath: (path, signal) =>
      volumes
        .getClosestVolumeIdFromTargetPath(path, signal)
        .catch(unlessOnNone(() => files.pathExists(path, signal), systemVolume)),
  };
  return era === '1.2'
    ? overriding(host, {
        volumes: overriding(volumes, { ...alike, ...shellVolumes(volumes) }),
        iscsi: overriding(host.iscsi, shellIscsi(host.iscsi)),
      })
    : overriding(host, {
        disks: overriding(disks, wmiDisks(disks)),
        files: overriding(files, openingFiles(files)),
        volumes: overriding(volumes, { ...alike, ...wmiVolumes(host, systemVolume) }),
      });
}

function shellVolumes(volumes: HostVolumes): Partial<HostVolumes> {
  return {
    listVolumesOnDisk: async (disk, partition, signal) => {
      const found = await volumes.listVolumesOnDisk(disk, partition, signal);
      return found.length === 0 ? [NO_VOLUME] : found;
    },
    mountVolume: async (volume, path, signal) => {
      const there = await volumeAt(volumes, path, signal);
      if (there !== undefined) {
        throw new StorageError(
          'failed-precondition',
          `cannot mount ${volume} at ${path}: the path already gives access to ${there}; unmount that first`,
        );
      }
      await volumes.mountVolume(volume, path, signal);
    },
  };
}

/** A second login fails; who wants to know asks for the disks of the target. */
const shellIscsi = (iscsi: HostIscsi): Partial<HostIscsi> => ({
  connectTarget: async (portal, iqn, authentication, signal) => {
    const disks = await iscsi.getTargetDisks(portal, iqn, signal).catch(() => []);
    if (disks.length > 0) {
      throw new StorageError(
        'failed-precondition',
        `cannot log in to ${iqn}: there is a session with it already`,
      );
    }
    await iscsi.connectTarget(portal, iqn, authentication, signal);
  },
});

const wmiDisks = (disks: HostDisks): Partial<HostDisks> => ({
  setDiskState: async (disk, online, signal) => {
    const state = await disks.getDiskState(disk, signal);
    if (state.online !== online) await disks.setDiskState(disk, online, signal);
  },
});

/** Looks for a mounted folder by opening the path, so that a missing one fails before it is asked whether it is a link. */
const openingFiles = (files: HostFiles): Partial<HostFiles> => ({
  isSymlink: async (path, signal) => {
    try {
      return await files.isSymlink(path, signal);
    } catch (error) {
      if (await files.pathExists(path, signal).catch(() => true)) throw error;
      const text = `cannot open ${path} to see whether a volume is mounted there: no file or folder has this name`;
      throw new StorageError('failed-precondition', text, { cause: error });
    }
  },
});

function wmiVolumes({ files, volumes }: HostStorage, systemVolume: HostVolumeId): Partial<HostVolumes> {
  return {
    mountVolume: async (volume, path, signal) => {
      const there = await volumeAt(volumes, path, signal);
      if (there !== volume) await volumes.mountVolume(volume, path, signal);
    },
    // A link to a plain directory is taken for a mount point, and Windows names the volume which that is on.
    getVolumeIdFromTargetPath: (path, signal) =>
      volumes
        .getVolumeIdFromTargetPath(path, signal)
        .catch(unlessOnNone(() => files.isSymlink(path, signal), systemVolume)),
  };
}

const volumeAt = (
  volumes: HostVolumes,
  path: string,
  signal: AbortSignal,
): Promise<HostVolumeId | undefined> =>
  volumes.getVolumeIdFromTargetPath(path, signal).catch(() => undefined);

/**
 * For a look-up that failed: gives `systemVolume` when the host says that the path is on none of its volumes, and the
 * path is what it has to be for that. The host is right here, so its `not-found` can be believed (law 5 is about what
 * comes through a pipe); any other failure says nothing about where the path is.
 */
const unlessOnNone =
  (isSo: () => Promise<boolean>, systemVolume: HostVolumeId) =>
  async (error: unknown): Promise<HostVolumeId> => {
    if (StorageError.is(error, 'not-found') && (await isSo())) return systemVolume;
    throw error;
  };

/** The present size of a volume in bytes: of its file system, which is at most a cluster smaller than the partition. */
async function sizeOf({ volumes }: HostStorage, volume: HostVolumeId, signal: AbortSignal): Promise<bigint> {
  return (await volumes.getVolumeStats(volume, signal)).totalBytes;
}

/** The size asked for; for 0n that of a partition which takes all of the disk. */
async function targetBytes(
  { disks, volumes }: HostStorage,
  volume: HostVolumeId,
  sizeBytes: bigint,
  signal: AbortSignal,
): Promise<bigint> {
  if (sizeBytes !== 0n) return sizeBytes;
  const disk = await volumes.getDiskNumberFromVolumeId(volume, signal);
  const { totalBytes } = await disks.getDiskStats(disk, signal);
  return (lastUsableLba(totalBytes) + 1n - BASIC_PARTITION_FIRST_LBA) * SECTOR_BYTES;
}
