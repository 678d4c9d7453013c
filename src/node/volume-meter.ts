import type { VolumeId } from '../core/ids.ts';
import type { VolumeStats } from '../core/ports/host-storage.ts';
import type { JournalRecord } from './journal.ts';
import type { NodeDeps } from './node-deps.ts';
import type { StatsCache } from './stats-cache.ts';

type Deps = Pick<NodeDeps, 'host' | 'statVolume'>;

/**
 * Where the bytes of a volume come from, cheapest first: this process looks itself, the host is asked, or nobody can
 * tell (a volume API before v1beta1, in a container that does not see the mounts).
 */
export class VolumeMeter {
  readonly #deps: Deps;
  readonly #cache: StatsCache;
  /** Volumes this process could not stat. `distant`: they were at their path all the same, so it cannot see them. */
  readonly #unseen = new Map<VolumeId, 'failed' | 'distant'>();

  constructor(deps: Deps, cache: StatsCache) {
    this.#deps = deps;
    this.#cache = cache;
  }

  /** Bytes of the volume at a path; `undefined` when nobody can tell. At most one host call, which all callers share. */
  async measure(
    { volumeId, hostVolumeId }: JournalRecord,
    path: string,
    signal: AbortSignal,
  ): Promise<VolumeStats | undefined> {
    const { host, statVolume } = this.#deps;
    const { localStat, volumeStats } = await host.capabilities(signal);
    if (localStat && statVolume !== undefined) {
      try {
        const seen = await statVolume(path, signal);
        this.#unseen.delete(volumeId);
        return this.#cache.remember(volumeId, seen);
      } catch (error) {
        if (this.#unseen.get(volumeId) !== 'distant') {
          this.#unseen.set(volumeId, 'failed');
          throw error;
        }
      }
    }
    if (!volumeStats) return undefined;
    // Shared by all who ask at once, so one caller's cancellation must not spoil it for the others.
    const shared = new AbortController().signal;
    return await this.#cache.get(volumeId, () => host.volumes.getVolumeStats(hostVolumeId, shared));
  }

  /**
   * To be told when `measure` failed and the volume is found healthy at its path. True: this process does not see what
   * the host sees, so from now on the host is asked, and measuring once more is worth it.
   */
  isDistant(volumeId: VolumeId): boolean {
    if (this.#unseen.get(volumeId) !== 'failed') return false;
    this.#unseen.set(volumeId, 'distant');
    return true;
  }

  /** Bytes of the file system now, nothing remembered; `undefined` when nobody can tell. At most one host call. */
  async sizeNow(
    { hostVolumeId }: JournalRecord,
    path: string,
    signal: AbortSignal,
  ): Promise<bigint | undefined> {
    const { host, statVolume } = this.#deps;
    const { localStat, volumeStats } = await host.capabilities(signal);
    if (volumeStats) return (await host.volumes.getVolumeStats(hostVolumeId, signal)).totalBytes;
    if (!localStat || statVolume === undefined) return undefined;
    return await statVolume(path, signal).then(
      ({ totalBytes }) => totalBytes,
      () => undefined,
    );
  }

  /** The volume changed or is gone. */
  forget(volumeId: VolumeId): void {
    this.#cache.forget(volumeId);
    this.#unseen.delete(volumeId);
  }

  /** The last numbers, however old; `undefined` when there never were any. */
  last(volumeId: VolumeId): VolumeStats | undefined {
    return this.#cache.last(volumeId);
  }
}
