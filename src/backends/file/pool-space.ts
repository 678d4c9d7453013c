import { statfs } from 'node:fs/promises';
import { CAPACITY_STEP_BYTES } from '../../core/capacity.ts';
import { StorageError } from '../../core/errors.ts';
import { attempt } from '../../core/platform-errors.ts';

/** Bytes of the file system a pool is on. */
export interface FileSystemSpace {
  readonly totalBytes: bigint;
  /** Free for us: what is reserved for root is not. */
  readonly freeBytes: bigint;
}

async function readSpace(path: string): Promise<FileSystemSpace> {
  const { blocks, bavail, bsize } = await statfs(path, { bigint: true });
  return { totalBytes: blocks * bsize, freeBytes: bavail * bsize };
}

export interface PoolShare extends FileSystemSpace {
  /** Taken by others than this pool. */
  readonly othersBytes: bigint;
  /** Full size of every volume, and what every snapshot holds. */
  readonly promisedBytes: bigint;
  /** How often the same byte may be promised. */
  readonly overcommitRatio: number;
}

/**
 * What may still be promised, in whole steps, never negative. Two limits: the pool's share of the file system,
 * times the ratio, less what is promised; and what is free now, times the ratio, because others may have grown
 * since. With ratio 1 every promise can be kept, even when each volume is filled and each snapshot's source
 * overwritten. Images are sparse: what they have taken is in the first limit as promised and in the second as
 * not free.
 */
export function availableBytes(share: PoolShare): bigint {
  const ratio = (bytes: bigint): bigint => (bytes * BigInt(Math.round(share.overcommitRatio * 1000))) / 1000n;
  const unpromised = ratio(share.totalBytes - share.othersBytes) - share.promisedBytes;
  const free = ratio(share.freeBytes);
  const least = unpromised < free ? unpromised : free;
  return least <= 0n ? 0n : least - (least % CAPACITY_STEP_BYTES);
}

export interface PoolSpaceOptions {
  readonly poolDir: string;
  readonly overcommitRatio: number;
  /** What the pool's own images had taken when it was opened. */
  readonly allocatedBytes: bigint;
  /** What its records promise. */
  readonly promisedBytes: bigint;
}

/** Keeps account of what a pool has promised. */
export class PoolSpace {
  readonly #options: PoolSpaceOptions;
  readonly #othersBytes: bigint;
  #promisedBytes: bigint;

  private constructor(options: PoolSpaceOptions, othersBytes: bigint) {
    this.#options = options;
    this.#othersBytes = othersBytes;
    this.#promisedBytes = options.promisedBytes;
  }

  static async open(options: PoolSpaceOptions): Promise<PoolSpace> {
    const { totalBytes, freeBytes } = await readSpace(options.poolDir);
    const others = totalBytes - freeBytes - options.allocatedBytes;
    return new PoolSpace(options, others > 0n ? others : 0n); // Below zero: clones share what each counts as its own.
  }

  async available(): Promise<bigint> {
    const { poolDir } = this.#options;
    return this.#availableWith(await attempt(`measure the pool ${poolDir}`, () => readSpace(poolDir)));
  }

  /**
   * Runs steps that use `bytes` more of the pool; `resource-exhausted` when they are not available. They stay
   * promised until `release`, or until the steps fail.
   */
  async promising<Result>(bytes: bigint, trying: string, steps: () => Promise<Result>): Promise<Result> {
    return attempt(trying, async () => {
      await this.#promise(bytes, trying);
      try {
        return await steps();
      } catch (error) {
        this.release(bytes);
        throw error;
      }
    });
  }

  release(bytes: bigint): void {
    this.#promisedBytes -= bytes;
  }

  async #promise(bytes: bigint, trying: string): Promise<void> {
    const space = await readSpace(this.#options.poolDir);
    const available = this.#availableWith(space);
    if (bytes > available) {
      throw new StorageError(
        'resource-exhausted',
        `cannot ${trying}: it needs ${bytes} bytes and the pool ${this.#options.poolDir} has ${available} to give ` +
          `(${this.#promisedBytes} promised, ${space.freeBytes} of ${space.totalBytes} free, ` +
          `overcommit ratio ${this.#options.overcommitRatio}); delete volumes or snapshots, grow the file system, ` +
          'or raise --overcommit-ratio',
      );
    }
    this.#promisedBytes += bytes; // No await since it was measured: two callers cannot be given the same space.
  }

  #availableWith(space: FileSystemSpace): bigint {
    return availableBytes({
      ...space,
      othersBytes: this.#othersBytes,
      promisedBytes: this.#promisedBytes,
      overcommitRatio: this.#options.overcommitRatio,
    });
  }
}
