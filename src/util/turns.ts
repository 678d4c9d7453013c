/** Runs what is asked for one key one after the other, and for different keys at the same time. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Waits until everything asked before for this key has ended, well or not. */
  async take<Result>(key: string, action: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const turn = before.then(action, action);
    this.#last.set(key, turn);
    try {
      return await turn;
    } finally {
      if (this.#last.get(key) === turn) this.#last.delete(key);
    }
  }

  /** True while something for this key runs or waits. */
  isTaken(key: string): boolean {
    return this.#last.has(key);
  }
}
