/** So many at once, the others in the order they came. */
export class Slots {
  readonly #waiting = new Set<() => void>();
  #free: number;

  constructor(size: number) {
    this.#free = size;
  }

  /** Waits for a slot and gives the function that returns it. Rejects with the signal's reason when that comes first. */
  async take(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#free > 0) this.#free -= 1;
    else await this.#turn(signal);
    let held = true;
    return () => {
      if (held) this.#pass();
      held = false;
    };
  }

  /** A slot goes straight from hand to hand, so that nobody who comes later can take it in between. */
  #pass(): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#free += 1;
    else next();
  }

  #turn(signal: AbortSignal): Promise<void> {
    const waiting = this.#waiting;
    return new Promise((resolve, reject) => {
      function come(): void {
        leave();
        resolve();
      }
      function go(): void {
        leave();
        // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- the reason is the caller's own
        reject(signal.reason);
      }
      function leave(): void {
        waiting.delete(come);
        signal.removeEventListener('abort', go);
      }
      waiting.add(come);
      signal.addEventListener('abort', go, { once: true });
    });
  }
}
