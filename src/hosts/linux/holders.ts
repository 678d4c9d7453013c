import { readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { parseMountInfo } from './mountinfo.ts';

/** Enough to know where to look; a message is no process list. */
const MOST_NAMED = 5;

/** Processes that have something open at or below a path, `bash (4711)`, for the message of a refused unmount. */
export async function holdersOf(path: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const pid of await processIds()) {
    if (found.length === MOST_NAMED) break;
    if (await holds(pid, path)) found.push(`${await nameOf(pid)} (${pid})`);
  }
  return found;
}

/** A process that sees a device mounted in a mount namespace other than ours, where we can neither see nor unmount it. */
export async function foreignMountOf(device: string): Promise<string | undefined> {
  const seen = new Set([await namespaceOf('self')]);
  for (const pid of await processIds()) {
    const namespace = await namespaceOf(pid);
    if (namespace === undefined || seen.has(namespace)) continue;
    seen.add(namespace);
    const table = await readFile(`/proc/${pid}/mountinfo`, 'utf8').catch(() => '');
    if (parseMountInfo(table).some((mount) => mount.device === device))
      return `${await nameOf(pid)} (${pid})`;
  }
  return undefined;
}

async function processIds(): Promise<readonly string[]> {
  return (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
}

async function holds(pid: string, path: string): Promise<boolean> {
  const folder = join('/proc', pid);
  const descriptors = await readdir(join(folder, 'fd')).catch(() => []);
  const links = ['cwd', 'root', ...descriptors.map((name) => join('fd', name))];
  const targets = await Promise.all(links.map((link) => readlink(join(folder, link)).catch(() => '')));
  return targets.some((target) => target === path || target.startsWith(`${path}/`));
}

async function nameOf(pid: string): Promise<string> {
  return (await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => 'process')).trim();
}

async function namespaceOf(pid: string): Promise<string | undefined> {
  return readlink(`/proc/${pid}/ns/mnt`).catch(() => undefined);
}
