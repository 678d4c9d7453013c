import { StorageError } from './errors.ts';
import type { DiskNumber, HostVolumeId } from './ids.ts';
import type { HostDisks, HostStorage, HostVolumes } from './ports/host-storage.ts';

export type DiskFault = 'offline-disk' | 'missing-disk';

/** Disks that are broken now, by serial number. Asked before every call. */
export type BrokenDisks = () => ReadonlyMap<string, DiskFault>;

/** What a host answers about a disk that is gone, or that does not come online. */
export function withDiskFaults(host: HostStorage, broken: BrokenDisks): HostStorage {
  const guard = new DiskGuard(host, broken);
  return {
    smb: host.smb,
    iscsi: host.iscsi,
    system: host.system,
    maxVolumes: host.maxVolumes,
    disks: guardDisks(host.disks, guard),
    volumes: guardVolumes(host.volumes, guard),
    files: host.files,
    capabilities: (signal) => host.capabilities(signal),
    readiness: (signal) => host.readiness(signal),
  };
}

function guardDisks(disks: HostDisks, guard: DiskGuard): HostDisks {
  return {
    listDiskLocations: async (signal) => guard.present(await disks.listDiskLocations(signal), signal),
    listDiskIds: async (signal) => guard.present(await disks.listDiskIds(signal), signal),
    getDiskNumberByPage83: async (page83, signal) => {
      const disk = await disks.getDiskNumberByPage83(page83, signal);
      await guard.requirePresent(disk, signal);
      return disk;
    },
    rescan: (signal) => disks.rescan(signal),
    partitionDisk: async (disk, signal) => {
      await guard.requireUsable(disk, signal);
      await disks.partitionDisk(disk, signal);
    },
    getDiskStats: async (disk, signal) => {
      await guard.requirePresent(disk, signal);
      return disks.getDiskStats(disk, signal);
    },
    setDiskState: async (disk, online, signal) => {
      await (online ? guard.requireUsable(disk, signal) : guard.requirePresent(disk, signal));
      await disks.setDiskState(disk, online, signal);
    },
    getDiskState: async (disk, signal) => {
      const broken = await guard.requirePresent(disk, signal);
      return broken === undefined ? disks.getDiskState(disk, signal) : { online: false };
    },
  };
}

/** All volume methods but the two that look a path up begin with a disk number or a volume id. */
function guardVolumes(volumes: HostVolumes, guard: DiskGuard): HostVolumes {
  const onVolume =
    <Rest extends unknown[], Result>(method: (volume: HostVolumeId, ...rest: Rest) => Promise<Result>) =>
    async (volume: HostVolumeId, ...rest: Rest): Promise<Result> => {
      await guard.requireVolume(volume, rest.at(-1) as AbortSignal);
      return method.call(volumes, volume, ...rest);
    };
  const found = async (lookup: Promise<HostVolumeId>, signal: AbortSignal): Promise<HostVolumeId> => {
    const volume = await lookup;
    await guard.requireVolume(volume, signal);
    return volume;
  };
  return {
    listVolumesOnDisk: async (disk, partition, signal) => {
      const broken = await guard.requirePresent(disk, signal);
      return broken === undefined ? volumes.listVolumesOnDisk(disk, partition, signal) : [];
    },
    isVolumeFormatted: onVolume((...args) => volumes.isVolumeFormatted(...args)),
    formatVolume: onVolume((...args) => volumes.formatVolume(...args)),
    mountVolume: onVolume((...args) => volumes.mountVolume(...args)),
    unmountVolume: onVolume((...args) => volumes.unmountVolume(...args)),
    resizeVolume: onVolume((...args) => volumes.resizeVolume(...args)),
    getVolumeStats: onVolume((...args) => volumes.getVolumeStats(...args)),
    getDiskNumberFromVolumeId: onVolume((...args) => volumes.getDiskNumberFromVolumeId(...args)),
    writeVolumeCache: onVolume((...args) => volumes.writeVolumeCache(...args)),
    getVolumeIdFromTargetPath: (path, signal) =>
      found(volumes.getVolumeIdFromTargetPath(path, signal), signal),
    getClosestVolumeIdFromTargetPath: (path, signal) =>
      found(volumes.getClosestVolumeIdFromTargetPath(path, signal), signal),
  };
}

/** Knows which disks are broken now; asks the host behind the faults for their numbers. */
class DiskGuard {
  readonly #host: HostStorage;
  readonly #broken: BrokenDisks;

  constructor(host: HostStorage, broken: BrokenDisks) {
    this.#host = host;
    this.#broken = broken;
  }

  async present<Value>(
    disks: ReadonlyMap<DiskNumber, Value>,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<DiskNumber, Value>> {
    const broken = await this.#brokenDisks(signal);
    return new Map([...disks].filter(([disk]) => broken.get(disk) !== 'missing-disk'));
  }

  async requirePresent(disk: DiskNumber, signal: AbortSignal): Promise<DiskFault | undefined> {
    const broken = (await this.#brokenDisks(signal)).get(disk);
    if (broken === 'missing-disk')
      throw new StorageError('not-found', `there is no disk ${disk}: injected fault`);
    return broken;
  }

  async requireUsable(disk: DiskNumber, signal: AbortSignal): Promise<void> {
    const broken = await this.requirePresent(disk, signal);
    if (broken === undefined) return;
    throw new StorageError('failed-precondition', `disk ${disk} does not come online: injected fault`);
  }

  async requireVolume(volume: HostVolumeId, signal: AbortSignal): Promise<void> {
    if ((await this.#brokenDisks(signal)).size === 0) return;
    await this.requireUsable(await this.#host.volumes.getDiskNumberFromVolumeId(volume, signal), signal);
  }

  async #brokenDisks(signal: AbortSignal): Promise<ReadonlyMap<DiskNumber, DiskFault>> {
    const faults = this.#broken();
    if (faults.size === 0) return new Map();
    const broken = new Map<DiskNumber, DiskFault>();
    for (const [disk, { serialNumber }] of await this.#host.disks.listDiskIds(signal)) {
      const fault = faults.get(serialNumber);
      if (fault !== undefined) broken.set(disk, fault);
    }
    return broken;
  }
}
