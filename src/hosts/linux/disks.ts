import { stat } from 'node:fs/promises';
import { diskByPage83 } from '../../core/disk-by-page83.ts';
import { messageOf, StorageError, throwIfAborted } from '../../core/errors.ts';
import { basicPartition, windowsLayout } from '../../core/gpt.ts';
import { attempt } from '../../core/platform-errors.ts';
import type { DiskNumber } from '../../core/ids.ts';
import type { DiskIds, DiskLocation, HostDisks } from '../../core/ports/host-storage.ts';
import type { Logger } from '../../core/ports/logger.ts';
import type { DiskPower } from './disk-power.ts';
import type { Disk, DiskTable } from './disk-table.ts';
import { devicePath } from './loop-devices.ts';
import type { LoopDevices } from './loop-devices.ts';
import { readTable, writeTable } from '../partition-table.ts';
import type { Partitions } from './partitions.ts';
import type { Turns } from '../../util/turns.ts';

export interface LinuxDisksDeps {
  readonly table: DiskTable;
  readonly power: DiskPower;
  readonly loops: LoopDevices;
  readonly partitions: Partitions;
  readonly turns: Turns;
  readonly log: Logger;
  readonly newGuid: () => string;
}

/** Disks are images plugged into the attach folder. */
export class LinuxDisks implements HostDisks {
  readonly #deps: LinuxDisksDeps;

  constructor(deps: LinuxDisksDeps) {
    this.#deps = deps;
  }

  async listDiskLocations(signal: AbortSignal): Promise<ReadonlyMap<DiskNumber, DiskLocation>> {
    const disks = await this.#listed(signal);
    const locationOf = ({ number }: Disk): DiskLocation => ({
      adapter: '0',
      bus: '0',
      target: '0',
      lun: `${number}`,
    });
    return new Map(disks.map((disk) => [disk.number, locationOf(disk)]));
  }

  async listDiskIds(signal: AbortSignal): Promise<ReadonlyMap<DiskNumber, DiskIds>> {
    const disks = await this.#listed(signal);
    return new Map(
      disks.map(({ number, attached: { page83, serialNumber } }) => [number, { page83, serialNumber }]),
    );
  }

  async getDiskNumberByPage83(page83: string, signal: AbortSignal): Promise<DiskNumber> {
    return diskByPage83(await this.listDiskIds(signal), page83);
  }

  async rescan(signal: AbortSignal): Promise<void> {
    const disks = await this.#listed(signal);
    await Promise.all(
      disks.map((disk) => this.#inTurn(disk, signal, 'rescan', () => this.#rescanDisk(disk))),
    );
  }

  async getDiskStats(number: DiskNumber, signal: AbortSignal): Promise<{ readonly totalBytes: bigint }> {
    throwIfAborted(signal, `measuring disk ${number}`);
    const { attached } = this.#deps.table.get(number);
    const loop = await this.#deps.power.loopOf(attached);
    return {
      totalBytes: await (loop === undefined
        ? imageBytes(attached.imagePath)
        : this.#deps.loops.sizeBytes(loop)),
    };
  }

  async getDiskState(number: DiskNumber, signal: AbortSignal): Promise<{ readonly online: boolean }> {
    throwIfAborted(signal, `looking at disk ${number}`);
    const loop = await this.#deps.power.loopOf(this.#deps.table.get(number).attached);
    return { online: loop !== undefined };
  }

  async setDiskState(number: DiskNumber, online: boolean, signal: AbortSignal): Promise<void> {
    const { power, table } = this.#deps;
    const disk = table.get(number);
    await this.#inTurn(disk, signal, `taking disk ${number} ${online ? 'online' : 'offline'}`, async () => {
      if (online) await power.online(disk.attached);
      else await power.offline(disk.attached);
    });
  }

  async partitionDisk(number: DiskNumber, signal: AbortSignal): Promise<void> {
    const disk = this.#deps.table.get(number);
    await this.#inTurn(disk, signal, `partitioning disk ${number}`, () => this.#partition(disk));
  }

  /**
   * A raw disk gets Windows' layout; what a crash left half-written is finished with the GUIDs it began with; a
   * disk that has a data partition is left alone, online or not. Anything else is somebody's and refused.
   */
  async #partition({ number, attached }: Disk): Promise<void> {
    const { loops, newGuid, partitions, power } = this.#deps;
    const before = await power.loopOf(attached);
    const state = await readTable(
      before === undefined ? attached.imagePath : devicePath(before),
      before === undefined ? await imageBytes(attached.imagePath) : await loops.sizeBytes(before),
    );
    if (state.kind === 'foreign') throw refused(number, attached.imagePath, state.found);
    if (state.kind === 'gpt' && basicPartition(state.gpt) !== undefined) return;
    if (state.kind === 'gpt')
      throw refused(number, attached.imagePath, 'a GPT without a basic-data partition');
    const loop = await power.online(attached);
    const diskBytes = await loops.sizeBytes(loop);
    const gpt = state.kind === 'half-written' ? state.gpt : windowsLayout(diskBytes, newGuid);
    await writeTable(devicePath(loop), gpt, diskBytes);
    await partitions.refresh(loop);
  }

  /** One disk that cannot be read must not keep all the others from being seen as they are. */
  async #rescanDisk({ attached }: Disk): Promise<void> {
    const { log, loops, power } = this.#deps;
    try {
      const loop = await power.loopOf(attached);
      if (loop === undefined) return;
      const sectors = (await imageBytes(attached.imagePath)) / 512n;
      if (sectors * 512n !== (await loops.sizeBytes(loop))) await loops.refreshSize(loop);
    } catch (error) {
      log.error({ disk: attached, reason: messageOf(error) }, 'cannot read the size of a disk');
    }
  }

  async #listed(signal: AbortSignal): Promise<readonly Disk[]> {
    throwIfAborted(signal, 'listing disks');
    await this.#deps.table.refresh();
    return this.#deps.table.plugged();
  }

  async #inTurn(disk: Disk, signal: AbortSignal, doing: string, action: () => Promise<void>): Promise<void> {
    await this.#deps.turns.take(disk.attached.imagePath, async () => {
      throwIfAborted(signal, doing);
      await action();
    });
  }
}

async function imageBytes(imagePath: string): Promise<bigint> {
  return attempt(`measure the disk image ${imagePath}`, async () => BigInt((await stat(imagePath)).size));
}

function refused(number: DiskNumber, imagePath: string, found: string): StorageError {
  return new StorageError(
    'failed-precondition',
    `will not partition disk ${number} (${imagePath}): it holds ${found}; ` +
      'if nobody needs that, wipe the start and the end of the disk',
  );
}
