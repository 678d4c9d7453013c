import { simulatedHostStorage } from '../../src/hosts/simulated/simulated-host-storage.ts';
import type { HostStorage } from '../../src/core/ports/host-storage.ts';
import type { HostUnderTest } from '../contract/host-storage/bench.ts';
import { LocalDisks } from './local-disks.ts';
import { RecordingLogger } from './recording-logger.ts';

/** A simulated host over the disks and state in a folder; call it again for a new process over the same state. */
function simulatedHostOver(disks: LocalDisks): HostStorage {
  return simulatedHostStorage(
    { log: new RecordingLogger() },
    { attachDir: disks.attachDir, stateDir: disks.stateDir },
  );
}

/** A simulated host with hands to plug disks, in a temporary folder of its own. */
export async function simulatedHost(): Promise<HostUnderTest & { readonly disks: LocalDisks }> {
  const disks = await LocalDisks.create();
  return {
    disks,
    host: simulatedHostOver(disks),
    plugDisk: (sizeBytes, options) => disks.plug(sizeBytes, options),
    unplugDisk: (disk) => disks.unplug(disk),
    replugDisk: (disk) => disks.replug(disk),
    growDisk: (disk, sizeBytes) => disks.grow(disk, sizeBytes),
    restart: () => Promise.resolve(simulatedHostOver(disks)),
    tempPath: () => disks.folder(),
    cleanup: () => disks.cleanup(),
  };
}
