import type { Bench } from './bench.ts';
import type { HandName } from './hands.ts';
import type { Group } from './wire.ts';

/** Behaviour of real servers: those up to 1.2 run PowerShell, those from 1.3 on talk WMI. */
export type Era = '1.2' | '1.3';

/** One sequence of calls with what must come of it, at each version of a group that has the calls. */
export interface Sequence {
  /** Number of the sequence in CSI Proxy's own integration tests; `era` and `path` for those we add. */
  readonly id: string;
  readonly title: string;
  readonly group: Group;
  readonly versions: readonly string[];
  readonly needs: readonly HandName[];
  /** Only for servers of which it is known how they behave. */
  readonly needsEra?: true;
  run(bench: Bench, version: string): Promise<void>;
}
