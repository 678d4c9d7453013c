import { Bench, type BenchOptions } from './bench.ts';
import type { Hands } from './hands.ts';
import type { Sequence } from './sequence.ts';
import type { Wire } from './wire.ts';

/** How one sequence ended at one version. */
export interface Row {
  readonly sequence: Sequence;
  readonly version: string;
  readonly outcome: 'passed' | 'failed' | 'not run';
  /** Why it failed, or what it needs. */
  readonly why: string;
  readonly milliseconds: number;
}

export interface Target extends BenchOptions {
  readonly wire: Wire;
  readonly hands: Hands;
}

/** Every sequence at every version it applies to, one after the other. A row is handed on as soon as it is known. */
export async function runSequences(
  target: Target,
  sequences: readonly Sequence[],
  ended: (row: Row) => void,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const sequence of sequences) {
    for (const version of sequence.versions) {
      const row = await runOne(target, sequence, version);
      rows.push(row);
      ended(row);
    }
  }
  return rows;
}

async function runOne(target: Target, sequence: Sequence, version: string): Promise<Row> {
  const begun = Date.now();
  const row = (outcome: Row['outcome'], why: string): Row => ({
    sequence,
    version,
    outcome,
    why,
    milliseconds: Date.now() - begun,
  });
  const lack = lackOf(target, sequence, version);
  if (lack !== undefined) return row('not run', `needs ${lack}`);
  const bench = new Bench(target.wire, target.hands, target);
  const failures = [
    ...(await failureOf(() => sequence.run(bench, version))),
    ...(await failureOf(() => bench.cleanUp())),
  ];
  return failures.length === 0 ? row('passed', '') : row('failed', failures.join('; then '));
}

/** What is missing for a sequence; a row that lacks something is never passed. */
function lackOf({ wire, hands, era }: Target, sequence: Sequence, version: string): string | undefined {
  const { group, needs, needsEra } = sequence;
  if (!wire.offers(group, version))
    return `the pipe csi-proxy-${group}-${version}, which the server does not offer`;
  if (needsEra === true && era === undefined) return 'to know how the server behaves: --era 1.2 or --era 1.3';
  const missing = needs.find((hand) => hands[hand] === undefined);
  return missing === undefined ? undefined : (hands.lacks[missing] ?? `a hand for ${missing}`);
}

async function failureOf(work: () => Promise<void>): Promise<readonly string[]> {
  try {
    await work();
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}
