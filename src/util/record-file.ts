import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/**
 * One JSON record in one file that survives a crash at any byte (law 8): written to a temporary file beside it,
 * fsynced, renamed over it, and the folder fsynced. A reader sees the old record or the new one, never a part.
 */
export async function writeRecord(path: string, record: unknown): Promise<void> {
  const folder = dirname(path);
  const temporary = join(folder, `.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(`${JSON.stringify(record, undefined, 2)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(folder);
}

/** The record; `undefined` when there is no such file. Throws a `SyntaxError` on what is not JSON. */
export async function readRecord(path: string): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined;
    throw error;
  }
  return JSON.parse(text) as unknown;
}

/** Removes a record for good: a crash after this does not bring it back. */
export async function removeRecord(path: string): Promise<void> {
  await rm(path, { force: true });
  await syncFolder(dirname(path));
}

/**
 * Puts an unreadable record out of the way without losing it (law 8): renamed to `<name>.unreadable-<time>` in
 * its folder, for a person to look at. Gives the new path.
 */
export async function setAsideRecord(path: string): Promise<string> {
  const aside = `${path}.unreadable-${Date.now()}`;
  await rename(path, aside);
  await syncFolder(dirname(path));
  return aside;
}

/** Makes a folder and its parents, readable by this user only. */
export async function makeRecordFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
}

/** Names of everything in a folder, records and what a crash left; none when there is no such folder. */
export async function listRecordFolder(path: string): Promise<readonly string[]> {
  try {
    return await readdir(path);
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return [];
    throw error;
  }
}

/** Names of temporary files a crash may leave behind: to be removed when a folder is opened, never read. */
export const isTemporaryRecord = (name: string): boolean => /^\..*\.[0-9a-f]{12}\.tmp$/.test(name);

/** True for a Node.js system error with this code; also for one of another realm, as a test runner's are. */
export function isErrno(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}

/** Makes renames and removals in a folder durable. Windows has no such call and needs none: NTFS journals them. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
