import { access } from 'node:fs/promises';
import type { AttachedDisk } from '../../core/attach-folder.ts';
import { StorageError } from '../../core/errors.ts';
import { devicePath } from './loop-devices.ts';
import type { LoopDevices, LoopName } from './loop-devices.ts';
import { readMounts } from './mountinfo.ts';
import type { MountEntry } from './mountinfo.ts';
import type { OnlineRecords } from './online-records.ts';
import type { Partitions } from './partitions.ts';

export interface DiskPowerDeps {
  readonly loops: LoopDevices;
  readonly partitions: Partitions;
  readonly records: OnlineRecords;
}

/** A disk is online while its image is attached to a loop device. */
export class DiskPower {
  readonly #loops: LoopDevices;
  readonly #partitions: Partitions;
  readonly #records: OnlineRecords;

  constructor({ loops, partitions, records }: DiskPowerDeps) {
    this.#loops = loops;
    this.#partitions = partitions;
    this.#records = records;
  }

  /** The disk's loop device; `undefined` while it is offline. */
  async loopOf(disk: AttachedDisk): Promise<LoopName | undefined> {
    return this.#loops.find(disk.imagePath);
  }

  async online(disk: AttachedDisk): Promise<LoopName> {
    const attached = await this.loopOf(disk);
    if (attached !== undefined) return attached;
    await requireImage(disk);
    // Before the loop device: after a crash between the two it is known whose that device is.
    await this.#records.write({ disk });
    return this.#loops.attach(disk.imagePath);
  }

  /** Refused while a volume of the disk is mounted. */
  async offline(disk: AttachedDisk): Promise<void> {
    const loop = await this.loopOf(disk);
    if (loop !== undefined) {
      const [mount] = await this.mountsOf(loop);
      if (mount !== undefined) {
        throw new StorageError(
          'failed-precondition',
          `cannot take disk ${disk.serialNumber} (${devicePath(loop)}) offline: it is mounted at ${mount.mountPoint}; unmount it first`,
        );
      }
      await this.#partitions.forget(loop);
      await this.#loops.detach(loop);
    }
    await this.#records.remove(disk);
  }

  /** Mounts of the whole disk or any of its partitions. */
  async mountsOf(loop: LoopName): Promise<readonly MountEntry[]> {
    const devices = await this.#partitions.devicesOf(loop);
    return (await readMounts()).filter(({ device }) => devices.includes(device));
  }
}

async function requireImage({ imagePath, serialNumber, volumeId }: AttachedDisk): Promise<void> {
  try {
    await access(imagePath);
  } catch (cause) {
    throw new StorageError(
      'not-found',
      `cannot take disk ${serialNumber} online: its image ${imagePath} cannot be opened; ` +
        `is the pool mounted, and was volume ${volumeId} deleted while attached?`,
      { cause },
    );
  }
}
