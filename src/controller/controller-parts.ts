import type { DiskBackend } from '../core/ports/disk-backend.ts';
import type { Topology } from '../core/topology.ts';

/** What every controller handler works with. */
export interface ControllerParts {
  /** Already idempotent: a repeat gets the answer of the first call (law 3). */
  readonly backend: DiskBackend;
  /** From where our volumes can be reached; empty when from everywhere. */
  readonly topology: Topology;
}
