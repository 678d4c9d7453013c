import type { AttachedDisk } from '../../core/attach-folder.ts';
import { messageOf, StorageError } from '../../core/errors.ts';
import { asDiskNumber } from '../../core/ids.ts';
import type { DiskNumber } from '../../core/ids.ts';
import type { Logger } from '../../core/ports/logger.ts';
import { readAttachedDisks } from '../attached-disks.ts';
import type { DiskPower } from './disk-power.ts';
import type { Turns } from '../../util/turns.ts';

/** A disk this host has, or had and cannot let go of yet. */
export interface Disk {
  readonly number: DiskNumber;
  readonly attached: AttachedDisk;
  /** False when it was unplugged while a volume of it is mounted. */
  readonly plugged: boolean;
}

export interface DiskTableDeps {
  readonly power: DiskPower;
  readonly turns: Turns;
  readonly log: Logger;
}

/**
 * The disks plugged into this node's attach folder, each under a number that lasts as long as this process sees it.
 * A disk that is unplugged while mounted is no longer listed, but its volume is served until it is unmounted:
 * tearing the files away from a pod would gain nothing. Then its loop device goes too.
 */
export class DiskTable {
  readonly #attachDir: string;
  readonly #power: DiskPower;
  readonly #turns: Turns;
  readonly #log: Logger;
  readonly #disks = new Map<string, Disk>();
  /** Keys of disks that were plugged in, and may have to come online by themselves. */
  readonly #arriving = new Set<string>();
  /** Images of unplugged disks that are waited for. */
  readonly #busy = new Set<string>();
  /** 0 is the system's own disk, as on Windows. Never used twice: a stale number must not mean another disk. */
  #nextNumber = 1;

  constructor({ power, turns, log }: DiskTableDeps, attachDir: string) {
    this.#attachDir = attachDir;
    this.#power = power;
    this.#turns = turns;
    this.#log = log;
  }

  /** Disks that are plugged in. */
  plugged(): readonly Disk[] {
    return this.all().filter(({ plugged }) => plugged);
  }

  /** Those too that were unplugged while in use. */
  all(): readonly Disk[] {
    return [...this.#disks.values()];
  }

  get(number: DiskNumber): Disk {
    const disk = this.all().find((one) => one.number === number);
    if (disk !== undefined) return disk;
    throw new StorageError(
      'not-found',
      `there is no disk ${number} on this node: it was unplugged, or the number is from before a restart; list the disks again`,
    );
  }

  /** Takes in a disk that a process before this one knew, plugged in or not. */
  adopt(attached: AttachedDisk): void {
    this.#put(attached, false);
  }

  /** Looks into the attach folder for disks that came or went. */
  async refresh(): Promise<void> {
    // One after the other: an older look at the folder must not undo a newer one.
    await this.#turns.take(this.#attachDir, async () => {
      const { disks, unreadable } = await readAttachedDisks(this.#attachDir, this.#log);
      const keys = new Set(disks.map(keyOf));
      for (const attached of disks) {
        if (this.#disks.get(keyOf(attached))?.plugged !== true) this.#arriving.add(keyOf(attached));
        this.#put(attached, true);
      }
      for (const [key, disk] of this.#disks) {
        if (!keys.has(key) && !unreadable.has(disk.attached.volumeId)) await this.#unplug(key, disk);
      }
      // After those that went: an image may have moved from one disk to another.
      await Promise.all([...this.#arriving].map((key) => this.#arrive(key)));
    });
  }

  #put(attached: AttachedDisk, plugged: boolean): void {
    const key = keyOf(attached);
    const number = this.#disks.get(key)?.number ?? asDiskNumber(this.#nextNumber++);
    this.#disks.set(key, { number, attached, plugged });
  }

  /** Tried again with the next look when it fails. */
  async #arrive(key: string): Promise<void> {
    const attached = this.#disks.get(key)?.attached;
    if (attached === undefined || this.#turns.isTaken(attached.imagePath)) return;
    try {
      await this.#turns.take(attached.imagePath, () => this.#power.arrive(attached));
      this.#arriving.delete(key);
    } catch (error) {
      this.#log.error({ disk: attached, reason: messageOf(error) }, 'cannot take a new disk online yet');
    }
  }

  async #unplug(key: string, disk: Disk): Promise<void> {
    const { attached } = disk;
    this.#arriving.delete(key);
    this.#disks.set(key, { ...disk, plugged: false });
    if (this.#turns.isTaken(attached.imagePath)) {
      this.#lookWhenIdle(attached.imagePath);
      return;
    }
    await this.#turns.take(attached.imagePath, async () => {
      if (this.#isShared(key, attached)) {
        this.#disks.delete(key);
        return;
      }
      const loop = await this.#power.loopOf(attached);
      if (loop !== undefined && (await this.#power.mountsOf(loop)).length > 0) return;
      try {
        await this.#power.letGo(attached);
        this.#disks.delete(key);
      } catch (error) {
        this.#log.error(
          { disk: attached, reason: messageOf(error) },
          'cannot let go of an unplugged disk yet',
        );
      }
    });
  }

  /** Whatever works on a disk may go on after it was unplugged; nobody may ask for disks when it has ended. */
  #lookWhenIdle(imagePath: string): void {
    if (this.#busy.has(imagePath)) return;
    this.#busy.add(imagePath);
    const idle = this.#turns.take(imagePath, () => Promise.resolve());
    void idle
      .then(() => {
        this.#busy.delete(imagePath);
        return this.refresh();
      })
      .catch((error: unknown) => {
        this.#log.error({ imagePath, reason: messageOf(error) }, 'cannot look for unplugged disks');
      });
  }

  /** True when the same image is plugged in as another disk, whose loop device it is then. */
  #isShared(key: string, { imagePath }: AttachedDisk): boolean {
    return [...this.#disks].some(
      ([other, disk]) => other !== key && disk.plugged && disk.attached.imagePath === imagePath,
    );
  }
}

/** A volume made again under its old id is another disk. */
const keyOf = ({ volumeId, serialNumber, imagePath }: AttachedDisk): string =>
  JSON.stringify([volumeId, serialNumber, imagePath]);
