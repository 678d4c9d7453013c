import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { parseMountInfo } from '../../src/hosts/linux/mountinfo.ts';

/** What a Linux host still has in the kernel of anything below a folder. */
export interface KernelLeftovers {
  /** Deepest and latest first. */
  readonly mounts: readonly string[];
  /** `/dev/loop3`. */
  readonly loops: readonly string[];
}

/** Asks the kernel, not the code under test. */
export function leftoversBelow(folder: string): KernelLeftovers {
  const mounts = parseMountInfo(readFileSync('/proc/self/mountinfo', 'utf8'))
    .map(({ mountPoint }) => mountPoint)
    .filter((path) => path.startsWith(`${folder}/`))
    .toReversed();
  const loops = readdirSync('/sys/block')
    .filter((name) => name.startsWith('loop') && backingFile(name).startsWith(`${folder}/`))
    .map((name) => `/dev/${name}`);
  return { mounts, loops };
}

/** Takes down what a test left, also a failed one. Touches nothing outside the folder. */
export function removeLeftovers(folder: string): void {
  for (let tries = 0; tries < 3; tries++) {
    const { loops, mounts } = leftoversBelow(folder);
    for (const mount of mounts) spawnSync('umount', [mount]);
    for (const loop of loops) {
      spawnSync('partx', ['--delete', loop]);
      spawnSync('losetup', ['--detach', loop]);
    }
    if (mounts.length === 0 && loops.length === 0) return;
  }
}

function backingFile(loop: string): string {
  try {
    return readFileSync(`/sys/block/${loop}/loop/backing_file`, 'utf8').trim();
  } catch {
    return '';
  }
}
