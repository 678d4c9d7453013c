import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Bench, SIGNAL } from '../../contract/host-storage/bench.ts';
import { simulatedHost } from '../../support/simulated-host.ts';

const KILLS = 8;
const LONGEST_LIFE_MS = 150;

describe('simulated host in a process that is killed', () => {
  let world: Awaited<ReturnType<typeof simulatedHost>>;
  let bench: Bench;

  beforeEach(async () => {
    world = await simulatedHost();
    bench = new Bench(world);
  });

  afterEach(async () => {
    await world.cleanup();
  });

  /** Runs `mount-forever` until it has flushed once and some time more; gives the last round it said was flushed. */
  const roundsUntilKilled = async (path: string, lifeMs: number): Promise<number> => {
    const { attachDir, stateDir } = world.disks;
    const script = join(__dirname, '../../support/mount-forever.ts');
    const child = spawn(process.execPath, ['--import', 'tsx', script, attachDir, stateDir, path], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = once(child, 'exit');
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    await Promise.race([once(child.stdout, 'data'), exited]);
    await wait(lifeMs);
    child.kill('SIGKILL');
    await exited;
    return Number(output.trim().split('\n').at(-1));
  };

  it('law 3, law 8: has every flushed write and a sound target path after kill -9 at any moment', async () => {
    const { volume, number } = await bench.formattedVolume();
    const path = await bench.stagingPath();
    await bench.host.disks.setDiskState(number, false, SIGNAL);
    for (let kill = 0; kill < KILLS; kill++) {
      const flushed = await roundsUntilKilled(path, Math.random() * LONGEST_LIFE_MS);
      expect(flushed).toBeGreaterThan(0);
      await bench.restart();
      const { disks, files, volumes } = bench.host;
      const mounted = await files.isSymlink(path, SIGNAL);
      await disks.setDiskState(number, true, SIGNAL);
      if (!mounted) await volumes.mountVolume(volume, path, SIGNAL);
      const round = Number(await readFile(join(path, 'round'), 'utf8'));
      expect(round).toBeGreaterThanOrEqual(flushed);
      expect(round).toBeLessThanOrEqual(flushed + 1);
      await volumes.unmountVolume(volume, path, SIGNAL);
      await disks.setDiskState(number, false, SIGNAL);
    }
  }, 120_000);
});
