import { HEALTHY, type VolumeCondition } from '../core/condition.ts';
import type { HostStorage } from '../core/ports/host-storage.ts';
import type { SeenDisks } from './disk-finder.ts';
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

/**
 * Looks at a staged volume: its mount, its disk, the disk's state. At most two host calls besides the look at the
 * disks. A host that tells nothing of disks still tells a mount that leads somewhere from one that does not.
 */
export async function observeVolume(
  host: HostStorage,
  record: JournalRecord,
  seen: SeenDisks,
  signal: AbortSignal,
): Promise<Observation> {
  const stagingPath = record.stagingPath ?? '';
  const sighting = seen(record.disk);
  const staging = await pathState(host.files, stagingPath, signal);
  const offline = { staging, diskOnline: false };
  const ids = identityText(record.disk);
  if (sighting.kind === 'gone') {
    return { ...offline, condition: abnormal(`the disk with ${ids} is not on this node`) };
  }
  const isAsked = sighting.kind === 'here' && (await host.capabilities(signal)).diskState;
  if (isAsked && !(await host.disks.getDiskState(sighting.disk, signal)).online) {
    return { ...offline, condition: abnormal(`disk ${sighting.disk} (${ids}) is offline`) };
  }
  if (staging === 'live') return { staging, diskOnline: isAsked, condition: HEALTHY };
  const condition = abnormal(`nothing is mounted at the staging path ${stagingPath} any more`);
  return { staging, diskOnline: isAsked, condition };
}

function abnormal(found: string): VolumeCondition {
  return {
    abnormal: true,
    message: `${found}: reads and writes fail; delete the pod, so that the volume is unstaged and staged again`,
  };
}
