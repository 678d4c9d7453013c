import { createHash } from 'node:crypto';
import { StorageError } from '../../core/errors.ts';
import { CLUSTER_BYTES, wholeClusters } from './free-space.ts';
import type { Extent } from './free-space.ts';

/** Everything a volume holds: paths are relative to its root, with `/`, parents before children. */
export interface Catalog {
  /** Grows by one with each catalog written to a volume. */
  readonly sequence: number;
  readonly entries: readonly CatalogEntry[];
}

export type CatalogEntry = DirectoryEntry | LinkEntry | FileEntry;

interface DirectoryEntry {
  readonly kind: 'directory';
  readonly path: string;
}

interface LinkEntry {
  readonly kind: 'link';
  readonly path: string;
  readonly target: string;
}

export interface FileEntry {
  readonly kind: 'file';
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly extents: readonly Extent[];
}

const SCHEMA = 1;

export function encodeCatalog(catalog: Catalog): Uint8Array {
  return Buffer.from(JSON.stringify({ schema: SCHEMA, ...catalog }), 'utf8');
}

export function decodeCatalog(bytes: Uint8Array): Catalog {
  const record = JSON.parse(Buffer.from(bytes).toString('utf8')) as Catalog & { readonly schema: unknown };
  if (record.schema !== SCHEMA) {
    throw new StorageError(
      'data-loss',
      `the volume's catalog has schema ${String(record.schema)}, this release reads ${SCHEMA}`,
    );
  }
  // What is below anything but a folder of the volume, a link for one, would be written outside of it (law 4).
  const folders = new Set(['']);
  const stray = record.entries.find(({ kind, path }) => {
    if (kind === 'directory') folders.add(path);
    return !isInside(path) || !folders.has(path.slice(0, Math.max(0, path.lastIndexOf('/'))));
  });
  if (stray !== undefined) {
    throw new StorageError(
      'data-loss',
      `the volume's catalog names "${stray.path}", which is outside of the volume`,
    );
  }
  return { sequence: record.sequence, entries: record.entries };
}

export const isFile = (entry: CatalogEntry): entry is FileEntry => entry.kind === 'file';

/** Whether two catalogs say the same of a volume, whenever they were written. */
export function holdsTheSame(one: Catalog, other: readonly CatalogEntry[]): boolean {
  return JSON.stringify(one.entries) === JSON.stringify(other);
}

/** What the entries take up, each at least its name's worth: one cluster per directory and link, whole ones per file. */
export function usedBytes(entries: Iterable<{ readonly bytes?: number }>): number {
  let sum = 0;
  for (const { bytes } of entries) sum += bytes === undefined ? CLUSTER_BYTES : wholeClusters(bytes);
  return sum;
}

export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

function isInside(path: string): boolean {
  return path.split('/').every((name) => name !== '' && name !== '.' && name !== '..');
}
