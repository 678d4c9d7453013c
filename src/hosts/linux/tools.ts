import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';

/** Where tools are looked for: the driver's own environment does not decide which `mkfs.ntfs` formats a disk. */
export const TOOL_PATH = [
  '/usr/local/sbin',
  '/usr/local/bin',
  '/usr/sbin',
  '/usr/bin',
  '/sbin',
  '/bin',
] as const;

/** Every tool this host runs, and the Debian package it comes in. */
export const TOOLS: ReadonlyMap<string, string> = new Map([
  ['losetup', 'mount'],
  ['mount', 'mount'],
  ['umount', 'mount'],
  ['partx', 'util-linux'],
  ['sync', 'coreutils'],
  ['mkfs.ntfs', 'ntfs-3g'],
  ['mount.ntfs-3g', 'ntfs-3g'],
  ['ntfsresize', 'ntfs-3g'],
  ['ntfsfix', 'ntfs-3g'],
  ['ntfsinfo', 'ntfs-3g'],
]);

export const packageOf = (tool: string): string => TOOLS.get(tool) ?? tool;

export interface MissingTool {
  readonly tool: string;
  readonly debianPackage: string;
}

/** Those of the given tools that are not installed. */
export async function missingTools(
  tools: ReadonlyMap<string, string> = TOOLS,
): Promise<readonly MissingTool[]> {
  const looked = await Promise.all(
    [...tools].map(async ([tool, debianPackage]) =>
      (await isInstalled(tool)) ? [] : [{ tool, debianPackage }],
    ),
  );
  return looked.flat();
}

async function isInstalled(tool: string): Promise<boolean> {
  const found = await Promise.all(
    TOOL_PATH.map((folder) =>
      access(join(folder, tool), constants.X_OK).then(
        () => true,
        () => false,
      ),
    ),
  );
  return found.includes(true);
}
