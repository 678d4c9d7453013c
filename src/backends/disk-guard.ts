import { StorageError } from '../core/errors.ts';

/**
 * Who works on a disk: many may read it as the source of a copy, or one may change it. Nobody waits, the loser is
 * told `aborted` and comes back. The RPC layer has a lock per volume of its own; this one also covers sources, so
 * that no disk is attached or deleted while it is copied, whoever calls.
 */
export class DiskGuard {
  /** Readers by disk; `CHANGING` for the one that changes it. */
  readonly #held = new Map<string, number>();

  /** Runs `change` as the only one that works on `id`. */
  async changing<Result>(id: string, change: () => Promise<Result>): Promise<Result> {
    if (this.#held.has(id)) throw busy(id);
    this.#held.set(id, CHANGING);
    try {
      return await change();
    } finally {
      this.#held.delete(id);
    }
  }

  /** Runs `read` while nobody changes `id`. */
  async reading<Result>(id: string, read: () => Promise<Result>): Promise<Result> {
    const readers = this.#held.get(id) ?? 0;
    if (readers === CHANGING) throw busy(id);
    this.#held.set(id, readers + 1);
    try {
      return await read();
    } finally {
      this.#leave(id);
    }
  }

  #leave(id: string): void {
    const readers = (this.#held.get(id) ?? 0) - 1;
    if (readers > 0) this.#held.set(id, readers);
    else this.#held.delete(id);
  }
}

const CHANGING = -1;

const busy = (id: string): StorageError =>
  new StorageError('aborted', `another operation on ${id} is not finished: try again when it is`);
