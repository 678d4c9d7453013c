const FIRST_MS = 100;
const LONGEST_MS = 5000;

export interface Chances {
  /** Milliseconds that only go forward. */
  readonly now: () => number;
  /** 0 up to 1. */
  readonly random: () => number;
}

/** How long not to try again after failures in a row: 100 ms to 5 s, with jitter, so that nodes do not try in step. */
export class BackOff {
  readonly #chances: Chances;
  #failures = 0;
  #until = -Infinity;

  constructor(chances: Chances) {
    this.#chances = chances;
  }

  get isWaiting(): boolean {
    return this.#chances.now() < this.#until;
  }

  failed(): void {
    const longest = Math.min(FIRST_MS * 2 ** this.#failures, LONGEST_MS);
    this.#failures += 1;
    this.#until = this.#chances.now() + longest * (0.5 + this.#chances.random() / 2);
  }

  succeeded(): void {
    this.#failures = 0;
    this.#until = -Infinity;
  }
}
