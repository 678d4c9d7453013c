import { createHash } from 'node:crypto';
import { lstat, open, readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { basicPartition, SECTOR_BYTES } from '../../../src/core/gpt.ts';
import { readTable } from '../../../src/hosts/partition-table.ts';
import { isFile } from '../../../src/hosts/simulated/catalog.ts';
import { VolumeImage } from '../../../src/hosts/simulated/volume-image.ts';

/** Digests of files by their path in a volume. */
export type Files = ReadonlyMap<string, string>;

export const digestOf = (bytes: Uint8Array): string =>
  `${bytes.length}:${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}`;

/** The bytes a pod writes. */
export const contentOf = (seed: number, bytes: number): Buffer =>
  createHash('shake256', { outputLength: Math.max(bytes, 1) })
    .update(String(seed))
    .digest()
    .subarray(0, bytes);

/** The files below a folder, as whoever opens it sees them. */
export async function filesBelow(folder: string): Promise<Files> {
  const root = await realpath(folder);
  const found = await readdir(root, { recursive: true, withFileTypes: true });
  const files = new Map<string, string>();
  for (const entry of found.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name);
    files.set(path.slice(root.length + 1), digestOf(await readFile(path)));
  }
  return files;
}

/** Byte at which the volume of an image starts; `undefined` without a partition. */
export async function volumeOffset(imagePath: string): Promise<number | undefined> {
  const table = await readTable(imagePath, await sizeOf(imagePath));
  const partition = table.kind === 'gpt' ? basicPartition(table.gpt) : undefined;
  return partition === undefined ? undefined : Number(partition.firstLba * SECTOR_BYTES);
}

/** What an image holds for whoever would mount it now; `undefined` while it has no file system. */
export async function filesInImage(imagePath: string): Promise<Files | undefined> {
  const table = await readTable(imagePath, await sizeOf(imagePath));
  const partition = table.kind === 'gpt' ? basicPartition(table.gpt) : undefined;
  if (partition === undefined) return undefined;
  return VolumeImage.use(imagePath, partition, async (image) => {
    if ((await image.fileSystemBytes()) === undefined) return undefined;
    const { catalog } = await image.content();
    const files = new Map<string, string>();
    for (const { path, extents } of catalog.entries.filter(isFile)) {
      const pieces = [];
      for (const [offset, bytes] of extents) pieces.push(await image.read(offset, bytes));
      files.set(path, digestOf(Buffer.concat(pieces)));
    }
    return files;
  });
}

export const sizeOf = async (path: string): Promise<bigint> => (await stat(path, { bigint: true })).size;

export async function bytesAt(path: string, offset: number, length: number): Promise<Buffer> {
  const file = await open(path, 'r');
  const bytes = Buffer.alloc(length);
  await file.read(bytes, 0, length, offset);
  await file.close();
  return bytes;
}

export async function writeAt(path: string, offset: number, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'r+');
  await file.write(bytes, 0, bytes.length, offset);
  await file.close();
}

/** `link`, `full folder`, `empty folder`, `file`, `nothing`: what is at a path itself. */
export async function whatIsAt(path: string): Promise<string> {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) return 'nothing';
  if (found.isSymbolicLink()) return 'link';
  if (!found.isDirectory()) return 'file';
  return (await readdir(path)).length === 0 ? 'empty folder' : 'full folder';
}

export const leadsNowhere = async (path: string): Promise<boolean> =>
  (await whatIsAt(path)) === 'link' && (await stat(path).catch(() => undefined)) === undefined;

/** Everything below a folder that is no folder itself. */
export async function thingsBelow(folder: string): Promise<readonly string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return found.filter((entry) => !entry.isDirectory()).map(({ parentPath, name }) => join(parentPath, name));
}
