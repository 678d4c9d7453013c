import type { ImageFile } from '../../src/hosts/simulated/volume-image.ts';

interface Write {
  readonly position: number;
  readonly bytes: Uint8Array;
}

const SECTOR_BYTES = 512;

/**
 * An image in memory that remembers what was written to it since it was made, and when it was synced: a disk that
 * can lose its power at any moment.
 */
export class CrashingImage implements ImageFile {
  readonly #before: Uint8Array;
  readonly #now: Uint8Array;
  readonly #log: (Write | 'sync')[] = [];

  constructor(bytes: Uint8Array) {
    this.#before = bytes.slice();
    this.#now = bytes.slice();
  }

  /** Writes and syncs so far: the moments at which the power may fail. */
  get moments(): number {
    return this.#log.length;
  }

  get bytes(): Uint8Array {
    return this.#now;
  }

  read(position: number, bytes: number): Promise<Uint8Array> {
    return Promise.resolve(this.#now.slice(position, position + bytes));
  }

  write(position: number, bytes: Uint8Array): Promise<void> {
    this.#log.push({ position, bytes: bytes.slice() });
    this.#now.set(bytes, position);
    return Promise.resolve();
  }

  sync(): Promise<void> {
    this.#log.push('sync');
    return Promise.resolve();
  }

  /**
   * What is on the disk when the power fails at a moment: all that was synced before, and of the sectors written
   * since any that `reached` says, in any order.
   */
  afterPowerFailure(moment: number, reached: () => boolean): Uint8Array {
    const disk = this.#before.slice();
    const past = this.#log.slice(0, moment);
    const synced = past.lastIndexOf('sync');
    past.forEach((step, index) => {
      if (step === 'sync') return;
      for (let at = 0; at < step.bytes.length; at += SECTOR_BYTES) {
        if (index > synced && !reached()) continue;
        disk.set(step.bytes.subarray(at, at + SECTOR_BYTES), step.position + at);
      }
    });
    return disk;
  }
}
