import { randomUUID } from 'node:crypto';
import { absentGroups } from '../../core/absent-groups.ts';
import { aroundHostCalls } from '../../core/host-calls.ts';
import type { AroundHostCall } from '../../core/host-calls.ts';
import type { HostCapabilities, HostStorage } from '../../core/ports/host-storage.ts';
import type { Logger } from '../../core/ports/logger.ts';
import { linuxSerial } from '../bios-serial.ts';
import { bootId } from '../boot-id.ts';
import { localSystem } from '../local-system.ts';
import { runCommand } from './command.ts';
import type { Run } from './command.ts';
import type { SanPolicy } from '../san-policy.ts';
import { DiskPower } from './disk-power.ts';
import { DiskTable } from './disk-table.ts';
import { LinuxDisks } from './disks.ts';
import { LinuxFiles } from './files.ts';
import { LoopDevices } from './loop-devices.ts';
import { NtfsTools } from './ntfs-tools.ts';
import { OnlineRecords } from './online-records.ts';
import { Partitions } from './partitions.ts';
import { readinessOf } from './readiness.ts';
import { recover } from './recovery.ts';
import { Turns } from '../../util/turns.ts';
import { VolumeGrowth } from './volume-growth.ts';
import { VolumeLookup } from './volume-lookup.ts';
import { VolumeMounts } from './volume-mounts.ts';
import { LinuxVolumes } from './volumes.ts';

export interface LinuxHostDeps {
  readonly log: Logger;
  /** Runs the tools; the real ones by default. */
  readonly run?: Run;
  /** For disks and partitions; random ones by default. */
  readonly newGuid?: () => string;
}

export interface LinuxHostOptions {
  /** This node's own folder below the attach directory. */
  readonly attachDir: string;
  /** Where this host remembers which disks are online; nobody else's folder may be `online-disks` in it. */
  readonly stateDir: string;
  /** How new disks arrive; `offline` by default. */
  readonly sanPolicy?: SanPolicy;
}

const CAPABILITIES: HostCapabilities = {
  kind: 'linux',
  diskIds: true,
  diskState: true,
  volumeStats: true,
  targetPathLookup: true,
  localStat: true,
};

const MAX_VOLUMES = 256;

/**
 * A Windows node's storage on a Linux machine: disks are raw images on loop devices, with the partition table Windows
 * writes and real NTFS. What is online and mounted is what the kernel says, so a new process finds all of it again;
 * the first call waits until it has.
 */
export function linuxHostStorage(deps: LinuxHostDeps, options: LinuxHostOptions): HostStorage {
  const { log, run = runCommand, newGuid = randomUUID } = deps;
  const turns = new Turns();
  const loops = new LoopDevices(run);
  const partitions = new Partitions(run);
  const tools = new NtfsTools(run);
  const mounts = new VolumeMounts(run, tools);
  const records = new OnlineRecords(options.stateDir, log);
  const power = new DiskPower({ loops, partitions, records, sanPolicy: options.sanPolicy ?? 'offline' });
  const table = new DiskTable({ power, turns, log }, options.attachDir);
  const lookup = new VolumeLookup({ table, power, loops, log });
  const growth = new VolumeGrowth({ loops, partitions, tools, mounts, records, log });
  const biosSerialNumber = (): Promise<string> => linuxSerial(options.stateDir, log);
  const host: HostStorage = {
    disks: new LinuxDisks({ table, power, loops, partitions, turns, log, newGuid }),
    volumes: new LinuxVolumes({ table, lookup, partitions, tools, mounts, growth, turns }),
    files: new LinuxFiles({ mounts, turns }),
    ...absentGroups(CAPABILITIES.kind),
    system: localSystem({ log, biosSerialNumber, bootId }, options.stateDir),
    maxVolumes: MAX_VOLUMES,
    capabilities: () => Promise.resolve(CAPABILITIES),
    readiness: () => readinessOf(process.getuid?.()),
  };
  return aroundHostCalls(
    host,
    afterRecovery(() => recover({ table, power, loops, records, growth, log })),
  );
}

/** Recovers once, before the first call, also one about paths; again before the next one if that failed. */
function afterRecovery(recoverNow: () => Promise<void>): AroundHostCall {
  let recovered: Promise<void> | undefined;
  return async (_call, run) => {
    recovered ??= recoverNow();
    try {
      await recovered;
    } catch (error) {
      recovered = undefined;
      throw error;
    }
    return run();
  };
}
