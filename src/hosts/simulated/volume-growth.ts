import { StorageError } from '../../core/errors.ts';
import { growBasicPartition, partitionBytes, SECTOR_BYTES } from '../../core/gpt.ts';
import type { GptPartition } from '../../core/gpt.ts';
import { writeTable } from '../partition-table.ts';
import { withImage } from './simulated-volume.ts';
import type { SimulatedVolume } from './simulated-volume.ts';

/** Sectors that the backup of the partition table takes up behind the last partition. */
const BACKUP_SECTORS = 33n;

/**
 * Partition first, then file system: whoever dies in between finds a file system that is smaller than its
 * partition, and grows it the next time. 0n: as large as the disk allows.
 */
export async function growVolume(volume: SimulatedVolume, sizeBytes: bigint): Promise<void> {
  await withImage(volume, (image) => image.requireOwn());
  const largest = grown(volume, volume.disk.sizeBytes).partition;
  if (sizeBytes > partitionBytes(largest)) {
    throw new StorageError(
      'out-of-range',
      `${volume.id} can have ${partitionBytes(largest)} bytes on disk ${volume.disk.number}, not ${sizeBytes}: ` +
        'grow the disk and rescan first',
    );
  }
  const wanted = sizeBytes === 0n ? volume.disk.sizeBytes : diskBytesFor(volume.partition, sizeBytes);
  const { gpt, partition } = grown(volume, wanted);
  if (partition.lastLba > volume.partition.lastLba) {
    await writeTable(volume.disk.attached.imagePath, gpt, volume.disk.sizeBytes);
  }
  await withImage({ disk: volume.disk, partition }, (image) => image.growFileSystem());
}

function grown(
  { gpt, partition }: SimulatedVolume,
  diskBytes: bigint,
): { readonly gpt: SimulatedVolume['gpt']; readonly partition: GptPartition } {
  const larger = growBasicPartition(gpt, diskBytes);
  const same = larger.partitions.find(({ uniqueGuid }) => uniqueGuid === partition.uniqueGuid);
  return { gpt: larger, partition: same ?? partition };
}

/** The disk on which a partition that begins there is this large when it takes all there is. */
function diskBytesFor({ firstLba }: GptPartition, sizeBytes: bigint): bigint {
  return (firstLba + sizeBytes / SECTOR_BYTES + BACKUP_SECTORS) * SECTOR_BYTES;
}
