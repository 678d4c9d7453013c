import { messageOf } from '../../core/errors.ts';
import type { Logger } from '../../core/ports/logger.ts';
import { sleep } from '../../util/sleep.ts';
import type { DiskPower } from './disk-power.ts';
import type { DiskTable } from './disk-table.ts';
import type { LoopDevices, LoopName } from './loop-devices.ts';
import type { OnlineRecord, OnlineRecords } from './online-records.ts';
import type { VolumeGrowth } from './volume-growth.ts';

/** A tool that a killed process had started runs on and holds the volume; it needs no longer than this. */
const RESTORE_TRIES = 20;
const RESTORE_PAUSE_MS = 250;

export interface RecoveryDeps {
  readonly table: DiskTable;
  readonly power: DiskPower;
  readonly loops: LoopDevices;
  readonly records: OnlineRecords;
  readonly growth: VolumeGrowth;
  readonly log: Logger;
}

/**
 * Takes up what the process before this one left: disks that are online or must stay offline, volumes unmounted in the
 * middle of a growth.
 */
export async function recover(deps: RecoveryDeps): Promise<void> {
  for (const record of await deps.records.list()) {
    deps.loops.recall(record.disk.imagePath, record.image);
    const loop = await deps.power.loopOf(record.disk);
    if (loop === undefined && record.offline === undefined) {
      // It went offline, or the machine was restarted, which takes the mounts with it.
      await deps.records.remove(record.disk);
      continue;
    }
    deps.table.adopt(record.disk);
    if (loop !== undefined && record.remount !== undefined) await restore(deps, record, loop);
  }
  await deps.table.refresh();
}

async function restore(
  { growth, log, records }: RecoveryDeps,
  record: OnlineRecord,
  loop: LoopName,
): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await growth.restore(record, loop);
      log.warn(
        { disk: record.disk, mounts: record.remount?.mounts },
        'mounted again what a growth had unmounted',
      );
      return;
    } catch (error) {
      if (tries < RESTORE_TRIES) {
        await sleep(RESTORE_PAUSE_MS, new AbortController().signal);
        continue;
      }
      // The CO stages the volume again; mounting it at some later start could hide what is there by then.
      log.error(
        { disk: record.disk, mounts: record.remount?.mounts, reason: messageOf(error) },
        'gave up restoring mounts',
      );
      await records.write({ disk: record.disk });
      return;
    }
  }
}
