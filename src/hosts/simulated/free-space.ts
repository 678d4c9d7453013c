import { StorageError } from '../../core/errors.ts';

/** A piece of a volume: bytes from the start of its partition, whole clusters but for the length. */
export type Extent = readonly [offset: number, bytes: number];

/** The simulated file system's unit of space, that of NTFS. */
export const CLUSTER_BYTES = 4096;

export const wholeClusters = (bytes: number): number => Math.ceil(bytes / CLUSTER_BYTES) * CLUSTER_BYTES;

/** What is not in use between two bytes of a volume. What has been handed out is not handed out again. */
export class FreeSpace {
  #gaps: [start: number, end: number][] = [];

  constructor(start: number, end: number, used: readonly Extent[]) {
    let at = start;
    for (const [offset, bytes] of [...used].sort(([one], [other]) => one - other)) {
      if (offset > at) this.#gaps.push([at, offset]);
      at = Math.max(at, offset + wholeClusters(bytes));
    }
    if (end > at) this.#gaps.push([at, end]);
  }

  get bytes(): number {
    return this.#gaps.reduce((sum, [start, end]) => sum + end - start, 0);
  }

  /** Space for `bytes`, in as many pieces as it takes, lowest first. `resource-exhausted` when there is too little. */
  allocate(bytes: number): readonly Extent[] {
    if (wholeClusters(bytes) > this.bytes) throw this.#tooLittle(bytes);
    const extents: Extent[] = [];
    for (let left = bytes; left > 0;) {
      const gap = this.#gaps[0];
      if (gap === undefined) throw this.#tooLittle(left);
      const piece = Math.min(left, gap[1] - gap[0]);
      extents.push(this.#take(gap, piece));
      left -= piece;
    }
    return extents;
  }

  /** Space for `bytes` in one piece. */
  allocateWhole(bytes: number): Extent {
    const gap = this.#gaps.find(([start, end]) => end - start >= wholeClusters(bytes));
    if (gap === undefined) throw this.#tooLittle(bytes);
    return this.#take(gap, bytes);
  }

  #take(gap: [number, number], bytes: number): Extent {
    const extent: Extent = [gap[0], bytes];
    gap[0] += wholeClusters(bytes);
    this.#gaps = this.#gaps.filter(([start, end]) => start < end);
    return extent;
  }

  #tooLittle(bytes: number): StorageError {
    return new StorageError(
      'resource-exhausted',
      `the volume is full: ${bytes} bytes are to be written and ${this.bytes} are free; delete files or grow the volume`,
    );
  }
}
