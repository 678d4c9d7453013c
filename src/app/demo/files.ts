import { createHash, randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const MIB = 1024 ** 2;

/** What the demo writes: sizes around a cluster and a large file, and a name that is not ASCII. */
const FILES: readonly (readonly [path: string, bytes: number])[] = [
  ['hello.txt', 12],
  ['empty', 0],
  ['database/data.mdf', 24 * MIB],
  ['database/log.ldf', 4 * MIB + 17],
  ['grüße/日本語 ✓.bin', 65_537],
];

/** Writes the demo's files into a volume, synced to the disk. Gives how many bytes. */
export async function writeFiles(folder: string): Promise<number> {
  for (const [name, bytes] of FILES) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    const file = await open(path, 'wx');
    await file.writeFile(randomBytes(bytes));
    await file.sync();
    await file.close();
  }
  return FILES.reduce((sum, [, bytes]) => sum + bytes, 0);
}

/** One checksum over names and contents of all files below a folder. */
export async function checksumOf(folder: string): Promise<string> {
  const hash = createHash('sha256');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  for (const file of files.sort()) {
    hash.update(file.slice(folder.length)).update('\0');
    hash.update(await readFile(file));
  }
  return `${files.length} files, sha256 ${hash.digest('hex').slice(0, 16)}`;
}
