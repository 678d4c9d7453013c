import { realpath, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { NodeConfig } from '../config/modes.ts';
import { encodeNodeRecord, NODE_RECORD_NAME } from '../core/attach-folder.ts';
import { StorageError } from '../core/errors.ts';
import { aroundHostCalls } from '../core/host-calls.ts';
import { asNodeId } from '../core/ids.ts';
import type { HostReadiness, VolumeStats } from '../core/ports/host-storage.ts';
import type { Logger } from '../core/ports/logger.ts';
import { openFileJournal } from '../node/file-journal.ts';
import { nodeService } from '../node/node-service.ts';
import { NodeSweeper } from '../node/sweep.ts';
import { VolumeConditions } from '../node/volume-conditions.ts';
import type { CsiService } from '../rpc/call.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { KeyedLock } from '../util/keyed-lock.ts';
import { makeRecordFolder, writeRecord } from '../util/record-file.ts';
import { attachFolderOf, openHost } from './open-host.ts';
import { zoneTopology } from './zone-topology.ts';

/** Folder of the node journal in the state directory. */
export const JOURNAL_FOLDER = 'journal';

export interface NodeApp {
  readonly service: CsiService;
  readonly readiness: (signal: AbortSignal) => Promise<HostReadiness>;
  /** Sweeps stale mounts until the signal aborts (law 12). */
  readonly maintain: (signal: AbortSignal) => Promise<unknown>;
  /** Lets go of what would keep the process alive. */
  readonly close: () => void;
}

export interface AppDeps {
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly lock: KeyedLock;
}

/** Wires the Node service to this node's host layer, and announces the node to the controller of this machine. */
export async function openNode(config: NodeConfig, { log, metrics, lock }: AppDeps): Promise<NodeApp> {
  const attachDir = attachFolderOf(config);
  const opened = openHost(config, { log, metrics });
  const host = aroundHostCalls(opened.host, metrics.aroundHostCall);
  const maxVolumes = config.maxVolumesPerNode || host.maxVolumes;
  await announce(attachDir, config.nodeId, maxVolumes);

  const nodeLog = log.child({ component: 'node' });
  const now = (): Date => new Date();
  const deps = {
    host,
    journal: await openFileJournal(join(config.stateDir, JOURNAL_FOLDER), { log: nodeLog, now }),
    conditions: new VolumeConditions(),
    log: nodeLog,
    now,
    statVolume,
  };
  const sweeper = new NodeSweeper({ ...deps, lock }, { intervalSeconds: config.sweepIntervalSeconds });
  return {
    service: nodeService(deps, {
      nodeId: asNodeId(config.nodeId),
      topology: zoneTopology(config.driverName, config.zone),
      maxVolumes,
      statsCacheSeconds: config.statsCacheSeconds,
    }),
    readiness: (probe) => host.readiness(probe),
    maintain: (stop) => Promise.all([sweeper.run(stop), opened.maintain(stop)]),
    close: opened.close,
  };
}

/** The controller knows a node of its machine by this record. */
async function announce(attachDir: string, nodeId: string, maxVolumes: number): Promise<void> {
  await makeRecordFolder(attachDir);
  await writeRecord(join(attachDir, NODE_RECORD_NAME), encodeNodeRecord({ nodeId, maxVolumes }));
}

/**
 * Bytes of the volume mounted at a path, as this process sees it. Where nothing is mounted the numbers would be those
 * of the disk below: that is an error, and the node then finds out what has happened to the mount.
 */
async function statVolume(path: string): Promise<VolumeStats> {
  const real = await realpath(path);
  const [volume, parent] = await Promise.all([stat(real), stat(dirname(real))]);
  if (volume.dev === parent.dev) throw new StorageError('unavailable', `nothing is mounted at ${real}`);
  const { blocks, bfree, bsize } = await statfs(real, { bigint: true });
  return { totalBytes: blocks * bsize, usedBytes: (blocks - bfree) * bsize };
}
