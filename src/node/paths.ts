import { StorageError } from '../core/errors.ts';
import type { HostFiles } from '../core/ports/host-storage.ts';

/**
 * `live`: a link or mount point that leads somewhere. `plain`: a directory, a file, or a link or mount point that
 * leads nowhere. `missing`: nothing is there.
 */
export type PathState = 'live' | 'plain' | 'missing';

/**
 * What is at a path: one host call when something is there. Hosts fail alike on a missing path, on some dangling
 * mount points and on trouble, so after a failure the path's existence decides, never the failure (law 5). Throws when
 * the host does not answer: a mount that is slow to look at is no dangling one.
 */
export async function pathState(files: HostFiles, path: string, signal: AbortSignal): Promise<PathState> {
  const first = await linkState(files, path, signal);
  if (first !== undefined) return first;
  if (!(await files.pathExists(path, signal))) return 'missing';
  // The host answers, and still cannot say what the thing leads to: a mount point whose volume is gone.
  return (await linkState(files, path, signal)) ?? 'plain';
}

async function linkState(
  files: HostFiles,
  path: string,
  signal: AbortSignal,
): Promise<'live' | 'plain' | undefined> {
  try {
    return (await files.isSymlink(path, signal)) ? 'live' : 'plain';
  } catch (error) {
    if (isUnanswered(error)) throw error;
    return undefined;
  }
}

/** Our own clock or caller ended the wait. No host says so, so this decides on nothing that a host says (law 5). */
const isUnanswered = (error: unknown): boolean =>
  StorageError.is(error, 'deadline-exceeded') || StorageError.is(error, 'cancelled');

/** Whether two texts are one path: neither doubled nor trailing separators count. */
export const isSamePath = (one: string, other: string): boolean => spelled(one) === spelled(other);

/** Whether `path` lies below `folder`. */
export const isBelow = (path: string, folder: string): boolean =>
  spelled(path).startsWith(`${spelled(folder)}/`);

/** The folder a path is in; `undefined` for a name without one. Knows both separators: the host may not be ours. */
export function parentOf(path: string): string | undefined {
  const end = Math.max(trimmed(path).lastIndexOf('/'), trimmed(path).lastIndexOf('\\'));
  return end > 0 ? path.slice(0, end) : undefined;
}

/** One spelling for all the ways to write a path. Windows tells neither cases nor its two separators apart. */
function spelled(path: string): string {
  const isWindows = /^([A-Za-z]:|\\)/.test(path);
  const text = isWindows ? path.replaceAll('\\', '/').toLowerCase() : path;
  return text.replaceAll(/\/{2,}/g, '/').replace(/\/$/, '');
}

const trimmed = (path: string): string => path.replace(/[/\\]+$/, '');

/** Whether a path is absolute in a form some kubelet uses: `/var/lib`, `\var\lib`, `C:\var\lib`. */
export const isAbsolutePath = (path: string): boolean => /^([A-Za-z]:)?[\\/]/.test(path);

/**
 * A path that something is made or removed at; `invalid-argument` unless it is absolute and goes straight there: with
 * `..` in it a staging path could pass for another path.
 */
export function requiredPath(path: string, field: string): string {
  if (isAbsolutePath(path) && !/(^|[\\/])\.{1,2}([\\/]|$)/.test(path)) return path;
  throw new StorageError(
    'invalid-argument',
    `${field} "${path}" must be an absolute path without "." and ".."`,
  );
}
