import { mkdir, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runTool } from './run-tool.ts';
import { makeTempFolder } from './temp-folder.ts';

/** A file system of its own on a loop device; needs root. */
export interface LoopFileSystem {
  readonly path: string;
  remove(): Promise<void>;
}

const MAKE = {
  xfs: ['mkfs.xfs', '-q', '-m', 'reflink=1'],
  btrfs: ['mkfs.btrfs', '-q'],
} as const;

/** `bytes` is at least 300 MiB: less, mkfs.xfs refuses. The image is sparse. */
export async function mountLoopFileSystem(kind: keyof typeof MAKE, bytes: bigint): Promise<LoopFileSystem> {
  const folder = await makeTempFolder();
  const image = join(folder, 'image');
  const path = join(folder, 'mount');
  try {
    await writeFile(image, '');
    await truncate(image, Number(bytes));
    await mkdir(path);
    const [command, ...options] = MAKE[kind];
    await runTool(command, [...options, image]);
    await runTool('mount', ['-o', 'loop', image, path]);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
  return {
    path,
    async remove() {
      // Lazily when a failed test left a file open: the loop device then goes with the last of them.
      await runTool('umount', [path]).catch(() => runTool('umount', ['--lazy', path]));
      await rm(folder, { recursive: true, force: true });
    },
  };
}
