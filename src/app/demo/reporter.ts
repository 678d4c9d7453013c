/** Where the demo prints: a line a step, with its time and the host calls it made. */
export interface Output {
  write(text: string): unknown;
}

export interface StepResult {
  /** What was found, for people. */
  readonly found: string;
  /** Most host calls the step may make, where the design gives a budget. */
  readonly budget?: number;
}

interface DoneStep {
  readonly title: string;
  readonly milliseconds: number;
  readonly calls: number;
  readonly budget: number | undefined;
}

/** Runs the steps of the demo one after the other and keeps what each cost. */
export class Reporter {
  readonly #out: Output;
  readonly #hostCalls: () => Promise<number>;
  readonly #done: DoneStep[] = [];

  /** @param hostCalls host calls made so far, by the node that runs now */
  constructor(out: Output, hostCalls: () => Promise<number>) {
    this.#out = out;
    this.#hostCalls = hostCalls;
  }

  line(text: string): void {
    this.#out.write(`${text}\n`);
  }

  /** Runs one step and prints its line; a failure is printed with a cross and thrown on. */
  async step(title: string, action: () => Promise<StepResult>): Promise<void> {
    const callsBefore = await this.#hostCalls();
    const start = process.hrtime.bigint();
    try {
      const { found, budget } = await action();
      const milliseconds = Number((process.hrtime.bigint() - start) / 1_000_000n);
      const calls = Math.max(0, (await this.#hostCalls()) - callsBefore);
      this.#done.push({ title, milliseconds, calls, budget });
      if (budget !== undefined && calls > budget) {
        throw new Error(`${title} made ${calls} host calls, its budget is ${budget}`);
      }
      this.#print(
        '✔',
        title,
        milliseconds,
        calls === 0 && budget === undefined ? '' : callsText(calls, budget),
        found,
      );
    } catch (error) {
      this.#print('✘', title, Number((process.hrtime.bigint() - start) / 1_000_000n), '', '');
      throw error;
    }
  }

  summary(seconds: number): void {
    const calls = this.#done.reduce((sum, step) => sum + step.calls, 0);
    const budgeted = this.#done.filter((step) => step.budget !== undefined);
    this.line('');
    this.line(
      `${this.#done.length} steps in ${seconds.toFixed(1)} s, ${calls} host calls, ` +
        `${budgeted.length} operations within their call budget. Every check held.`,
    );
  }

  #print(mark: string, title: string, milliseconds: number, calls: string, found: string): void {
    this.line(
      `${mark} ${title.padEnd(34)} ${String(milliseconds).padStart(6)} ms ${calls.padStart(14)}  ${found}`.trimEnd(),
    );
  }
}

const callsText = (calls: number, budget: number | undefined): string =>
  budget === undefined ? `${calls} calls` : `${calls} of ${budget} calls`;
