/** What a series of measurements says, in the unit it was taken in. */
export interface Spread {
  readonly min: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

export function spreadOf(samples: readonly number[]): Spread {
  const sorted = [...samples].sort((one, other) => one - other);
  /** Nearest rank: always a value that was measured. */
  const percentile = (percent: number): number =>
    sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? Number.NaN;
  return { min: percentile(0), p50: percentile(50), p99: percentile(99), max: percentile(100) };
}

export const medianOf = (samples: readonly number[]): number => spreadOf(samples).p50;

export const sumOf = (numbers: readonly number[]): number =>
  numbers.reduce((total, number) => total + number, 0);

/** Milliseconds that `action` takes. */
export async function timed(action: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await action();
  return performance.now() - begin;
}

/** Runs `action` for 0 to `count` - 1, never more than `concurrency` at a time. Stops at the first failure. */
export async function inParallel(
  concurrency: number,
  count: number,
  action: (index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    try {
      while (next < count) await action(next++);
    } catch (error) {
      next = count;
      throw error;
    }
  };
  const outcomes = await Promise.allSettled(Array.from({ length: concurrency }, worker));
  const failure = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failure !== undefined) throw failure.reason;
}

/** `3.14 ms`, or `0.31 ms` where a third digit matters. */
export const milliseconds = (value: number): string => `${value.toFixed(value < 10 ? 2 : 0)} ms`;

/** `12,345` */
export const grouped = (value: number): string => Math.round(value).toLocaleString('en-US');
