import { StorageError } from '../core/errors.ts';
import type { DiskNumber } from '../core/ids.ts';
import type { DiskIds } from '../core/ports/host-storage.ts';
import { compareIdentity, identityText, type DiskIdentity } from './disk-identity.ts';

export type DiskTable = ReadonlyMap<DiskNumber, DiskIds>;

/** More disks than this are not listed in a message. */
const SHOWN_DISKS = 16;

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

/** `2 (serial number …, page 83 …), 3 (…)` for messages. */
export function diskTableText(table: DiskTable): string {
  const lines = [...table].map(([number, ids]) => `${number} (${identityText(ids)})`);
  if (lines.length === 0) return 'none';
  const more = lines.length - SHOWN_DISKS;
  return lines.slice(0, SHOWN_DISKS).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
