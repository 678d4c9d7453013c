import { realpath, statfs } from 'node:fs/promises';
import { StorageError, throwIfAborted } from '../../core/errors.ts';
import { attempt } from '../../core/platform-errors.ts';
import { recognise } from '../../core/disk-signatures.ts';
import type { DiskNumber, HostVolumeId } from '../../core/ids.ts';
import { BOOT_SECTOR_BYTES, decodeNtfsBootSector } from '../../core/ntfs-boot-sector.ts';
import type { HostVolumes, VolumeStats } from '../../core/ports/host-storage.ts';
import type { DiskTable } from './disk-table.ts';
import { mountAt, mountOver, readMounts } from './mountinfo.ts';
import type { MountEntry } from './mountinfo.ts';
import type { NtfsTools } from './ntfs-tools.ts';
import { readStart } from '../partition-table.ts';
import type { PartitionDevice, Partitions } from './partitions.ts';
import { mountPathOf, requireAbsolute } from './paths.ts';
import type { Turns } from '../../util/turns.ts';
import { withFile } from '../../util/with-file.ts';
import type { VolumeGrowth } from './volume-growth.ts';
import type { Volume, VolumeLookup } from './volume-lookup.ts';
import type { VolumeMounts } from './volume-mounts.ts';

/** The file systems Windows mounts besides NTFS. */
const OTHER_WINDOWS_FILE_SYSTEMS = /\b(FAT12|FAT16|FAT32|exFAT|ReFS)\b/;
/** Where their marks stand. */
const MARK_BYTES = 4096;

export interface LinuxVolumesDeps {
  readonly table: DiskTable;
  readonly lookup: VolumeLookup;
  readonly partitions: Partitions;
  readonly tools: NtfsTools;
  readonly mounts: VolumeMounts;
  readonly growth: VolumeGrowth;
  readonly turns: Turns;
}

/** Volumes are NTFS file systems on partitions of loop devices, mounted by ntfs-3g. */
export class LinuxVolumes implements HostVolumes {
  readonly #deps: LinuxVolumesDeps;

  constructor(deps: LinuxVolumesDeps) {
    this.#deps = deps;
  }

  async listVolumesOnDisk(
    number: DiskNumber,
    partition: number,
    signal: AbortSignal,
  ): Promise<readonly HostVolumeId[]> {
    throwIfAborted(signal, `listing the volumes of disk ${number}`);
    const volumes = await this.#deps.lookup.onDisk(this.#deps.table.get(number));
    return volumes
      .filter(({ partitionNumber }) => partition === 0 || partition === partitionNumber)
      .map((volume) => volume.id);
  }

  /** As blind as Windows: an ext4 file system is not one it knows, so the volume counts as not formatted (law 1). */
  async isVolumeFormatted(id: HostVolumeId, signal: AbortSignal): Promise<boolean> {
    throwIfAborted(signal, `looking at volume ${id}`);
    const { path } = await this.#deviceOf(await this.#deps.lookup.byId(id));
    const start = await readStart(path, MARK_BYTES);
    return (
      decodeNtfsBootSector(start.subarray(0, BOOT_SECTOR_BYTES)) !== undefined ||
      OTHER_WINDOWS_FILE_SYSTEMS.test(recognise(start) ?? '')
    );
  }

  async formatVolume(id: HostVolumeId, signal: AbortSignal): Promise<void> {
    await this.#change(id, signal, `formatting volume ${id}`, async (volume) => {
      const device = await this.#deviceOf(volume);
      const [mount] = await this.#deps.mounts.of(device.device);
      if (mount !== undefined) {
        throw new StorageError(
          'failed-precondition',
          `will not format volume ${id} (${device.path}): it is mounted at ${mount.mountPoint}; unmount it first`,
        );
      }
      await this.#deps.tools.format(device.path, volume.partition.firstLba);
    });
  }

  async mountVolume(id: HostVolumeId, targetPath: string, signal: AbortSignal): Promise<void> {
    const path = await mountPathOf(targetPath);
    await this.#deps.turns.take(path, () =>
      this.#change(id, signal, `mounting volume ${id} at ${path}`, async (volume) => {
        await this.#deps.mounts.mount(await this.#deviceOf(volume), path);
      }),
    );
  }

  /** The path decides; the volume's id may be ambiguous or its disk unplugged, it is unmounted all the same. */
  async unmountVolume(id: HostVolumeId, targetPath: string, signal: AbortSignal): Promise<void> {
    const path = await mountPathOf(targetPath);
    const { mounts, turns } = this.#deps;
    const mount = await turns.take(path, async () =>
      turns.take(await this.#turnOf(id, path), async () => {
        throwIfAborted(signal, `unmounting volume ${id} at ${path}`);
        const found = await mounts.at(path);
        if (found === undefined) {
          throw new StorageError('not-found', `cannot unmount volume ${id}: no volume is mounted at ${path}`);
        }
        await mounts.unmount(path);
        return found;
      }),
    );
    await this.#letGo(mount);
  }

  async resizeVolume(id: HostVolumeId, sizeBytes: bigint, signal: AbortSignal): Promise<void> {
    await this.#change(id, signal, `growing volume ${id}`, (volume) =>
      this.#deps.growth.grow(volume, sizeBytes),
    );
  }

  async getVolumeStats(id: HostVolumeId, signal: AbortSignal): Promise<VolumeStats> {
    throwIfAborted(signal, `measuring volume ${id}`);
    const device = await this.#deviceOf(await this.#deps.lookup.byId(id));
    const mount = await this.#deps.mounts.aliveOf(device.device);
    if (mount !== undefined) return mountedStats(mount.mountPoint);
    const ntfs = decodeNtfsBootSector(await readStart(device.path, BOOT_SECTOR_BYTES));
    return ntfs === undefined ? { totalBytes: 0n, usedBytes: 0n } : this.#deps.tools.usage(device.path);
  }

  async getDiskNumberFromVolumeId(id: HostVolumeId, signal: AbortSignal): Promise<DiskNumber> {
    throwIfAborted(signal, `finding the disk of volume ${id}`);
    return (await this.#deps.lookup.byId(id)).disk.number;
  }

  async getVolumeIdFromTargetPath(targetPath: string, signal: AbortSignal): Promise<HostVolumeId> {
    throwIfAborted(signal, `finding the volume at ${targetPath}`);
    const path = await resolved(targetPath);
    return this.#idOf(mountAt(await readMounts(), path), targetPath);
  }

  async getClosestVolumeIdFromTargetPath(targetPath: string, signal: AbortSignal): Promise<HostVolumeId> {
    throwIfAborted(signal, `finding the volume of ${targetPath}`);
    const path = await resolved(targetPath);
    return this.#idOf(mountOver(await readMounts(), path), targetPath);
  }

  async writeVolumeCache(id: HostVolumeId, signal: AbortSignal): Promise<void> {
    await this.#change(id, signal, `flushing volume ${id}`, async (volume) => {
      const device = await this.#deviceOf(volume);
      const mount = await this.#deps.mounts.aliveOf(device.device);
      if (mount === undefined) await syncDevice(device.path);
      else await this.#deps.mounts.flush(mount.mountPoint);
    });
  }

  /** Looks the volume up, waits for its disk, and looks again: it may have gone or grown meanwhile. */
  async #change(
    id: HostVolumeId,
    signal: AbortSignal,
    doing: string,
    action: (volume: Volume) => Promise<void>,
  ): Promise<void> {
    const { disk } = await this.#deps.lookup.byId(id);
    await this.#deps.turns.take(disk.attached.imagePath, async () => {
      throwIfAborted(signal, doing);
      await action(await this.#deps.lookup.byId(id));
    });
  }

  /** What to wait for before unmounting: a growth of the volume would mount it again. */
  async #turnOf(id: HostVolumeId, path: string): Promise<string> {
    try {
      return (await this.#deps.lookup.byId(id)).disk.attached.imagePath;
    } catch {
      return `unmount ${path}`;
    }
  }

  async #deviceOf({ loop, partition }: Volume): Promise<PartitionDevice> {
    return this.#deps.partitions.deviceOf(loop, partition);
  }

  async #idOf(mount: MountEntry | undefined, path: string): Promise<HostVolumeId> {
    const id = mount === undefined ? undefined : await this.#deps.lookup.idOfDevice(mount.device);
    if (id !== undefined) return id;
    throw new StorageError('not-found', `no volume is mounted at ${path}`);
  }

  /** A disk that was unplugged while mounted goes with its last mount. */
  async #letGo({ device }: MountEntry): Promise<void> {
    const { mounts, table } = this.#deps;
    if (table.all().every(({ plugged }) => plugged) || (await mounts.of(device)).length > 0) return;
    await table.refresh();
  }
}

async function mountedStats(path: string): Promise<VolumeStats> {
  const { bfree, blocks, bsize } = await statfs(path, { bigint: true });
  return { totalBytes: blocks * bsize, usedBytes: (blocks - bfree) * bsize };
}

async function resolved(path: string): Promise<string> {
  requireAbsolute(path);
  return attempt(`find the volume at ${path}`, () => realpath(path));
}

async function syncDevice(path: string): Promise<void> {
  await withFile(path, 'r+', (file) => file.sync());
}
