/**
 * At most one holder per key, and nobody waits: CSI answers `ABORTED` and the caller comes back. Taken and
 * released in the same tick as it is checked, so two callers can never both pass.
 */
export class KeyedLock {
  readonly #held = new Map<string, string>();

  /** Takes all keys or none. Gives the function that releases them, or the first key in use and who holds it. */
  tryAcquire(keys: readonly string[], holder: string): LockResult {
    const wanted = [...new Set(keys)];
    const busy = wanted.find((key) => this.#held.has(key));
    if (busy !== undefined) return { acquired: false, key: busy, holder: this.#held.get(busy) ?? '' };
    for (const key of wanted) this.#held.set(key, holder);
    let released = false;
    return {
      acquired: true,
      release: () => {
        if (released) return;
        released = true;
        for (const key of wanted) this.#held.delete(key);
      },
    };
  }

  /** How many keys are held. */
  get size(): number {
    return this.#held.size;
  }
}

export type LockResult =
  | { readonly acquired: true; readonly release: () => void }
  | { readonly acquired: false; readonly key: string; readonly holder: string };
