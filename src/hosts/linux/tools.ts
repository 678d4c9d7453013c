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
