import { randomUUID } from 'node:crypto';
import { diskByPage83 } from '../../core/disk-by-page83.ts';
import { StorageError, throwIfAborted } from '../../core/errors.ts';
import { RESERVED_PARTITION_TYPE, basicPartition, windowsLayout } from '../../core/gpt.ts';
import type { DiskNumber } from '../../core/ids.ts';
import { attempt } from '../../core/platform-errors.ts';
import type { DiskIds, DiskLocation, HostDisks } from '../../core/ports/host-storage.ts';
import { readTable, writeTable } from '../partition-table.ts';
import type { SimulatedDisk } from './disk-table.ts';
import type { Machine, MachineRoom } from './machine.ts';
import { bringBack, volumesOn, withImage } from './simulated-volume.ts';

/** Disks of the simulated machine: images, with a real partition table in each. */
export class SimulatedDisks implements HostDisks {
  readonly #room: MachineRoom;

  constructor(room: MachineRoom) {
    this.#room = room;
  }

  async listDiskLocations(_signal: AbortSignal): Promise<ReadonlyMap<DiskNumber, DiskLocation>> {
    return attempt('list the disks', async () => {
      const { disks } = await this.#room.enter();
      const place = { adapter: '0', bus: '0', target: '0' };
      return new Map(disks.disks.map(({ number }) => [number, { ...place, lun: number.toString() }]));
    });
  }

  async listDiskIds(_signal: AbortSignal): Promise<ReadonlyMap<DiskNumber, DiskIds>> {
    return attempt('list the disks', async () => {
      const { disks } = await this.#room.enter();
      return new Map(
        disks.disks.map(({ number, attached: { serialNumber, page83 } }) => [
          number,
          { serialNumber, page83 },
        ]),
      );
    });
  }

  async getDiskNumberByPage83(page83: string, signal: AbortSignal): Promise<DiskNumber> {
    return diskByPage83(await this.listDiskIds(signal), page83);
  }

  async rescan(signal: AbortSignal): Promise<void> {
    throwIfAborted(signal, 'a rescan');
    await attempt('rescan', async () => {
      const { disks } = await this.#room.enter();
      await disks.readSizes();
    });
  }

  async getDiskStats(number: DiskNumber, _signal: AbortSignal): Promise<{ readonly totalBytes: bigint }> {
    return attempt(`read the size of disk ${number}`, () =>
      this.#room.withDisk(number, (disk) => Promise.resolve({ totalBytes: disk.sizeBytes })),
    );
  }

  async getDiskState(number: DiskNumber, _signal: AbortSignal): Promise<{ readonly online: boolean }> {
    return attempt(`read the state of disk ${number}`, () =>
      this.#room.withDisk(number, (disk) => Promise.resolve({ online: disk.online })),
    );
  }

  async setDiskState(number: DiskNumber, online: boolean, signal: AbortSignal): Promise<void> {
    const doing = `take disk ${number} ${online ? 'online' : 'offline'}`;
    await attempt(doing, () =>
      this.#room.withDisk(number, async (disk, machine) => {
        throwIfAborted(signal, doing);
        if (disk.online === online) return;
        if (!online) await putAway(disk, machine);
        await machine.disks.setOnline(disk, online);
        if (online) await bringBack(disk, machine);
      }),
    );
  }

  async partitionDisk(number: DiskNumber, signal: AbortSignal): Promise<void> {
    await attempt(`partition disk ${number}`, () =>
      this.#room.withDisk(number, async (disk) => {
        throwIfAborted(signal, `partitioning disk ${number}`);
        await partition(disk);
      }),
    );
  }
}

/** Flushes the volumes of a disk that goes offline; mounts of them dangle until it is back. */
async function putAway(disk: SimulatedDisk, { live }: Machine): Promise<void> {
  for (const volume of await volumesOn(disk)) {
    await withImage(volume, (image) => live.flush(volume.guid, image));
    await live.discard(volume.guid);
  }
}

async function partition({
  attached: { imagePath },
  number,
  sizeBytes,
  online,
}: SimulatedDisk): Promise<void> {
  const table = await readTable(imagePath, sizeBytes);
  if (table.kind === 'gpt' && basicPartition(table.gpt) !== undefined) return;
  if (!online) {
    throw new StorageError(
      'failed-precondition',
      `disk ${number} is offline and not partitioned: take it online first`,
    );
  }
  if (table.kind === 'half-written') return writeTable(imagePath, table.gpt, sizeBytes);
  if (table.kind === 'foreign') {
    throw new StorageError(
      'failed-precondition',
      `disk ${number} holds ${table.found}: look at it before it is wiped`,
    );
  }
  if (
    table.kind === 'gpt' &&
    table.gpt.partitions.some(({ typeGuid }) => typeGuid !== RESERVED_PARTITION_TYPE)
  ) {
    throw new StorageError(
      'failed-precondition',
      `disk ${number} has partitions, but no basic data partition`,
    );
  }
  await writeTable(imagePath, windowsLayout(sizeBytes, randomUUID), sizeBytes);
}
