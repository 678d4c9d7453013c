import type { Row } from '../../test/conformance/run-sequences.ts';

const MARKS = { passed: '✔', failed: '✘', 'not run': '–' } as const;

/** One line of the table: what was run, at which version, and how it ended. */
export function rowLine({ sequence, version, outcome, why, milliseconds }: Row): string {
  const what = [
    MARKS[outcome],
    sequence.id.padStart(4),
    sequence.group.padEnd(10),
    version.padEnd(8),
    sequence.title.padEnd(66),
  ].join(' ');
  if (outcome === 'passed') return `${what} ${milliseconds} ms`;
  return `${what} ${outcome === 'failed' ? 'FAILED: ' : 'not run: '}${why}`;
}

export interface Totals {
  readonly passed: number;
  readonly failed: number;
  readonly notRun: number;
}

export function totalsOf(rows: readonly Row[]): Totals {
  const count = (outcome: Row['outcome']): number => rows.filter((row) => row.outcome === outcome).length;
  return { passed: count('passed'), failed: count('failed'), notRun: count('not run') };
}

export const totalsText = ({ passed, failed, notRun }: Totals): string =>
  `${passed} passed, ${failed} failed, ${notRun} not run`;
