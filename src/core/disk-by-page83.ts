import { StorageError } from './errors.ts';
import type { DiskNumber } from './ids.ts';
import type { DiskIds } from './ports/host-storage.ts';

/**
 * The one disk of a table with exactly this page 83 id (law 2). Throws `not-found` when there is none,
 * `failed-precondition` when several have it.
 */
export function diskByPage83(table: ReadonlyMap<DiskNumber, DiskIds>, page83: string): DiskNumber {
  const matches = [...table]
    .filter(([, ids]) => ids.page83 === page83 && page83 !== '')
    .map(([disk]) => disk);
  const [only, ...others] = matches;
  if (only === undefined) {
    throw new StorageError(
      'not-found',
      `no disk of this host has the page 83 id ${JSON.stringify(page83)}: check that it is attached`,
    );
  }
  if (others.length > 0) {
    const text = `disks ${matches.join(' and ')} all have the page 83 id ${JSON.stringify(page83)}: nothing tells them apart`;
    throw new StorageError('failed-precondition', text);
  }
  return only;
}
