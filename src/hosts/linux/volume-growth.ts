import { messageOf, StorageError } from '../../core/errors.ts';
import { MIB } from '../../core/capacity.ts';
import { basicPartition, growBasicPartition, partitionBytes, SECTOR_BYTES } from '../../core/gpt.ts';
import type { Gpt, GptPartition } from '../../core/gpt.ts';
import { BOOT_SECTOR_BYTES, decodeNtfsBootSector } from '../../core/ntfs-boot-sector.ts';
import type { Logger } from '../../core/ports/logger.ts';
import { foreignMountOf } from './holders.ts';
import { devicePath } from './loop-devices.ts';
import type { LoopDevices, LoopName } from './loop-devices.ts';
import type { MountEntry } from './mountinfo.ts';
import type { NtfsTools } from './ntfs-tools.ts';
import type { OnlineRecord, OnlineRecords } from './online-records.ts';
import { readStart, writeTable } from '../partition-table.ts';
import type { PartitionDevice, Partitions } from './partitions.ts';
import type { VolumeMounts } from './volume-mounts.ts';
import type { Volume } from './volume-lookup.ts';

/** Less is not worth the interruption; and a file system leaves the boot sector's copy and a part of a cluster unused. */
const LEAST_GROWTH_BYTES = MIB;

export interface VolumeGrowthDeps {
  readonly loops: LoopDevices;
  readonly partitions: Partitions;
  readonly tools: NtfsTools;
  readonly mounts: VolumeMounts;
  readonly records: OnlineRecords;
  readonly log: Logger;
}

/**
 * Grows partition and file system. Linux cannot grow NTFS while it is mounted, so the volume's mounts are taken away
 * for a moment and put back. Each step may be the last before a crash: a repeat does what is left, and the mounts
 * are on record until they are back.
 */
export class VolumeGrowth {
  readonly #deps: VolumeGrowthDeps;

  constructor(deps: VolumeGrowthDeps) {
    this.#deps = deps;
  }

  /** To a partition of `sizeBytes`, 0n for all there is; less than it has is a no-op. */
  async grow(volume: Volume, sizeBytes: bigint): Promise<void> {
    const { loops, partitions } = this.#deps;
    const diskBytes = await loops.sizeBytes(volume.loop);
    const target = targetOf(volume, sizeBytes, diskBytes);
    const partitionGrows = target.partition.lastLba > volume.partition.lastLba;
    const device = await partitions.deviceOf(volume.loop, volume.partition);
    if (!partitionGrows && !(await fallsShort(device, volume.partition))) return;
    await this.#unmounted(volume, device, async () => {
      if (partitionGrows) await writeTable(devicePath(volume.loop), target.gpt, diskBytes);
      const grown = await partitions.deviceOf(volume.loop, target.partition);
      if (await fallsShort(grown, target.partition)) await this.#deps.tools.grow(grown.path);
    });
  }

  /** Puts back what `grow` unmounted, also when a process before this one ended in the middle of it. */
  async restore({ disk, remount }: OnlineRecord, loop: LoopName): Promise<void> {
    if (remount === undefined) return;
    const device = await this.#deps.partitions.deviceAt(loop, remount.firstLba);
    for (const { path, root } of remount.mounts) await this.#deps.mounts.mount(device, path, root);
    await this.#deps.records.write({ disk });
  }

  async #unmounted(volume: Volume, { device }: PartitionDevice, action: () => Promise<void>): Promise<void> {
    const { mounts, records } = this.#deps;
    await requireUnused(volume, device);
    const mounted = await mounts.of(device);
    if (mounted.length === 0) {
      await action();
      return;
    }
    const record = recordOf(volume, mounted);
    await records.write(record);
    try {
      for (const { mountPoint } of mounted.toReversed()) await mounts.unmount(mountPoint);
      await action();
    } catch (error) {
      await this.#restoreAfter(error, record, volume);
      throw error;
    }
    await this.restore(record, volume.loop);
  }

  /** What failed first is what the caller must hear; that the mounts are still away is for the log. */
  async #restoreAfter(failure: unknown, record: OnlineRecord, { id, loop }: Volume): Promise<void> {
    try {
      await this.restore(record, loop);
    } catch (error) {
      this.#deps.log.error(
        { volume: id, mounts: record.remount?.mounts, failure: messageOf(failure), reason: messageOf(error) },
        'cannot mount a volume again after growing it failed',
      );
    }
  }
}

function recordOf({ disk, partition }: Volume, mounted: readonly MountEntry[]): OnlineRecord {
  const wholeFirst = [...mounted].sort((a, b) => Number(b.root === '/') - Number(a.root === '/'));
  const mounts = wholeFirst.map(({ mountPoint, root }) => ({ path: mountPoint, root }));
  return { disk: disk.attached, remount: { firstLba: partition.firstLba, mounts } };
}

/** The table with the volume's partition at the size asked for, but never smaller than it is. */
function targetOf(
  { gpt, id, partition }: Volume,
  sizeBytes: bigint,
  diskBytes: bigint,
): { readonly gpt: Gpt; readonly partition: GptPartition } {
  const keep = { gpt, partition };
  if (sizeBytes !== 0n && sizeBytes <= partitionBytes(partition)) return keep;
  const largest = basicPartition(growBasicPartition(gpt, diskBytes));
  if (largest?.firstLba !== partition.firstLba) {
    throw new StorageError(
      'unimplemented',
      `cannot grow volume ${id}: it is not the first data partition of its disk`,
    );
  }
  const lastLba = sizeBytes === 0n ? largest.lastLba : partition.firstLba + sizeBytes / SECTOR_BYTES - 1n;
  if (lastLba > largest.lastLba) {
    throw new StorageError(
      'out-of-range',
      `cannot grow volume ${id} to ${sizeBytes} bytes: its disk has room for ${partitionBytes(largest)}; ` +
        'expand the disk and rescan first',
    );
  }
  if ((lastLba - partition.lastLba) * SECTOR_BYTES < LEAST_GROWTH_BYTES) return keep;
  const grown = { ...partition, lastLba };
  return {
    gpt: { ...gpt, partitions: gpt.partitions.map((one) => (one === partition ? grown : one)) },
    partition: grown,
  };
}

/** Whether a partition holds NTFS that does not fill it: after a growth that was cut off, or from a smaller disk. */
async function fallsShort(device: PartitionDevice, partition: GptPartition): Promise<boolean> {
  const ntfs = decodeNtfsBootSector(await readStart(device.path, BOOT_SECTOR_BYTES));
  return ntfs !== undefined && partitionBytes(partition) - ntfs.fileSystemBytes >= LEAST_GROWTH_BYTES;
}

/** A mount that this process cannot see cannot be put back by it either. */
async function requireUnused({ id }: Volume, device: string): Promise<void> {
  const holder = await foreignMountOf(device);
  if (holder === undefined) return;
  throw new StorageError(
    'failed-precondition',
    `cannot grow volume ${id}: ${holder} has it mounted in a mount namespace of its own; end that first`,
  );
}
