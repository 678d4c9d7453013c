import { HEALTHY, type VolumeCondition } from '../core/condition.ts';
import type { VolumeId } from '../core/ids.ts';

/** The last observed condition of every staged volume. A volume nobody has looked at yet counts as healthy. */
export class VolumeConditions {
  readonly #observed = new Map<VolumeId, VolumeCondition>();

  get(volumeId: VolumeId): VolumeCondition {
    return this.#observed.get(volumeId) ?? HEALTHY;
  }

  set(volumeId: VolumeId, condition: VolumeCondition): void {
    this.#observed.set(volumeId, condition);
  }

  forget(volumeId: VolumeId): void {
    this.#observed.delete(volumeId);
  }
}
