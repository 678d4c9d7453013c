import { StorageError } from './errors.ts';

export const KIB = 1024n;
export const MIB = 1024n * KIB;
export const GIB = 1024n * MIB;

/** Sizes are multiples of this, so that what is promised can be given exactly. */
export const CAPACITY_STEP_BYTES = 1n * MIB;
/** GPT and its backup (1 MiB) and Windows' reserved partition (16 MiB) come off every disk. */
export const PARTITION_OVERHEAD_BYTES = 17n * MIB;
/** 16 MiB for the smallest NTFS volume we make, and the overhead. */
export const MINIMUM_VOLUME_BYTES = 16n * MIB + PARTITION_OVERHEAD_BYTES;
/** Sizes travel as int64: the largest multiple of the step that fits. */
const MAXIMUM_WIRE_BYTES = 2n ** 63n - CAPACITY_STEP_BYTES;
/** When the caller names no size and there is no source to take it from. */
export const DEFAULT_VOLUME_BYTES = 1n * GIB;

/** CSI's CapacityRange; 0n means unset, as on the wire. `requireSaneRange` has passed it. */
export interface CapacityRange {
  readonly requiredBytes: bigint;
  readonly limitBytes: bigint;
}

export function roundUpToStep(bytes: bigint): bigint {
  return ((bytes + CAPACITY_STEP_BYTES - 1n) / CAPACITY_STEP_BYTES) * CAPACITY_STEP_BYTES;
}

/**
 * The size a volume gets: the required size rounded up to 1 MiB, at least `floorBytes` (the size of the source or
 * of the volume that grows, 0n for an empty one) and the minimum. Unasked, it is the floor, or the default for an
 * empty volume. CSI spec, CreateVolume and ControllerExpandVolume: `out-of-range` when that is over the limit.
 */
export function capacityFor(range: CapacityRange, floorBytes: bigint): bigint {
  const unasked = floorBytes === 0n ? defaultWithin(range.limitBytes) : floorBytes;
  const wanted = range.requiredBytes === 0n ? unasked : range.requiredBytes;
  const size = roundUpToStep(max(wanted, floorBytes, MINIMUM_VOLUME_BYTES));
  const limit = range.limitBytes === 0n ? MAXIMUM_WIRE_BYTES : range.limitBytes;
  if (size > limit) {
    throw new StorageError(
      'out-of-range',
      `a volume of at most ${limit} bytes is not possible: ` +
        `at least ${size} are needed (required ${range.requiredBytes}, source or present size ${floorBytes}, ` +
        `minimum ${MINIMUM_VOLUME_BYTES}, in steps of ${CAPACITY_STEP_BYTES}); correct capacity_range`,
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

/** `invalid-argument` for a range nothing can ever satisfy. */
export function requireSaneRange({ requiredBytes, limitBytes }: CapacityRange): void {
  if (requiredBytes < 0n || limitBytes < 0n) {
    throw new StorageError(
      'invalid-argument',
      `capacity_range: sizes must not be negative (required_bytes ${requiredBytes}, limit_bytes ${limitBytes})`,
    );
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
