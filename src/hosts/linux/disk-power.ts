import { access } from 'node:fs/promises';
import type { AttachedDisk } from '../../core/attach-folder.ts';
import { StorageError } from '../../core/errors.ts';
import { devicePath } from './loop-devices.ts';
import type { LoopDevices, LoopName } from './loop-devices.ts';
import { readMounts } from './mountinfo.ts';
import type { MountEntry } from './mountinfo.ts';
import type { OnlineRecords } from './online-records.ts';
import type { Partitions } from './partitions.ts';
import type { SanPolicy } from '../san-policy.ts';

export interface DiskPowerDeps {
  readonly loops: LoopDevices;
  readonly partitions: Partitions;
  readonly records: OnlineRecords;
  readonly sanPolicy: SanPolicy;
}

/** A disk is online while its image is attached to a loop device. */
export class DiskPower {
  readonly #loops: LoopDevices;
  readonly #partitions: Partitions;
  readonly #records: OnlineRecords;
  readonly #sanPolicy: SanPolicy;

  constructor({ loops, partitions, records, sanPolicy }: DiskPowerDeps) {
    this.#loops = loops;
    this.#partitions = partitions;
    this.#records = records;
    this.#sanPolicy = sanPolicy;
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

  /** Of a disk that was plugged in: takes it online where disks come online by themselves. */
  async arrive(disk: AttachedDisk): Promise<void> {
    if (this.#sanPolicy === 'online' && !(await this.#records.holdsOffline(disk))) await this.online(disk);
  }

  /** By hand. Refused while a volume of the disk is mounted. */
  async offline(disk: AttachedDisk): Promise<void> {
    await this.#detach(disk);
    if (this.#sanPolicy === 'online') await this.#records.write({ disk, offline: true });
    else await this.#records.remove(disk);
  }

  /** Keeps nothing of a disk that was unplugged. Refused while a volume of it is mounted. */
  async letGo(disk: AttachedDisk): Promise<void> {
    await this.#detach(disk);
    await this.#records.remove(disk);
  }

  async #detach(disk: AttachedDisk): Promise<void> {
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
