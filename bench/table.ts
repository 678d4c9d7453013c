/** `none`: there is no aim, or it was not run. */
export type Verdict = 'met' | 'missed' | 'none';

export interface Row {
  readonly what: string;
  readonly measured: string;
  /** Aim or budget; empty when there is none. */
  readonly aim: string;
  readonly verdict: Verdict;
}

export const NEEDS_ROOT = 'not run: needs root';

const MARKS = { met: '✔', missed: '✘', none: '–' } as const satisfies Record<Verdict, string>;
const HEADER = ['what', 'measured', 'aim or budget', ''] as const;

export const verdictOf = (isMet: boolean): Verdict => (isMet ? 'met' : 'missed');

/** A Markdown table, with its columns aligned for a terminal. */
export function formatTable(rows: readonly Row[]): string {
  const cells = rows.map(({ what, measured, aim, verdict }) => [what, measured, aim || '–', MARKS[verdict]]);
  const all = [HEADER, ...cells];
  const widths = HEADER.map((_title, column) =>
    Math.max(1, ...all.map((line) => (line[column] ?? '').length)),
  );
  const format = (line: readonly string[]): string =>
    `| ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`;
  return [format(HEADER), rule, ...cells.map(format)].join('\n');
}
