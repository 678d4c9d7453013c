import { cancellable } from './cancellable.ts';

interface Run<Answer> {
  readonly answer: Promise<Answer>;
  readonly end: AbortController;
  askers: number;
}

/**
 * Many askers, few questions: whoever asks shares an answer whose making began after that, never an older one (law 2).
 * So at most one run is under way and one waits for it. A run that nobody waits for any more is cancelled.
 */
export class FreshAnswers<Answer> {
  readonly #ask: (signal: AbortSignal) => Promise<Answer>;
  readonly #doing: string;
  #running: Promise<unknown> = Promise.resolve();
  #waiting: Run<Answer> | undefined;

  /** `doing`: what is asked, for the message to a caller who gives up. */
  constructor(doing: string, ask: (signal: AbortSignal) => Promise<Answer>) {
    this.#doing = doing;
    this.#ask = ask;
  }

  async get(signal: AbortSignal): Promise<Answer> {
    const run = (this.#waiting ??= this.#line());
    run.askers += 1;
    try {
      return await cancellable(run.answer, signal, `the answer to ${this.#doing} came`);
    } finally {
      run.askers -= 1;
      if (run.askers === 0) this.#abandon(run);
    }
  }

  #line(): Run<Answer> {
    const end = new AbortController();
    const begin = (): Promise<Answer> => {
      if (this.#waiting === run) this.#waiting = undefined;
      end.signal.throwIfAborted();
      return this.#ask(end.signal);
    };
    const run: Run<Answer> = { answer: this.#running.then(begin, begin), end, askers: 0 };
    this.#running = run.answer;
    return run;
  }

  #abandon(run: Run<Answer>): void {
    if (this.#waiting === run) this.#waiting = undefined;
    run.end.abort();
  }
}
