import { HEALTHY, type VolumeCondition } from '../core/condition.ts';
import type { DiskNumber } from '../core/ids.ts';
import type { DiskIds, HostStorage } from '../core/ports/host-storage.ts';
import { diskIn } from './disk-finder.ts';
import { identityText } from './disk-identity.ts';
import type { JournalRecord } from './journal.ts';
import { pathState, type PathState } from './paths.ts';

/** What was seen of a staged volume. */
export interface Observation {
  readonly condition: VolumeCondition;
  /** What is at the staging path. */
  readonly staging: PathState;
  /** True only when the host says so: there is a disk to be taken offline. */
  readonly diskOnline: boolean;
}

/** Looks at a staged volume: its mount, its disk, the disk's state. At most two host calls besides the disk table. */
export async function observeVolume(
  host: HostStorage,
  record: JournalRecord,
  disks: ReadonlyMap<DiskNumber, DiskIds>,
  signal: AbortSignal,
): Promise<Observation> {
  const stagingPath = record.stagingPath ?? '';
  const disk = diskIn(disks, record.disk);
  const staging = await pathState(host.files, stagingPath, signal);
  const offline = { staging, diskOnline: false };
  if (disk === undefined) {
    return {
      ...offline,
      condition: abnormal(`the disk with ${identityText(record.disk)} is not on this node`),
    };
  }
  const { diskState } = await host.capabilities(signal);
  if (diskState && !(await host.disks.getDiskState(disk, signal)).online) {
    return { ...offline, condition: abnormal(`disk ${disk} (${identityText(record.disk)}) is offline`) };
  }
  const seen = { staging, diskOnline: diskState };
  if (staging !== 'live') {
    return { ...seen, condition: abnormal(`nothing is mounted at the staging path ${stagingPath} any more`) };
  }
  return { ...seen, condition: HEALTHY };
}

function abnormal(found: string): VolumeCondition {
  return {
    abnormal: true,
    message: `${found}: reads and writes fail; delete the pod, so that the volume is unstaged and staged again`,
  };
}
