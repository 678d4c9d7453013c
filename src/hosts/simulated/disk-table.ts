import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { AttachedDisk } from '../../core/attach-folder.ts';
import { messageOf, StorageError } from '../../core/errors.ts';
import { asDiskNumber } from '../../core/ids.ts';
import type { DiskNumber } from '../../core/ids.ts';
import type { Logger } from '../../core/ports/logger.ts';
import { sha256Hex } from '../../util/digest.ts';
import { makeRecordFolder, readRecord, removeRecord, writeRecord } from '../../util/record-file.ts';
import { readAttachedDisks } from '../attached-disks.ts';
import type { SanPolicy } from '../san-policy.ts';

/** A disk as this machine sees it. Its size is that of the last look. */
export interface SimulatedDisk {
  /** Names the disk in records: the same disk, the same key. */
  readonly key: string;
  readonly number: DiskNumber;
  readonly attached: AttachedDisk;
  sizeBytes: bigint;
  online: boolean;
}

export interface DiskTableOptions {
  readonly attachDir: string;
  /** Disks that are plugged in by other ways than the attach folder. */
  readonly otherDisks: () => Promise<readonly AttachedDisk[]>;
  /** Where the states of disks are remembered. */
  readonly stateDir: string;
  readonly sanPolicy: SanPolicy;
}

/** Disk 0 is the system's. */
const FIRST_NUMBER = 1;

/** The disks plugged into this machine. Numbers are handed out anew by each process, lowest free first, as on Windows. */
export class DiskTable {
  readonly #attachDir: string;
  readonly #otherDisks: () => Promise<readonly AttachedDisk[]>;
  readonly #stateDir: string;
  readonly #sanPolicy: SanPolicy;
  readonly #log: Logger;
  readonly #disks = new Map<string, SimulatedDisk>();
  /** Keys of the disks that the last look found plugged in; `undefined` when it could not tell of all. */
  #plugged: ReadonlySet<string> | undefined;

  constructor({ attachDir, otherDisks, stateDir, sanPolicy }: DiskTableOptions, log: Logger) {
    this.#attachDir = attachDir;
    this.#otherDisks = otherDisks;
    this.#stateDir = stateDir;
    this.#sanPolicy = sanPolicy;
    this.#log = log;
  }

  get disks(): readonly SimulatedDisk[] {
    return [...this.#disks.values()];
  }

  /** Only what is known: a disk whose record or image cannot be read right now was not unplugged. */
  isUnplugged(key: string): boolean {
    return this.#plugged?.has(key) === false;
  }

  numbered(number: DiskNumber): SimulatedDisk {
    const disk = this.disks.find((one) => one.number === number);
    if (disk === undefined)
      throw new StorageError('not-found', `there is no disk ${number}; rescan and look again`);
    return disk;
  }

  /** Under which number a disk is plugged in. */
  numberOf(attached: AttachedDisk): DiskNumber | undefined {
    return this.#disks.get(keyOf(attached))?.number;
  }

  /** Takes up disks that were plugged in and drops those that were unplugged. Gives those that came online by themselves. */
  async refresh(): Promise<readonly SimulatedDisk[]> {
    const { disks, unreadable } = await readAttachedDisks(this.#attachDir, this.#log);
    const all = [...disks, ...(await this.#otherDisks())];
    const byKey = new Map(all.map((disk) => [keyOf(disk), disk]));
    for (const [key, { attached }] of this.#disks) {
      if (!byKey.has(key) && !unreadable.has(attached.volumeId)) this.#disks.delete(key);
    }
    this.#plugged = unreadable.size > 0 ? undefined : new Set(byKey.keys());
    await this.#forgetStates();
    const arrived: SimulatedDisk[] = [];
    for (const [key, attached] of byKey) {
      if (this.#disks.has(key)) continue;
      const disk = await this.#takeUp(key, attached);
      if (disk !== undefined) arrived.push(disk);
    }
    return arrived;
  }

  async readSizes(): Promise<void> {
    for (const disk of this.#disks.values()) {
      try {
        disk.sizeBytes = await imageBytes(disk.attached);
      } catch (error) {
        this.#log.error({ disk: disk.attached, reason: messageOf(error) }, 'cannot read the size of a disk');
      }
    }
  }

  async setOnline(disk: SimulatedDisk, online: boolean): Promise<void> {
    const { serialNumber } = disk.attached;
    await writeRecord(this.#stateOf(disk.key), { schema: 1, serialNumber, online });
    disk.online = online;
  }

  /** In the disk's turn: somebody else on this machine may have taken it online or offline. */
  async recallState(disk: SimulatedDisk): Promise<void> {
    disk.online = (await this.#lastState(disk.key)) ?? disk.online;
  }

  async #takeUp(key: string, attached: AttachedDisk): Promise<SimulatedDisk | undefined> {
    try {
      const sizeBytes = await imageBytes(attached);
      const online = await this.#lastState(key);
      const disk = { key, number: this.#freeNumber(), attached, sizeBytes, online: online ?? false };
      const arrives = online === undefined && this.#sanPolicy === 'online';
      if (arrives) await this.setOnline(disk, true);
      this.#disks.set(key, disk);
      return arrives ? disk : undefined;
    } catch (error) {
      this.#log.error(
        { volumeId: attached.volumeId, imagePath: attached.imagePath, reason: messageOf(error) },
        'ignored an attached disk: its image cannot be read',
      );
      return undefined;
    }
  }

  #freeNumber(): DiskNumber {
    const taken = new Set<number>(this.disks.map(({ number }) => number));
    let number = FIRST_NUMBER;
    while (taken.has(number)) number += 1;
    return asDiskNumber(number);
  }

  /** None of a new disk, nor of one whose record cannot be read. */
  async #lastState(key: string): Promise<boolean | undefined> {
    const record = (await readRecord(this.#stateOf(key)).catch(() => undefined)) as
      { online?: unknown } | undefined;
    return typeof record?.online === 'boolean' ? record.online : undefined;
  }

  async #forgetStates(): Promise<void> {
    await makeRecordFolder(this.#stateDir);
    for (const name of await readdir(this.#stateDir)) {
      const key = /^(\w+)\.json$/.exec(name)?.[1];
      if (key !== undefined && this.isUnplugged(key)) await removeRecord(join(this.#stateDir, name));
    }
  }

  #stateOf(key: string): string {
    return join(this.#stateDir, `${key}.json`);
  }
}

function keyOf({ volumeId, serialNumber }: AttachedDisk): string {
  return sha256Hex(JSON.stringify([volumeId, serialNumber]), 32);
}

async function imageBytes({ imagePath }: AttachedDisk): Promise<bigint> {
  return (await stat(imagePath, { bigint: true })).size;
}
