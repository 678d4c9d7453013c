import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** What still exists of a demo: nothing, when it cleaned up. */
export interface Leftovers {
  /** Mount points below the demo's folder, deepest first. */
  readonly mounts: readonly string[];
  /** Loop devices whose backing file is in the demo's folder. */
  readonly loops: readonly string[];
}

/** Looks at the kernel, not at what the driver says. */
export async function findLeftovers(folder: string): Promise<Leftovers> {
  return { mounts: await mountsBelow(folder), loops: await loopsOver(folder) };
}

/** Takes down what a failed or interrupted demo left. Only things inside its own folder are touched. */
export async function removeLeftovers(folder: string): Promise<void> {
  for (
    let left = await findLeftovers(folder), tries = 0;
    tries < 3;
    left = await findLeftovers(folder), tries++
  ) {
    for (const mount of left.mounts) await quietly('umount', [mount]);
    for (const loop of left.loops) await quietly('losetup', ['--detach', loop]);
  }
}

async function mountsBelow(folder: string): Promise<string[]> {
  const lines = (await readFile('/proc/self/mounts', 'utf8')).split('\n');
  return lines
    .map((line) =>
      (line.split(' ')[1] ?? '').replace(/\\(\d{3})/g, (_all, octal: string) =>
        String.fromCharCode(parseInt(octal, 8)),
      ),
    )
    .filter((point) => point.startsWith(`${folder}/`))
    .reverse();
}

async function loopsOver(folder: string): Promise<string[]> {
  const devices = (await readdir('/sys/block')).filter((name) => name.startsWith('loop'));
  const backed = await Promise.all(
    devices.map(async (name) => {
      const file = await readFile(join('/sys/block', name, 'loop/backing_file'), 'utf8').catch(() => '');
      return file.startsWith(`${folder}/`) ? [`/dev/${name}`] : [];
    }),
  );
  return backed.flat();
}

async function quietly(command: string, args: readonly string[]): Promise<void> {
  await run(command, args).catch(() => undefined);
}
