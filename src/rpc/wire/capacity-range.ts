import { requireSaneRange, type CapacityRange } from '../../core/capacity.ts';
import type { CapacityRange__Output } from '../../gen/csi/csi/v1/CapacityRange.ts';

/** CSI's CapacityRange in the driver's words; a missing one asks for nothing. `invalid-argument` when it is absurd. */
export function capacityRange(wire: CapacityRange__Output | null): CapacityRange {
  if (wire === null) return { requiredBytes: 0n, limitBytes: 0n };
  const range = { requiredBytes: BigInt(wire.required_bytes), limitBytes: BigInt(wire.limit_bytes) };
  requireSaneRange(range);
  return range;
}
