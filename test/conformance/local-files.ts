import { lstat, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileHands } from './hands.ts';

/** The file system of this machine. `root`: the folder that stands for `C:\`; `undefined` on Windows, where `C:\` does. */
export function localFiles(root: string | undefined): FileHands {
  const here = (path: string): string =>
    root === undefined ? path : join(root, ...path.replace(/^[A-Za-z]:\\/, '').split('\\'));
  return {
    exists: async (path) => {
      const found = await lstat(here(path)).catch(() => undefined);
      return found !== undefined;
    },
    mkdir: async (path) => {
      await mkdir(here(path), { recursive: true });
    },
    write: (path, text) => writeFile(here(path), text),
    read: (path) => readFile(here(path), 'utf8'),
    link: (source, target) => symlink(here(source), here(target), 'dir'),
    remove: (path) => rm(here(path), { recursive: true, force: true, maxRetries: 3 }),
  };
}
