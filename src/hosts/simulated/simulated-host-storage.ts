import { join } from 'node:path';
import type { AttachedDisk } from '../../core/attach-folder.ts';
import { messageOf } from '../../core/errors.ts';
import { attempt } from '../../core/platform-errors.ts';
import type { HostFiles, HostReadiness, HostStorage } from '../../core/ports/host-storage.ts';
import type { Logger } from '../../core/ports/logger.ts';
import { rememberedSerial } from '../bios-serial.ts';
import { bootId as kernelBootId } from '../boot-id.ts';
import { localFiles } from '../local-files.ts';
import { localSystem } from '../local-system.ts';
import type { SanPolicy } from '../san-policy.ts';
import { IscsiRecords } from './iscsi-records.ts';
import { IscsiTargets } from './iscsi-targets.ts';
import { MachineRoom } from './machine.ts';
import { SimulatedDisks } from './simulated-disks.ts';
import { SimulatedIscsi } from './simulated-iscsi.ts';
import { SimulatedSmb } from './simulated-smb.ts';
import { SimulatedVolumes } from './simulated-volumes.ts';

export interface SimulatedHostDependencies {
  readonly log: Logger;
  /** What ends iSCSI sessions and stops services when it changes; that of this machine's kernel by default. */
  readonly bootId?: () => Promise<string>;
}

export interface SimulatedHostOptions {
  /** This node's own attach folder: `<attach-dir>/<node-id>` (`core/attach-folder.ts`). */
  readonly attachDir: string;
  /** Where the machine keeps its records and the files of volumes in use. One process at a time. */
  readonly stateDir: string;
  /** How new disks arrive; `offline` by default. */
  readonly sanPolicy?: SanPolicy;
}

const MAX_VOLUMES = 256;

/**
 * A Windows node made of plain files, for any user on any machine: no root, no spawned process. Disks are images
 * with a real partition table; a volume's files are in its image when it is flushed, and in a folder while in use.
 */
export function simulatedHostStorage(
  { log, bootId = kernelBootId }: SimulatedHostDependencies,
  options: SimulatedHostOptions,
): HostStorage {
  const { stateDir } = options;
  const records = new IscsiRecords(join(stateDir, 'iscsi'), bootId, log);
  const targets = new IscsiTargets(join(stateDir, 'iscsi-targets'), log);
  const otherDisks = async (): Promise<readonly AttachedDisk[]> =>
    (await records.sessions()).map(({ disk }) => disk);
  const room = new MachineRoom({ ...options, otherDisks }, log);
  const biosSerialNumber = (): Promise<string> => rememberedSerial(stateDir, log);
  const system = localSystem({ log, biosSerialNumber, bootId }, stateDir);
  return {
    disks: new SimulatedDisks(room),
    volumes: new SimulatedVolumes(room),
    files: simulatedFiles(room),
    smb: new SimulatedSmb(stateDir, log),
    iscsi: new SimulatedIscsi({ room, system, records, targets }),
    system,
    maxVolumes: MAX_VOLUMES,
    capabilities: () =>
      Promise.resolve({
        kind: 'simulated',
        diskIds: true,
        diskState: true,
        volumeStats: true,
        targetPathLookup: true,
        localStat: false,
      }),
    readiness: () => readinessOf(room, options),
  };
}

/**
 * Mount points here are links: whoever removes one has unmounted it. Entering first lets a new process mend what
 * the one before it left half done, and lets mounts of unplugged disks dangle.
 */
function simulatedFiles(room: MachineRoom): HostFiles {
  const files = localFiles();
  const entered = async <Result>(call: () => Promise<Result>): Promise<Result> => {
    await attempt('enter the simulated machine', () => room.enter());
    return call();
  };
  const removing = (path: string, call: () => Promise<void>): Promise<void> =>
    entered(async () => {
      await call();
      const { mounts } = await room.enter();
      await mounts.forgetRemoved(path);
    });
  return {
    pathExists: (path, signal) => entered(() => files.pathExists(path, signal)),
    mkdir: (path, signal) => entered(() => files.mkdir(path, signal)),
    rmdir: (path, force, signal) => removing(path, () => files.rmdir(path, force, signal)),
    rmdirContents: (path, signal) => removing(path, () => files.rmdirContents(path, signal)),
    createSymlink: (source, target, signal) => entered(() => files.createSymlink(source, target, signal)),
    isSymlink: (path, signal) => entered(() => files.isSymlink(path, signal)),
  };
}

async function readinessOf(room: MachineRoom, { stateDir }: SimulatedHostOptions): Promise<HostReadiness> {
  try {
    await room.enter();
    return { ready: true };
  } catch (error) {
    return {
      ready: false,
      reason: `the simulated host cannot use its folder: ${messageOf(error)}`,
      mend: `make ${stateDir} a folder that this user may write to`,
    };
  }
}
