/** One handler at work. */
export interface RunningCall {
  readonly method: string;
  readonly callId: string;
  /** What it holds locked. */
  readonly keys: readonly string[];
  readonly since: Date;
}

/** The handlers that have not settled yet, whether or not their callers still wait. */
export class RunningCalls {
  readonly #running = new Set<RunningCall>();
  readonly #waiting = new Set<() => void>();

  /** Gives the function to call when the handler has settled. */
  begin(call: RunningCall): () => void {
    this.#running.add(call);
    return () => {
      this.#running.delete(call);
      if (this.#running.size === 0) this.#wakeAll();
    };
  }

  list(): readonly RunningCall[] {
    return [...this.#running];
  }

  /** Waits until no handler runs, at most so long; false when some still do. */
  async settled(milliseconds: number): Promise<boolean> {
    if (this.#running.size === 0) return true;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(done, milliseconds);
      const waiting = this.#waiting;
      waiting.add(done);
      function done(): void {
        clearTimeout(timer);
        waiting.delete(done);
        resolve();
      }
    });
    return this.#running.size === 0;
  }

  #wakeAll(): void {
    for (const wake of [...this.#waiting]) wake();
  }
}
