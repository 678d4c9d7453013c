export interface BackOffOptions {
  readonly firstSeconds: number;
  readonly mostSeconds: number;
  /** 0 ≤ n < 1, for tests. */
  readonly random?: () => number;
}

/**
 * How long to wait before the next try: twice as long each time, up to a limit. Each wait is shortened by up to a half
 * at random, so that nodes that lost the same thing at the same time do not all come back at once.
 */
export class BackOff {
  readonly #options: BackOffOptions;
  readonly #random: () => number;
  #nextSeconds: number;

  constructor(options: BackOffOptions) {
    this.#options = options;
    this.#random = options.random ?? Math.random;
    this.#nextSeconds = Math.min(options.firstSeconds, options.mostSeconds);
  }

  /** Milliseconds to wait now. */
  next(): number {
    const seconds = this.#nextSeconds;
    this.#nextSeconds = Math.min(seconds * 2, this.#options.mostSeconds);
    return seconds * 1000 * (1 - this.#random() / 2);
  }

  /** It worked: the next failure begins anew. */
  reset(): void {
    this.#nextSeconds = Math.min(this.#options.firstSeconds, this.#options.mostSeconds);
  }
}
