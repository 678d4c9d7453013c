import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type FileHandle, open } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { StorageError } from '../../core/errors.ts';

/**
 * One process per pool. The lock is the kernel's (flock on an open file): it ends with the process however that
 * ends, and holds across containers, where process ids mean nothing. Node has no call for it, but an flock belongs
 * to the open file, so that util-linux's `flock` can take it for us on the file we hand it.
 */
export class PoolLock {
  readonly #file: FileHandle;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  static async acquire(poolDir: string): Promise<PoolLock> {
    const path = join(poolDir, 'pool.lock');
    const file = await open(path, 'a+', 0o600);
    try {
      if (!(await tryLock(file))) throw await heldBy(file, path);
      await file.truncate(0);
      await file.write(`process ${process.pid} on ${hostname()} since ${new Date().toISOString()}\n`);
    } catch (error) {
      await file.close();
      throw error;
    }
    return new PoolLock(file);
  }

  async release(): Promise<void> {
    await this.#file.close();
  }
}

async function tryLock(file: FileHandle): Promise<boolean> {
  const child = spawn('flock', ['--nonblock', '3'], { stdio: ['ignore', 'ignore', 'ignore', file.fd] });
  try {
    const [code] = (await once(child, 'exit')) as [number | null];
    return code === 0;
  } catch (error) {
    throw new StorageError('unavailable', 'cannot run flock to lock the pool: install util-linux', {
      cause: error,
    });
  }
}

async function heldBy(file: FileHandle, path: string): Promise<StorageError> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(200), 0, 200, 0);
  const holder = buffer.subarray(0, bytesRead).toString('utf8').trim();
  return new StorageError(
    'failed-precondition',
    `the pool is in use by ${holder === '' ? 'another process' : holder} (${path}): ` +
      'stop that one, or give each driver its own --pool-dir',
  );
}
