import { messageOf, StorageError, throwIfAborted } from '../core/errors.ts';
import type { DiskNumber } from '../core/ids.ts';
import type { HostStorage } from '../core/ports/host-storage.ts';
import { identityText, type DiskIdentity } from './disk-identity.ts';
import { diskIn, diskTableText } from './disk-table.ts';

type Host = Pick<HostStorage, 'disks' | 'capabilities'>;

/**
 * The number this disk has right now (law 2). A disk that is not there is looked for once more after a rescan.
 * Throws `unavailable` when it is not there either, `failed-precondition` when its identity is not certain.
 */
export async function findDisk(host: Host, wanted: DiskIdentity, signal: AbortSignal): Promise<DiskNumber> {
  const first = await look(host, wanted, signal);
  if (first.disk !== undefined) return first.disk;
  await host.disks.rescan(signal);
  const second = await look(host, wanted, signal);
  if (second.disk !== undefined) return second.disk;
  throw new StorageError(
    'unavailable',
    `the disk with ${identityText(wanted)} is not on this node, also after a rescan; ${second.seen}; ` +
      'check that the volume is attached to this node',
    { cause: second.cause },
  );
}

/** Throws unless `disk` is still the number of this disk: numbers move when disks come and go (law 2). */
export async function confirmDisk(
  host: Host,
  wanted: DiskIdentity,
  disk: DiskNumber,
  signal: AbortSignal,
): Promise<void> {
  const now = await look(host, wanted, signal);
  if (now.disk === disk) return;
  throw new StorageError(
    'unavailable',
    `the disk with ${identityText(wanted)} was number ${disk} and is ${now.disk === undefined ? 'not found' : `number ${now.disk}`} now (${now.seen}): ` +
      'disks were attached or detached meanwhile; nothing was formatted, try again',
    { cause: now.cause },
  );
}

/** The number this disk has, `undefined` when it is certain not to be there; `unavailable` when the host does not tell. */
export async function currentDisk(
  host: Host,
  wanted: DiskIdentity,
  signal: AbortSignal,
): Promise<DiskNumber | undefined> {
  const now = await look(host, wanted, signal);
  if (now.cause === undefined) return now.disk;
  throw new StorageError(
    'unavailable',
    `cannot tell where the disk with ${identityText(wanted)} is: ${now.seen}; try again`,
    { cause: now.cause },
  );
}

/** What one look at all disks says of one of them. `unknown`: this host has no list of disks with their ids. */
export type DiskSighting =
  | { readonly kind: 'here'; readonly disk: DiskNumber }
  | { readonly kind: 'gone' }
  | { readonly kind: 'unknown' };

/** Throws `failed-precondition` when it is in doubt which disk is meant. */
export type SeenDisks = (wanted: DiskIdentity) => DiskSighting;

/** Looks at all disks at once: one host call, none where that cannot be done. */
export async function seeDisks(host: Host, signal: AbortSignal): Promise<SeenDisks> {
  if (!(await host.capabilities(signal)).diskIds) return () => ({ kind: 'unknown' });
  const table = await host.disks.listDiskIds(signal);
  return (wanted) => {
    const disk = diskIn(table, wanted);
    return disk === undefined ? { kind: 'gone' } : { kind: 'here', disk };
  };
}

interface Look {
  readonly disk: DiskNumber | undefined;
  /** What the host showed, for a message. */
  readonly seen: string;
  /** Why the host did not answer: the disk may be there all the same. */
  readonly cause?: unknown;
}

async function look(host: Host, wanted: DiskIdentity, signal: AbortSignal): Promise<Look> {
  const { diskIds } = await host.capabilities(signal);
  if (!diskIds) return await lookByPage83(host, wanted, signal);
  const table = await host.disks.listDiskIds(signal);
  return { disk: diskIn(table, wanted), seen: `disks seen: ${diskTableText(table)}` };
}

/** The oldest CSI Proxies answer for one disk only, and fail alike when it is not there and for any other reason (law 5). */
async function lookByPage83({ disks }: Host, wanted: DiskIdentity, signal: AbortSignal): Promise<Look> {
  requirePage83(wanted);
  try {
    return { disk: await disks.getDiskNumberByPage83(wanted.page83, signal), seen: 'found by page 83' };
  } catch (error) {
    throwIfAborted(signal, `looking for the disk with ${identityText(wanted)}`);
    const seen = `this host finds disks by their page 83 id only, and answered: ${messageOf(error)}`;
    return { disk: undefined, seen, cause: error };
  }
}

function requirePage83(wanted: DiskIdentity): void {
  if (wanted.page83.trim() !== '') return;
  throw new StorageError(
    'failed-precondition',
    `the disk with ${identityText(wanted)} cannot be told from others: this host knows disks by their page 83 id only, and ` +
      'this one has none; nothing was touched; upgrade CSI Proxy to a release with the disk API v1beta1 or newer (0.2.0)',
  );
}
