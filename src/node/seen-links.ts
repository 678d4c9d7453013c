import type { VolumeId } from '../core/ids.ts';

/**
 * Pod links that this process has made or seen since their volume was staged, and has not begun to remove. A host that
 * does not follow links has one call for a repeat of NodePublish, and that one is for the mount: the journal may still
 * name a link whose removal was cut short.
 */
export class SeenLinks {
  readonly #paths = new Map<VolumeId, Set<string>>();

  has(volumeId: VolumeId, path: string): boolean {
    return this.#paths.get(volumeId)?.has(path) ?? false;
  }

  add(volumeId: VolumeId, path: string): void {
    const paths = this.#paths.get(volumeId) ?? new Set();
    this.#paths.set(volumeId, paths.add(path));
  }

  forget(volumeId: VolumeId, path: string): void {
    this.#paths.get(volumeId)?.delete(path);
  }

  /** It is staged anew, or no more: a sweep may have removed its links. */
  forgetAll(volumeId: VolumeId): void {
    this.#paths.delete(volumeId);
  }
}
