import { readFile, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { messageOf, StorageError } from '../../core/errors.ts';
import { BASIC_DATA_PARTITION_TYPE } from '../../core/gpt.ts';
import type { Gpt, GptPartition } from '../../core/gpt.ts';
import { hostVolumeIdOf } from '../../core/ids.ts';
import type { HostVolumeId } from '../../core/ids.ts';
import type { Logger } from '../../core/ports/logger.ts';
import type { DiskPower } from './disk-power.ts';
import type { Disk, DiskTable } from './disk-table.ts';
import { devicePath } from './loop-devices.ts';
import type { LoopDevices, LoopName } from './loop-devices.ts';
import { readTable } from '../partition-table.ts';

/** A volume on a disk that is online: a basic-data partition, formatted or not. */
export interface Volume {
  readonly id: HostVolumeId;
  readonly disk: Disk;
  readonly loop: LoopName;
  readonly gpt: Gpt;
  readonly partition: GptPartition;
  /** As Windows numbers it: from 1, the reserved partition included. */
  readonly partitionNumber: number;
}

export interface VolumeLookupDeps {
  readonly table: DiskTable;
  readonly power: DiskPower;
  readonly loops: LoopDevices;
  readonly log: Logger;
}

/**
 * Finds volumes by reading the partition tables of the disks that are online. A GUID proves nothing by itself: a
 * clone carries its source's, so two volumes with one id are an error, never a choice (law 2).
 */
export class VolumeLookup {
  readonly #table: DiskTable;
  readonly #power: DiskPower;
  readonly #loops: LoopDevices;
  readonly #log: Logger;

  constructor({ table, power, loops, log }: VolumeLookupDeps) {
    this.#table = table;
    this.#power = power;
    this.#loops = loops;
    this.#log = log;
  }

  /** In partition order; none on a disk that is offline or has no GPT. */
  async onDisk(disk: Disk): Promise<readonly Volume[]> {
    const loop = await this.#power.loopOf(disk.attached);
    if (loop === undefined) return [];
    return (await this.#volumesOf(loop)).map((volume) => ({ ...volume, disk, loop }));
  }

  async byId(id: HostVolumeId): Promise<Volume> {
    const wanted = id.toLowerCase();
    const volumes = await Promise.all(this.#table.all().map((disk) => this.#onDiskOrNone(disk)));
    const [found, second] = volumes.flat().filter((volume) => volume.id.toLowerCase() === wanted);
    if (found === undefined) {
      throw new StorageError(
        'not-found',
        `there is no volume ${id} on the disks that are online: was its disk unplugged or taken offline?`,
      );
    }
    if (second !== undefined) {
      throw new StorageError(
        'failed-precondition',
        `volume ${id} is ambiguous: disks ${found.disk.attached.serialNumber} (${found.disk.attached.imagePath}) and ` +
          `${second.disk.attached.serialNumber} (${second.disk.attached.imagePath}) carry the same GUID, ` +
          'one is a copy of the other; take one of them offline',
      );
    }
    return found;
  }

  /** The id of the volume on a partition that the mount table names `major:minor`; `undefined` when it holds none. */
  async idOfDevice(device: string): Promise<HostVolumeId | undefined> {
    const partition = await partitionOf(device);
    if (partition === undefined || (await this.#loops.imageOf(partition.loop)) === undefined)
      return undefined;
    const volumes = await this.#volumesOf(partition.loop);
    return volumes.find((volume) => volume.partition.firstLba === partition.firstLba)?.id;
  }

  async #onDiskOrNone(disk: Disk): Promise<readonly Volume[]> {
    try {
      return await this.onDisk(disk);
    } catch (error) {
      // One disk that cannot be read must not hide the volumes of all the others.
      this.#log.error(
        { disk: disk.attached, reason: messageOf(error) },
        'cannot read the partition table of a disk',
      );
      return [];
    }
  }

  async #volumesOf(loop: LoopName): Promise<readonly Omit<Volume, 'disk' | 'loop'>[]> {
    const state = await readTable(devicePath(loop), await this.#loops.sizeBytes(loop));
    if (state.kind !== 'gpt') return [];
    const { gpt } = state;
    return gpt.partitions.flatMap((partition, index) =>
      partition.typeGuid === BASIC_DATA_PARTITION_TYPE
        ? [{ id: hostVolumeIdOf(partition.uniqueGuid), gpt, partition, partitionNumber: index + 1 }]
        : [],
    );
  }
}

/** The loop device a partition device belongs to, and where on it the partition starts. */
async function partitionOf(
  device: string,
): Promise<{ readonly loop: LoopName; readonly firstLba: bigint } | undefined> {
  try {
    const folder = await realpath(join('/sys/dev/block', device));
    const loop = basename(dirname(folder));
    if (!loop.startsWith('loop')) return undefined;
    return { loop, firstLba: BigInt((await readFile(join(folder, 'start'), 'utf8')).trim()) };
  } catch {
    return undefined;
  }
}
