import { open, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { poolFiles, type PoolFiles } from '../../src/backends/file/pool-files.ts';

/** What a dead process would have thrown: nothing after it runs either. */
class CrashError extends Error {}

/** When a pool dies: before its step number `at` (from 0), or half-way through it. */
export interface CrashPoint {
  readonly at: number;
  readonly torn: boolean;
}

/**
 * The steps of a pool that die at one of them. From then on every step fails, clean-up included, as it is when the
 * process is gone. `arm` starts to count.
 */
export class CrashingFiles {
  readonly files: PoolFiles;
  #left = Number.POSITIVE_INFINITY;
  #torn = false;

  constructor() {
    this.files = new Proxy(poolFiles, {
      get:
        (target, property: keyof PoolFiles) =>
        (path: string, second: unknown, ...rest: unknown[]) =>
          this.#step(property, path, second, () =>
            (target[property] as (...all: unknown[]) => Promise<void>)(path, second, ...rest),
          ),
    });
  }

  arm({ at, torn }: CrashPoint): void {
    this.#left = at;
    this.#torn = torn;
  }

  get crashed(): boolean {
    return this.#left < 0;
  }

  async #step(name: keyof PoolFiles, path: string, second: unknown, run: () => Promise<void>): Promise<void> {
    this.#left -= 1;
    if (this.#left >= 0) return run();
    if (this.#left === -1 && this.#torn) await tear(name, path, second);
    throw new CrashError(`crashed in ${name} of ${path}`);
  }
}

/** What a step leaves that was cut off; steps that are one system call leave nothing. */
export async function tear(name: keyof PoolFiles, path: string, second: unknown): Promise<void> {
  if (name === 'createImage') await writeFile(path, '');
  if (name === 'copyImage' || name === 'cloneImage') await writeFile(String(second), 'part of a disk');
  if (name === 'removeFolder') await rm(join(path, 'disk.img'), { force: true });
  if (name === 'writeRecord')
    await writeFile(join(dirname(path), '.record.json.0123456789ab.tmp'), '{"schema"');
  if (name === 'growImage' || name === 'makeOwnDisk') {
    const file = await open(path, 'r+');
    await file.truncate(Number(second));
    await file.close();
  }
}
