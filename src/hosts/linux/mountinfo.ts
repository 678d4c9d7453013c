import { readFile } from 'node:fs/promises';

/** One line of /proc/self/mountinfo (proc(5)), as far as this host needs it. */
export interface MountEntry {
  readonly mountId: number;
  /** `major:minor` of the mounted device: what a mount is found by, names of devices change. */
  readonly device: string;
  /** `/` unless only a folder of the file system is mounted here. */
  readonly root: string;
  readonly mountPoint: string;
  readonly fsType: string;
}

/** In the order of the table: of two mounts at one path the later one is on top. */
export async function readMounts(): Promise<readonly MountEntry[]> {
  return parseMountInfo(await readFile('/proc/self/mountinfo', 'utf8'));
}

export function parseMountInfo(text: string): readonly MountEntry[] {
  return text.split('\n').flatMap((line) => {
    const fields = line.split(' ');
    const [mountId, , device, root, mountPoint] = fields;
    const fsType = fields[fields.indexOf('-', 6) + 1];
    if (mountPoint === undefined || device === undefined || root === undefined) return [];
    return [
      {
        mountId: Number(mountId),
        device,
        root: unescape(root),
        mountPoint: unescape(mountPoint),
        fsType: fsType ?? '',
      },
    ];
  });
}

/** The mount that answers at a path: the last one made exactly there. */
export function mountAt(mounts: readonly MountEntry[], path: string): MountEntry | undefined {
  return mounts.findLast(({ mountPoint }) => mountPoint === path);
}

/** Mounts at a path or anywhere below it. */
export function mountsWithin(mounts: readonly MountEntry[], path: string): readonly MountEntry[] {
  return mounts.filter(({ mountPoint }) => isWithin(mountPoint, path));
}

/** The mount that a path lies on: the deepest at or above it. */
export function mountOver(mounts: readonly MountEntry[], path: string): MountEntry | undefined {
  return mounts
    .filter(({ mountPoint }) => isWithin(path, mountPoint))
    .reduce<MountEntry | undefined>(
      (deepest, mount) =>
        deepest === undefined || mount.mountPoint.length >= deepest.mountPoint.length ? mount : deepest,
      undefined,
    );
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);
}

/** The kernel writes space, tab, newline and backslash as `\` and three octal digits; bytes, not characters. */
function unescape(field: string): string {
  return field.replaceAll(/\\([0-7]{3})/g, (_all, octal: string) =>
    String.fromCharCode(Number.parseInt(octal, 8)),
  );
}
