import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { PoolLock } from '../../../src/backends/file/pool-lock.ts';
import { openWorld } from '../../support/file-backend-world.ts';
import { inTempFolder } from '../../support/temp-folder.ts';

describe('one process per pool', () => {
  it('refuses the second, says who has it, and lets it in when the first is done', async () => {
    await inTempFolder(async (root) => {
      const first = await openWorld(root);
      await expect(openWorld(root)).rejects.toMatchObject({
        code: 'failed-precondition',
        message: expect.stringMatching(new RegExp(`in use by process ${process.pid} on .* since 20`)),
      });
      await first.close();
      const second = await openWorld(root);
      await second.close();
    });
  });

  it('law 8: is not kept by a process that was killed', async () => {
    await inTempFolder(async (root) => {
      const path = join(root, 'pool.lock');
      await mkdir(root, { recursive: true });
      await writeFile(path, 'process 4242 on elsewhere\n');
      const holder = await holdLock(path);
      await expect(PoolLock.acquire(root)).rejects.toThrow('process 4242 on elsewhere');
      holder.kill('SIGKILL');
      await once(holder, 'exit');
      const lock = await acquireSoon(root);
      await lock.release();
    });
  });
});

/** Another process that has the lock once it has said so. */
async function holdLock(path: string): Promise<ChildProcess> {
  const holder = spawn('flock', ['--no-fork', path, 'sh', '-c', 'echo held; exec sleep 60'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(holder.stdout, 'data');
  return holder;
}

/** The kernel releases it when it has buried the process, a moment after its death is known. */
async function acquireSoon(folder: string): Promise<PoolLock> {
  for (let tries = 0; ; tries++) {
    try {
      return await PoolLock.acquire(folder);
    } catch (error) {
      if (tries === 50) throw error;
      await setTimeout(20);
    }
  }
}
