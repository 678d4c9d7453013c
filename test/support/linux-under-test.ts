import type { HostStorage } from '../../src/core/ports/host-storage.ts';
import type { Run } from '../../src/hosts/linux/command.ts';
import { linuxHostStorage } from '../../src/hosts/linux/linux-host-storage.ts';
import type { SanPolicy } from '../../src/hosts/san-policy.ts';
import type { HostUnderTest } from '../contract/host-storage/bench.ts';
import { removeLeftovers } from './linux-leftovers.ts';
import { LocalDisks } from './local-disks.ts';
import { RecordingLogger } from './recording-logger.ts';

export interface LinuxUnderTest extends HostUnderTest {
  /** Everything the host touches is below this folder. */
  readonly root: string;
  readonly log: RecordingLogger;
  readonly disks: LocalDisks;
  /** A host over the same state whose tools are run by `run`. */
  start(run?: Run): HostStorage;
}

/** The Linux host in a temporary folder, and the hands for it. */
export async function linuxUnderTest(sanPolicy: SanPolicy = 'offline'): Promise<LinuxUnderTest> {
  const disks = await LocalDisks.create();
  const log = new RecordingLogger();
  const { attachDir, root, stateDir } = disks;
  const start = (run?: Run): HostStorage =>
    linuxHostStorage({ log, ...(run === undefined ? {} : { run }) }, { attachDir, stateDir, sanPolicy });
  return {
    root,
    log,
    disks,
    start,
    host: start(),
    sanPolicy,
    lacks: ['smb', 'iscsi'],
    systemVolume: 'none',
    fileSystemBytes: (disk) => disks.fileSystemBytes(disk),
    plugDisk: (sizeBytes, options) => disks.plug(sizeBytes, options),
    unplugDisk: (disk) => disks.unplug(disk),
    replugDisk: (disk) => disks.replug(disk),
    growDisk: (disk, sizeBytes) => disks.grow(disk, sizeBytes),
    restart: () => Promise.resolve(start()),
    tempPath: () => disks.folder(),
    cleanup: async () => {
      removeLeftovers(root);
      await disks.cleanup();
    },
  };
}
