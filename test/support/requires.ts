/* eslint-disable jest/no-export, jest/valid-title, jest/valid-describe-callback, jest/expect-expect -- a helper for suites, not one */
import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from '@jest/globals';
import { packageOf, TOOL_PATH } from '../../src/hosts/linux/tools.ts';

/** What a suite needs of the machine: `root`, a device node, the name of a tool, or what a function says is missing. */
export type Need =
  | 'root'
  | 'loop'
  | 'fuse'
  | { readonly tool: string; readonly debianPackage?: string }
  | (() => string | undefined);

const tool = (name: string, debianPackage?: string): Need => ({
  tool: name,
  ...(debianPackage === undefined ? {} : { debianPackage }),
});

/** What `hosts/linux` needs. */
export const LINUX_HOST: readonly Need[] = [
  'root',
  'loop',
  'fuse',
  ...['losetup', 'partx', 'mkfs.ntfs', 'mount.ntfs-3g', 'ntfsresize', 'ntfsfix', 'ntfsinfo'].map((name) =>
    tool(name),
  ),
];
export const SFDISK = tool('sfdisk', 'fdisk');
export const MKFS_EXT4 = tool('mkfs.ext4', 'e2fsprogs');

/**
 * A suite for machines that have all it needs. Elsewhere one test in its place says what is not run and why;
 * with CI=true that test fails, so that nothing goes untested unnoticed.
 */
export function describeWhere(needs: readonly Need[], name: string, suite: () => void): void {
  const missing = needs.map(lackOf).filter((lack) => lack !== undefined);
  if (missing.length === 0) {
    describe(name, suite);
    return;
  }
  const why = `NOT RUN: ${name}: ${missing.join('; ')}`;
  describe(name, () => {
    it(why, () => {
      if (process.env['CI'] === 'true')
        throw new Error(`${why} (CI=true: a missing requirement is a failure)`);
      process.stderr.write(`${why}\n`);
    });
  });
}

/** What is missing and how to get it; `undefined` when it is there. */
function lackOf(need: Need): string | undefined {
  if (typeof need === 'function') return need();
  if (need === 'root') return process.getuid?.() === 0 ? undefined : 'needs root: run it with sudo';
  if (need === 'loop') return lackOfDevice('/dev/loop-control');
  if (need === 'fuse') return lackOfDevice('/dev/fuse');
  if (TOOL_PATH.some((folder) => may(join(folder, need.tool), constants.X_OK))) return undefined;
  return `needs ${need.tool}: apt-get install ${need.debianPackage ?? packageOf(need.tool)}`;
}

function lackOfDevice(path: string): string | undefined {
  return may(path, constants.R_OK | constants.W_OK) ? undefined : `needs ${path}`;
}

function may(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}
