import { BASIC_DATA_PARTITION_TYPE } from '../../core/gpt.ts';
import type { Gpt, GptPartition } from '../../core/gpt.ts';
import { hostVolumeIdOf } from '../../core/ids.ts';
import type { HostVolumeId } from '../../core/ids.ts';
import { readTable } from '../partition-table.ts';
import type { SimulatedDisk } from './disk-table.ts';
import type { LiveData } from './live-data.ts';
import type { MountTable } from './mount-table.ts';
import { VolumeImage } from './volume-image.ts';

/** A volume on a disk that is online. */
export interface SimulatedVolume {
  readonly id: HostVolumeId;
  readonly guid: string;
  readonly disk: SimulatedDisk;
  readonly gpt: Gpt;
  readonly partition: GptPartition;
}

/** The volumes of a disk in partition order; none while it is offline. */
export async function volumesOn(disk: SimulatedDisk): Promise<readonly SimulatedVolume[]> {
  if (!disk.online) return [];
  const table = await readTable(disk.attached.imagePath, disk.sizeBytes);
  if (table.kind !== 'gpt') return [];
  return table.gpt.partitions
    .filter(({ typeGuid }) => typeGuid === BASIC_DATA_PARTITION_TYPE)
    .map((partition) => ({
      id: hostVolumeIdOf(partition.uniqueGuid),
      guid: partition.uniqueGuid,
      disk,
      gpt: table.gpt,
      partition,
    }));
}

/** Opens the file system of a volume. */
export function withImage<Result>(
  { disk, partition }: Pick<SimulatedVolume, 'disk' | 'partition'>,
  action: (image: VolumeImage) => Promise<Result>,
): Promise<Result> {
  return VolumeImage.use(disk.attached.imagePath, partition, action);
}

/** Mount points of a volume find it again when its disk comes back. */
export async function bringBack(
  disk: SimulatedDisk,
  { live, mounts }: { readonly live: LiveData; readonly mounts: MountTable },
): Promise<void> {
  for (const volume of await volumesOn(disk)) {
    if (await mounts.isMounted(volume.guid)) {
      await withImage(volume, (image) => live.bring(volume.guid, disk.key, image));
    }
  }
}
