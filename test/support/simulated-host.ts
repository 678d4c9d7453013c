import { simulatedHostStorage } from '../../src/hosts/simulated/simulated-host-storage.ts';
import type { HostStorage } from '../../src/core/ports/host-storage.ts';
import type { SanPolicy } from '../../src/hosts/san-policy.ts';
import type { HostUnderTest } from '../contract/host-storage/bench.ts';
import { LocalDisks } from './local-disks.ts';
import { createTarget } from './simulated-iscsi-target.ts';
import { createShare } from './simulated-smb-share.ts';
import { RecordingLogger } from './recording-logger.ts';

/** A simulated host over the disks and state in a folder; call it again for a new process over the same state. */
function simulatedHostOver({ attachDir, stateDir }: LocalDisks, sanPolicy: SanPolicy): HostStorage {
  return simulatedHostStorage({ log: new RecordingLogger() }, { attachDir, stateDir, sanPolicy });
}

/** A simulated host with hands to plug disks, in a temporary folder of its own. */
export async function simulatedHost(
  sanPolicy: SanPolicy = 'offline',
): Promise<HostUnderTest & { readonly disks: LocalDisks }> {
  const disks = await LocalDisks.create();
  return {
    disks,
    host: simulatedHostOver(disks, sanPolicy),
    sanPolicy,
    lacks: [],
    createShare: (options) => createShare(disks.stateDir, options),
    createTarget: (options) => createTarget(disks, options),
    systemVolume: 'none',
    fileSystemBytes: (disk) => disks.fileSystemBytes(disk),
    plugDisk: (sizeBytes, options) => disks.plug(sizeBytes, options),
    unplugDisk: (disk) => disks.unplug(disk),
    replugDisk: (disk) => disks.replug(disk),
    growDisk: (disk, sizeBytes) => disks.grow(disk, sizeBytes),
    restart: () => Promise.resolve(simulatedHostOver(disks, sanPolicy)),
    tempPath: () => disks.folder(),
    cleanup: () => disks.cleanup(),
  };
}
