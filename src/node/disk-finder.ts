import { StorageError } from '../core/errors.ts';
import type { DiskNumber } from '../core/ids.ts';
import type { DiskIds, HostDisks } from '../core/ports/host-storage.ts';
import { compareIdentity, identityText, type DiskIdentity } from './disk-identity.ts';

type DiskTable = ReadonlyMap<DiskNumber, DiskIds>;

/** More disks than this are not listed in a message. */
const SHOWN_DISKS = 16;

/**
 * The number this disk has right now (law 2). A disk that is not there is looked for once more after a rescan.
 * Throws `unavailable` when it is not there either, `failed-precondition` when its identity is not certain.
 */
export async function findDisk(
  disks: HostDisks,
  wanted: DiskIdentity,
  signal: AbortSignal,
): Promise<DiskNumber> {
  const found = diskIn(await disks.listDiskIds(signal), wanted);
  if (found !== undefined) return found;
  await disks.rescan(signal);
  const table = await disks.listDiskIds(signal);
  const foundLater = diskIn(table, wanted);
  if (foundLater !== undefined) return foundLater;
  throw new StorageError(
    'unavailable',
    `the disk with ${identityText(wanted)} is not on this node, also after a rescan; disks seen: ${diskTableText(table)}; ` +
      'check that the volume is attached to this node',
  );
}

/** Throws unless `disk` is still the number of this disk: numbers move when disks come and go (law 2). */
export async function confirmDisk(
  disks: HostDisks,
  wanted: DiskIdentity,
  disk: DiskNumber,
  signal: AbortSignal,
): Promise<void> {
  const now = diskIn(await disks.listDiskIds(signal), wanted);
  if (now === disk) return;
  throw new StorageError(
    'unavailable',
    `the disk with ${identityText(wanted)} was number ${disk} and is ${now === undefined ? 'gone' : `number ${now}`} now: ` +
      'disks were attached or detached meanwhile; nothing was formatted, try again',
  );
}

/** The one disk of a table with this identity, `undefined` when it is not there; `failed-precondition` when in doubt. */
export function diskIn(table: DiskTable, wanted: DiskIdentity): DiskNumber | undefined {
  const matches: DiskNumber[] = [];
  for (const [number, ids] of table) {
    const match = compareIdentity(ids, wanted);
    if (match === 'conflict') {
      throw new StorageError(
        'failed-precondition',
        `disk ${number} has ${identityText(ids)}, the volume's disk has ${identityText(wanted)}: ` +
          'one id agrees and the other does not, so it is not touched; look at the disk on the node and in the storage',
      );
    }
    if (match === 'same') matches.push(number);
  }
  if (matches.length > 1) {
    throw new StorageError(
      'failed-precondition',
      `disks ${matches.join(' and ')} both have ${identityText(wanted)}: nothing tells which one is the volume's, ` +
        'so none is touched; detach the wrong one, or claim them with multipath I/O',
    );
  }
  return matches[0];
}

function diskTableText(table: DiskTable): string {
  const lines = [...table].map(([number, ids]) => `${number} (${identityText(ids)})`);
  if (lines.length === 0) return 'none';
  const more = lines.length - SHOWN_DISKS;
  return lines.slice(0, SHOWN_DISKS).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
