import type { VolumeId } from '../core/ids.ts';
import type { VolumeStats } from '../core/ports/host-storage.ts';

interface Known {
  readonly stats: VolumeStats;
  readonly at: number;
}

/** Bytes of volumes as last seen. Callers who ask at the same time share one question; failures are not kept. */
export class StatsCache {
  readonly #goodForMilliseconds: number;
  readonly #now: () => Date;
  readonly #known = new Map<VolumeId, Known>();
  readonly #asking = new Map<VolumeId, Promise<VolumeStats>>();

  constructor(goodForSeconds: number, now: () => Date) {
    this.#goodForMilliseconds = goodForSeconds * 1000;
    this.#now = now;
  }

  /** The last numbers, however old; `undefined` when there never were any. */
  last(volumeId: VolumeId): VolumeStats | undefined {
    return this.#known.get(volumeId)?.stats;
  }

  remember(volumeId: VolumeId, stats: VolumeStats): VolumeStats {
    this.#known.set(volumeId, { stats, at: this.#now().getTime() });
    return stats;
  }

  /** Fresh enough numbers, asking only when there are none and nobody is asking already. */
  async get(volumeId: VolumeId, ask: () => Promise<VolumeStats>): Promise<VolumeStats> {
    const known = this.#known.get(volumeId);
    if (known !== undefined && this.#now().getTime() - known.at < this.#goodForMilliseconds)
      return known.stats;
    const asking = this.#asking.get(volumeId) ?? this.#ask(volumeId, ask);
    return await asking;
  }

  /** The volume changed or is gone. */
  forget(volumeId: VolumeId): void {
    this.#known.delete(volumeId);
  }

  #ask(volumeId: VolumeId, ask: () => Promise<VolumeStats>): Promise<VolumeStats> {
    const asking = ask()
      .then((stats) => this.remember(volumeId, stats))
      .finally(() => this.#asking.delete(volumeId));
    this.#asking.set(volumeId, asking);
    return asking;
  }
}
