import { throwIfAborted } from '../../core/errors.ts';
import type { Logger } from '../../core/ports/logger.ts';
import type { PoolFiles } from './pool-files.ts';

/**
 * Copies images the way the pool's file system allows: instantly, or byte by byte when nobody writes the source. The
 * signal stops what has not begun.
 */
export class ImageCopier {
  readonly #files: PoolFiles;
  readonly #log: Logger;
  readonly #reflink: boolean;

  constructor(
    deps: { readonly files: PoolFiles; readonly log: Logger },
    options: { readonly reflink: boolean },
  ) {
    this.#files = deps.files;
    this.#log = deps.log;
    this.#reflink = options.reflink;
  }

  /** As it is, for a snapshot. */
  async copy(source: string, target: string, signal: AbortSignal): Promise<void> {
    await this.#copyData(source, target, signal);
    await this.#files.syncImage(target);
  }

  /** As a disk of its own, of `bytes` and under new GUIDs. */
  async copyAsOwnDisk(source: string, target: string, bytes: bigint, signal: AbortSignal): Promise<void> {
    await this.#copyData(source, target, signal);
    await this.#files.makeOwnDisk(target, bytes);
  }

  async #copyData(source: string, target: string, signal: AbortSignal): Promise<void> {
    throwIfAborted(signal, `copying ${source}`);
    if (this.#reflink) return this.#files.cloneImage(source, target);
    const log = this.#log.child({ source, target });
    const progress = (copiedBytes: bigint): void => {
      log.info({ copiedBytes: copiedBytes.toString() }, 'copying a disk');
    };
    return this.#files.copyImage(source, target, progress);
  }
}
