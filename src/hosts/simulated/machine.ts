import { join } from 'node:path';
import { messageOf, StorageError } from '../../core/errors.ts';
import { BASIC_DATA_PARTITION_TYPE } from '../../core/gpt.ts';
import type { Gpt, GptPartition } from '../../core/gpt.ts';
import { hostVolumeIdOf } from '../../core/ids.ts';
import type { DiskNumber, HostVolumeId } from '../../core/ids.ts';
import type { Logger } from '../../core/ports/logger.ts';
import { makeRecordFolder } from '../../util/record-file.ts';
import { Turns } from '../../util/turns.ts';
import { readTable } from '../partition-table.ts';
import { DiskTable } from './disk-table.ts';
import type { SimulatedDisk } from './disk-table.ts';
import { LiveData } from './live-data.ts';
import { MountTable } from './mount-table.ts';
import { VolumeImage } from './volume-image.ts';

export interface MachineFolders {
  readonly attachDir: string;
  readonly stateDir: string;
}

/** A volume on a disk that is online. */
export interface SimulatedVolume {
  readonly id: HostVolumeId;
  readonly guid: string;
  readonly disk: SimulatedDisk;
  readonly gpt: Gpt;
  readonly partition: GptPartition;
}

/** The parts of the simulated machine as they are now. */
export interface Machine {
  readonly disks: DiskTable;
  readonly live: LiveData;
  readonly mounts: MountTable;
}

const TABLE_TURN = 'disk table';

/**
 * The simulated machine: whatever is asked of it, it first looks which disks are plugged in. What concerns one disk
 * is done one after the other.
 */
export class MachineRoom {
  readonly #folders: MachineFolders;
  readonly #log: Logger;
  readonly #turns = new Turns();
  readonly #disks: DiskTable;
  #machine: Machine | undefined;

  constructor(folders: MachineFolders, log: Logger) {
    this.#folders = folders;
    this.#log = log;
    this.#disks = new DiskTable(folders.attachDir, join(folders.stateDir, 'disks'), log);
  }

  /** The machine with the disks that are plugged in now; the files of volumes on others are gone. */
  async enter(): Promise<Machine> {
    return this.#turns.take(TABLE_TURN, async () => {
      this.#machine ??= await this.#start();
      const { disks, live } = this.#machine;
      await disks.refresh();
      for (const { guid, diskKey } of live.volumes()) {
        // Whatever works on the disk now may go on; the next look finds it idle.
        if (!disks.isUnplugged(diskKey) || this.#turns.isTaken(diskKey)) continue;
        await this.#turns.take(diskKey, () => live.discard(guid));
      }
      return this.#machine;
    });
  }

  /** Does something with a disk when its turn comes. */
  async withDisk<Result>(
    number: DiskNumber,
    action: (disk: SimulatedDisk, machine: Machine) => Promise<Result>,
  ): Promise<Result> {
    const { key } = (await this.enter()).disks.numbered(number);
    return this.#turns.take(key, async () => {
      const machine = await this.enter();
      return action(machine.disks.numbered(number), machine);
    });
  }

  /** Does something with a volume when the turn of its disk comes. */
  async withVolume<Result>(
    id: HostVolumeId,
    action: (volume: SimulatedVolume, machine: Machine) => Promise<Result>,
  ): Promise<Result> {
    const { disk } = await this.#find(id);
    return this.withDisk(disk.number, async (_disk, machine) => action(await this.#find(id), machine));
  }

  async #find(id: HostVolumeId): Promise<SimulatedVolume> {
    const { disks } = await this.enter();
    const volumes = await Promise.all(disks.disks.map((disk) => this.#volumesOrNone(disk)));
    const [found, second] = volumes.flat().filter((one) => one.id === id);
    if (found === undefined) {
      throw new StorageError(
        'not-found',
        `there is no volume ${id} on any disk that is online; rescan and look again`,
      );
    }
    if (second === undefined) return found;
    throw new StorageError(
      'failed-precondition',
      `volume ${id} is ambiguous: disks ${found.disk.attached.serialNumber} and ${second.disk.attached.serialNumber} ` +
        'carry the same GUID, one is a copy of the other; take one of them offline',
    );
  }

  /** One disk that cannot be read must not hide the volumes of all the others. */
  async #volumesOrNone(disk: SimulatedDisk): Promise<readonly SimulatedVolume[]> {
    try {
      return await volumesOn(disk);
    } catch (error) {
      this.#log.error({ disk: disk.attached, reason: messageOf(error) }, 'cannot read a partition table');
      return [];
    }
  }

  async #start(): Promise<Machine> {
    const { stateDir } = this.#folders;
    await makeRecordFolder(stateDir);
    const live = await LiveData.load(join(stateDir, 'data'), this.#log);
    const mounts = await MountTable.load(join(stateDir, 'mounts'), live.folder, this.#log);
    return { disks: this.#disks, live, mounts };
  }
}

/** The volumes of a disk in partition order; none while it is offline. */
export async function volumesOn(disk: SimulatedDisk): Promise<readonly SimulatedVolume[]> {
  if (!disk.online) return [];
  const table = await readTable(disk.attached.imagePath, disk.sizeBytes);
  if (table.kind !== 'gpt') return [];
  return table.gpt.partitions
    .filter(({ typeGuid }) => typeGuid === BASIC_DATA_PARTITION_TYPE)
    .map((partition) => ({
      id: hostVolumeIdOf(partition.uniqueGuid),
      guid: partition.uniqueGuid,
      disk,
      gpt: table.gpt,
      partition,
    }));
}

/** Opens the file system of a volume. */
export function withImage<Result>(
  { disk, partition }: Pick<SimulatedVolume, 'disk' | 'partition'>,
  action: (image: VolumeImage) => Promise<Result>,
): Promise<Result> {
  return VolumeImage.use(disk.attached.imagePath, partition, action);
}
