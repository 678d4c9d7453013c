import { HEALTHY, type VolumeCondition } from '../../core/condition.ts';
import { StorageError } from '../../core/errors.ts';
import { asVolumeId } from '../../core/ids.ts';
import type { PoolVolume } from '../pool.ts';
import { sizeOfImage } from './image-reader.ts';
import type { Damage } from './load-entries.ts';
import type { VolumeRecord } from './volume-record.ts';

/** A volume as the pool shows it, with the condition its image is in now: one `stat`. */
export async function viewVolume(record: VolumeRecord, imagePath: string): Promise<PoolVolume> {
  const { sizeBytes } = await sizeOfImage(imagePath);
  return { ...record, imagePath, condition: conditionOf(record, imagePath, sizeBytes) };
}

/**
 * A volume whose record cannot be read: shown, so that it is seen, with what its image says and nothing guessed.
 * Everything but looking at it is refused.
 */
export function viewDamagedVolume(
  { id, sizeBytes, message, changedAt }: Damage,
  imagePath: string,
): PoolVolume {
  return {
    id: asVolumeId(id),
    name: '',
    capacityBytes: sizeBytes,
    parameters: {},
    serialNumber: '',
    page83: '',
    createdAt: changedAt,
    imagePath,
    condition: { abnormal: true, message },
  };
}

function conditionOf({ capacityBytes }: VolumeRecord, imagePath: string, sizeBytes: bigint): VolumeCondition {
  if (sizeBytes >= capacityBytes) return HEALTHY;
  const found = sizeBytes === 0n ? 'missing or empty' : `only ${sizeBytes} bytes`;
  return {
    abnormal: true,
    message: `the image ${imagePath} should have ${capacityBytes} bytes and is ${found}: restore it from a backup`,
  };
}

/** The path of a whole image; `data-loss` when it is not what the record says: nothing is copied from or added to it. */
export async function requireWhole(record: VolumeRecord, imagePath: string): Promise<string> {
  const { condition } = await viewVolume(record, imagePath);
  if (condition.abnormal) throw new StorageError('data-loss', condition.message);
  return imagePath;
}
