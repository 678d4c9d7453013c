import type { NodeId, VolumeId } from '../core/ids.ts';
import type { HostStorage, VolumeStats } from '../core/ports/host-storage.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { Topology } from '../core/topology.ts';
import type { JournalStore } from './journal.ts';
import type { VolumeConditions } from './volume-conditions.ts';

/** What every part of the node works with. */
export interface NodeDeps {
  readonly host: HostStorage;
  readonly journal: JournalStore;
  /** Written by the sweep, read by NodeGetVolumeStats. */
  readonly conditions: VolumeConditions;
  readonly log: Logger;
  readonly now: () => Date;
  /** Bytes of the file system at a path, by this process itself; used when the host says `localStat`. */
  readonly statVolume?: (path: string, signal: AbortSignal) => Promise<VolumeStats>;
}

export interface NodeOptions {
  readonly nodeId: NodeId;
  readonly topology: Topology;
  /** Most volumes attached at once; when not set, what the host says. */
  readonly maxVolumes?: number;
  /** How long an answer of the host about a volume's bytes is good for, in seconds. */
  readonly statsCacheSeconds: number;
}

/** Name of the lock that everything working on a volume on this node takes (law 6). */
export const volumeLockKey = (volumeId: VolumeId): string => `node/${volumeId}`;
