import { join } from 'node:path';
import type { AttachedDisk } from '../../core/attach-folder.ts';
import { messageOf, StorageError } from '../../core/errors.ts';
import type { DiskNumber, HostVolumeId } from '../../core/ids.ts';
import type { Logger } from '../../core/ports/logger.ts';
import { makeRecordFolder } from '../../util/record-file.ts';
import { Turns } from '../../util/turns.ts';
import type { SanPolicy } from '../san-policy.ts';
import { DiskTable } from './disk-table.ts';
import type { SimulatedDisk } from './disk-table.ts';
import { LiveData } from './live-data.ts';
import { MountTable } from './mount-table.ts';
import { bringBack, volumesOn } from './simulated-volume.ts';
import type { SimulatedVolume } from './simulated-volume.ts';

export interface MachineOptions {
  readonly attachDir: string;
  /** Disks that are plugged in by other ways than the attach folder; none by default. */
  readonly otherDisks?: () => Promise<readonly AttachedDisk[]>;
  readonly stateDir: string;
  /** How new disks arrive; `offline` by default. */
  readonly sanPolicy?: SanPolicy;
}

/** The parts of the simulated machine as they are now. */
export interface Machine {
  readonly disks: DiskTable;
  readonly live: LiveData;
  readonly mounts: MountTable;
}

const NO_DISKS = (): Promise<readonly AttachedDisk[]> => Promise.resolve([]);

const TABLE_TURN = 'disk table';

/**
 * The simulated machine: whatever is asked of it, it first looks which disks are plugged in. What concerns one disk
 * is done one after the other.
 */
export class MachineRoom {
  readonly #options: MachineOptions;
  readonly #log: Logger;
  readonly #turns = new Turns();
  readonly #disks: DiskTable;
  /** Disks that came online by themselves, and whose mount points have not found them again yet. */
  readonly #arriving = new Map<string, SimulatedDisk>();
  #machine: Machine | undefined;

  constructor(options: MachineOptions, log: Logger) {
    this.#options = options;
    this.#log = log;
    const { attachDir, otherDisks = NO_DISKS, stateDir, sanPolicy = 'offline' } = options;
    this.#disks = new DiskTable({ attachDir, otherDisks, stateDir: join(stateDir, 'disks'), sanPolicy }, log);
  }

  /** The machine with the disks that are plugged in now; the files of volumes on others are gone. */
  async enter(): Promise<Machine> {
    return this.#turns.take(TABLE_TURN, async () => {
      this.#machine ??= await this.#start();
      const { disks, live } = this.#machine;
      for (const disk of await disks.refresh()) this.#arriving.set(disk.key, disk);
      for (const { guid, diskKey } of live.volumes()) {
        // Whatever works on the disk now may go on; the next look finds it idle.
        if (!disks.isUnplugged(diskKey) || this.#turns.isTaken(diskKey)) continue;
        await this.#turns.take(diskKey, () => live.discard(guid));
      }
      await this.#arrive(this.#machine);
      return this.#machine;
    });
  }

  async #arrive(machine: Machine): Promise<void> {
    for (const [key, disk] of this.#arriving) {
      if (this.#turns.isTaken(key)) continue;
      this.#arriving.delete(key);
      if (!machine.disks.disks.includes(disk)) continue;
      try {
        await this.#turns.take(key, () => bringBack(disk, machine));
      } catch (error) {
        const reason = messageOf(error);
        this.#log.error({ disk: disk.attached, reason }, 'cannot bring the files of a new disk into use');
      }
    }
  }

  /** Does something with a disk when its turn comes. */
  async withDisk<Result>(
    number: DiskNumber,
    action: (disk: SimulatedDisk, machine: Machine) => Promise<Result>,
  ): Promise<Result> {
    const { key } = (await this.enter()).disks.numbered(number);
    return this.#turns.take(key, async () => {
      const machine = await this.enter();
      const disk = machine.disks.numbered(number);
      await machine.disks.recallState(disk);
      return action(disk, machine);
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
    const { stateDir } = this.#options;
    await makeRecordFolder(stateDir);
    const live = await LiveData.load(join(stateDir, 'data'), this.#log);
    const mounts = await MountTable.load(join(stateDir, 'mounts'), live.folder, this.#log);
    return { disks: this.#disks, live, mounts };
  }
}
