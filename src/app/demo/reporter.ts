import { type BudgetedOperation, CALL_BUDGETS } from '../../core/call-budgets.ts';

/** Where the demo prints: a line a step, with its time and the calls it made to CSI Proxy. */
export interface Output {
  write(text: string): unknown;
}

interface DoneStep {
  readonly title: string;
  readonly milliseconds: number;
  readonly calls: number;
  readonly operation: BudgetedOperation | undefined;
}

/** Runs the steps of the demo one after the other and keeps what each cost. */
export class Reporter {
  readonly #out: Output;
  readonly #calls: () => Promise<number>;
  readonly #done: DoneStep[] = [];

  /** @param calls calls that the proxies of the demo have answered so far */
  constructor(out: Output, calls: () => Promise<number>) {
    this.#out = out;
    this.#calls = calls;
  }

  line(text: string): void {
    this.#out.write(`${text}\n`);
  }

  /**
   * Runs one step, which gives what was found, and prints its line. A failure is printed with a cross and thrown on;
   * a budget that is exceeded has a cross and fails the demo at its end.
   */
  async step(title: string, action: () => Promise<string>, operation?: BudgetedOperation): Promise<void> {
    const callsBefore = await this.#calls();
    const start = process.hrtime.bigint();
    const elapsed = (): number => Number((process.hrtime.bigint() - start) / 1_000_000n);
    try {
      const found = await action();
      const milliseconds = elapsed();
      const calls = Math.max(0, (await this.#calls()) - callsBefore);
      const step = { title, milliseconds, calls, operation };
      this.#done.push(step);
      this.#print(isWithinBudget(step) ? '✔' : '✘', title, milliseconds, callsText(step), found);
    } catch (error) {
      this.#print('✘', title, elapsed(), '', '');
      throw error;
    }
  }

  /** What each operation cost at the server against its budget. Gives whether all were within theirs. */
  budgets(): boolean {
    const counted = this.#done.filter((step) => step.operation !== undefined);
    this.line('\nCalls counted at the proxy, per operation:');
    for (const [operation, budget] of Object.entries(CALL_BUDGETS)) {
      const steps = counted.filter((step) => step.operation === operation);
      if (steps.length === 0) continue;
      const most = Math.max(...steps.map(({ calls }) => calls));
      const times = steps.length === 1 ? '' : ` (the most of ${steps.length})`;
      const mark = most <= budget ? '✔' : '✘';
      this.line(`${mark} ${operation.padEnd(34)} ${String(most).padStart(3)} of ${budget}${times}`);
    }
    return counted.every(isWithinBudget);
  }

  summary(seconds: number, end: string): void {
    const calls = this.#done.reduce((sum, step) => sum + step.calls, 0);
    this.line(`\n${this.#done.length} steps in ${seconds.toFixed(1)} s, ${calls} calls to CSI Proxy. ${end}`);
  }

  #print(mark: string, title: string, milliseconds: number, calls: string, found: string): void {
    const line = `${mark} ${title.padEnd(34)} ${String(milliseconds).padStart(6)} ms ${calls.padStart(14)}  ${found}`;
    this.line(line.trimEnd());
  }
}

const isWithinBudget = ({ calls, operation }: DoneStep): boolean =>
  operation === undefined || calls <= CALL_BUDGETS[operation];

function callsText({ calls, operation }: DoneStep): string {
  if (operation !== undefined) return `${calls} of ${CALL_BUDGETS[operation]} calls`;
  return calls === 0 ? '' : `${calls} calls`;
}
