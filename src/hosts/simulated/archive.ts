import { createHash } from 'node:crypto';
import { lstat, mkdir, readdir, readlink, symlink } from 'node:fs/promises';
import type { Dirent } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { StorageError } from '../../core/errors.ts';
import { isErrno } from '../../util/record-file.ts';
import { withFile } from '../../util/with-file.ts';
import { writeFully } from '../../util/write-fully.ts';
import { holdsTheSame, isFile } from './catalog.ts';
import type { CatalogEntry, FileEntry } from './catalog.ts';
import type { Extent, FreeSpace } from './free-space.ts';
import type { VolumeImage } from './volume-image.ts';

const CHUNK_BYTES = 1024 * 1024;

/** Told the generation the volume is about to get, before it gets it. */
export type Announce = (generation: string) => Promise<void>;

/**
 * Makes the volume hold what the folder holds: files of all sizes, directories and links by name, bytes and target.
 * Bodies that the volume has already are not written again. Sockets, pipes and devices are left out.
 */
export async function pack(folder: string, image: VolumeImage, announce: Announce): Promise<void> {
  const former = await image.content();
  const free = await image.freeSpace(former);
  const bodies = new Map(former.catalog.entries.filter(isFile).map((file) => [bodyKey(file), file.extents]));
  const entries: CatalogEntry[] = [];
  for await (const found of walk(folder)) {
    const entry = await unlessGone(() =>
      entryOf(folder, found, (file) => keepBody(file, image, free, bodies)),
    );
    if (entry !== undefined) entries.push(entry);
  }
  if (!holdsTheSame(former.catalog, entries)) await image.commit(former, entries, free, announce);
}

/** Makes an empty folder hold what the volume holds. */
export async function unpack(image: VolumeImage, folder: string): Promise<string> {
  const { catalog, generation } = await image.content();
  for (const entry of catalog.entries) {
    const place = join(folder, entry.path);
    if (entry.kind === 'directory') await mkdir(place);
    else if (entry.kind === 'link') await symlink(entry.target, place);
    else await withFile(place, 'wx', (file) => restoreBody(entry, image, file));
  }
  return generation;
}

interface FoundPath {
  readonly path: string;
  readonly kind: CatalogEntry['kind'];
}

/** Everything below a folder that a volume can hold, parents before children, in the order of names. */
async function* walk(folder: string, below = ''): AsyncGenerator<FoundPath> {
  const list = (): Promise<Dirent[]> => readdir(join(folder, below), { withFileTypes: true });
  const names = below === '' ? await list() : ((await unlessGone(list)) ?? []);
  for (const found of names.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    const path = below === '' ? found.name : `${below}/${found.name}`;
    if (found.isSymbolicLink()) yield { path, kind: 'link' };
    else if (found.isFile()) yield { path, kind: 'file' };
    else if (found.isDirectory()) {
      yield { path, kind: 'directory' };
      yield* walk(folder, path);
    }
  }
}

/** What files, directories and links below a folder weigh, as `usedBytes` takes it. */
export async function weigh(folder: string): Promise<readonly { readonly bytes?: number }[]> {
  const weights: { readonly bytes?: number }[] = [];
  for await (const { path, kind } of walk(folder)) {
    const found = await unlessGone(() => lstat(join(folder, path)));
    if (found !== undefined) weights.push(kind === 'file' ? { bytes: found.size } : {});
  }
  return weights;
}

async function entryOf(
  folder: string,
  { path, kind }: FoundPath,
  keep: (file: FileHandle) => Promise<Body>,
): Promise<CatalogEntry> {
  const place = join(folder, path);
  if (kind === 'directory') return { kind, path };
  if (kind === 'link') return { kind, path, target: await readlink(place) };
  return { kind, path, ...(await withFile(place, 'r', keep)) };
}

/** Pods go on working while their volume is read: what they remove meanwhile is not there. */
async function unlessGone<Result>(look: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await look();
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined;
    throw error;
  }
}

type Body = Pick<FileEntry, 'bytes' | 'sha256' | 'extents'>;

const bodyKey = ({ bytes, sha256 }: Pick<Body, 'bytes' | 'sha256'>): string => `${bytes}:${sha256}`;

async function keepBody(
  file: FileHandle,
  image: VolumeImage,
  free: FreeSpace,
  bodies: Map<string, readonly Extent[]>,
): Promise<Body> {
  const now = await digest(file);
  const known = bodies.get(bodyKey(now));
  if (known !== undefined) return { ...now, extents: known };
  const body = await storeBody(file, image, free.allocate(now.bytes));
  bodies.set(bodyKey(body), body.extents);
  return body;
}

async function digest(file: FileHandle): Promise<Pick<Body, 'bytes' | 'sha256'>> {
  const hash = createHash('sha256');
  const buffer = Buffer.alloc(CHUNK_BYTES);
  let bytes = 0;
  for (;;) {
    const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES, bytes);
    if (bytesRead === 0) return { bytes, sha256: hash.digest('hex') };
    hash.update(buffer.subarray(0, bytesRead));
    bytes += bytesRead;
  }
}

/** The file may be written to meanwhile: what is recorded is what was stored. */
async function storeBody(file: FileHandle, image: VolumeImage, extents: readonly Extent[]): Promise<Body> {
  const hash = createHash('sha256');
  let bytes = 0;
  for (const [offset, length] of chunksOf(extents)) {
    const chunk = Buffer.alloc(length);
    const { bytesRead } = await file.read(chunk, 0, length, bytes);
    const read = chunk.subarray(0, bytesRead);
    await image.write(offset, read);
    hash.update(read);
    bytes += bytesRead;
    if (bytesRead < length) break;
  }
  return { bytes, sha256: hash.digest('hex'), extents };
}

async function restoreBody(entry: FileEntry, image: VolumeImage, file: FileHandle): Promise<void> {
  const hash = createHash('sha256');
  let left = entry.bytes;
  for (const [offset, length] of chunksOf(entry.extents)) {
    if (left === 0) break;
    const chunk = await image.read(offset, Math.min(length, left));
    hash.update(chunk);
    await writeFully(file, chunk, entry.bytes - left);
    left -= chunk.length;
  }
  if (hash.digest('hex') === entry.sha256) return;
  throw new StorageError(
    'data-loss',
    `the body of ${entry.path} is damaged: restore the volume from a snapshot`,
  );
}

function* chunksOf(extents: readonly Extent[]): Generator<Extent> {
  for (const [offset, bytes] of extents) {
    for (let at = 0; at < bytes; at += CHUNK_BYTES) yield [offset + at, Math.min(CHUNK_BYTES, bytes - at)];
  }
}
