import { StorageError } from './errors.ts';

export const KIB = 1024n;
export const MIB = 1024n * KIB;
export const GIB = 1024n * MIB;

/** Sizes are multiples of this, so that what is promised can be given exactly. */
export const CAPACITY_STEP_BYTES = MIB;
/** GPT and its backup (1 MiB) and Windows' reserved partition (16 MiB) come off every disk. */
export const PARTITION_OVERHEAD_BYTES = 17n * MIB;
/** 16 MiB for the smallest NTFS volume we make, and the overhead. */
export const MINIMUM_VOLUME_BYTES = 16n * MIB + PARTITION_OVERHEAD_BYTES;
/** When the caller names no size. */
export const DEFAULT_VOLUME_BYTES = GIB;

/** CSI's CapacityRange; 0n means unset, as on the wire. */
export interface CapacityRange {
  readonly requiredBytes: bigint;
  readonly limitBytes: bigint;
}

export function roundUpToStep(bytes: bigint): bigint {
  return ((bytes + CAPACITY_STEP_BYTES - 1n) / CAPACITY_STEP_BYTES) * CAPACITY_STEP_BYTES;
}

/**
 * The size a new volume gets: the required size rounded up to 1 MiB, at least `floorBytes` (a source's size) and
 * the minimum. CSI spec, CreateVolume: `out-of-range` when that is over the limit.
 */
export function capacityFor(range: CapacityRange, floorBytes: bigint): bigint {
  requireSaneRange(range);
  const unasked = range.requiredBytes === 0n;
  const wanted = unasked ? defaultWithin(range.limitBytes) : range.requiredBytes;
  const size = roundUpToStep(max(wanted, floorBytes, MINIMUM_VOLUME_BYTES));
  if (range.limitBytes !== 0n && size > range.limitBytes) {
    throw new StorageError(
      'out-of-range',
      `cannot make a volume of at most ${range.limitBytes} bytes: ` +
        `at least ${size} are needed (required ${range.requiredBytes}, source ${floorBytes}, ` +
        `minimum ${MINIMUM_VOLUME_BYTES}, in steps of ${CAPACITY_STEP_BYTES}); raise limit_bytes`,
    );
  }
  return size;
}

/** Whether an existing volume satisfies a range. */
export function isWithin(capacityBytes: bigint, range: CapacityRange): boolean {
  return (
    capacityBytes >= range.requiredBytes && (range.limitBytes === 0n || capacityBytes <= range.limitBytes)
  );
}

function requireSaneRange({ requiredBytes, limitBytes }: CapacityRange): void {
  if (requiredBytes < 0n || limitBytes < 0n) {
    throw new StorageError('invalid-argument', 'capacity_range: sizes must not be negative');
  }
  if (limitBytes !== 0n && requiredBytes > limitBytes) {
    throw new StorageError(
      'invalid-argument',
      `capacity_range: required_bytes ${requiredBytes} is above limit_bytes ${limitBytes}`,
    );
  }
}

function defaultWithin(limitBytes: bigint): bigint {
  const limit = limitBytes === 0n ? DEFAULT_VOLUME_BYTES : limitBytes - (limitBytes % CAPACITY_STEP_BYTES);
  return limit < DEFAULT_VOLUME_BYTES ? limit : DEFAULT_VOLUME_BYTES;
}

function max(...values: readonly bigint[]): bigint {
  return values.reduce((largest, value) => (value > largest ? value : largest));
}
