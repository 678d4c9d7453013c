/** One finding: what was looked at, what was found, and what to do when it is not good. */
export interface Finding {
  readonly state: 'ok' | 'note' | 'bad';
  readonly subject: string;
  readonly found: string;
  readonly mend?: string;
}

const MARKS: Readonly<Record<Finding['state'], string>> = { ok: '✔', note: '·', bad: '✘' };

export function printFinding(
  { state, subject, found, mend }: Finding,
  out: { write(text: string): unknown },
): void {
  out.write(`${MARKS[state]} ${subject.padEnd(14)} ${found}\n`);
  if (mend !== undefined) out.write(`  ${' '.repeat(14)} → ${mend}\n`);
}
