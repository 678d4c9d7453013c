import { once } from 'node:events';
import { type FSWatcher, watch } from 'node:fs';
import { stat } from 'node:fs/promises';
import { messageOf } from '../core/errors.ts';
import type { HostStorage } from '../core/ports/host-storage.ts';
import type { Logger } from '../core/ports/logger.ts';
import { isErrno } from '../util/record-file.ts';
import { sleep } from '../util/sleep.ts';

export interface HotPlugDeps {
  /** The attach folder that the host looks into. */
  readonly attachDir: string;
  readonly host: Pick<HostStorage, 'disks'>;
  readonly log: Logger;
}

/** A record is written in several steps; several disks come and go together. */
const DEBOUNCE_MS = 100;
/** How soon a folder that is not there, or cannot be watched, is tried again. */
const RETRY_MS = 1000;

/**
 * Makes a host notice that disks were plugged in or out as a machine does: at once, not with the next call. Without it
 * a disk whose volume nobody unstaged, or that nobody can take offline, is held until somebody lists the disks. It only
 * ever lists them itself. Ends when the signal aborts; trouble is logged and ends nothing.
 */
export async function watchHotPlug(deps: HotPlugDeps, signal: AbortSignal): Promise<void> {
  await untilThere(deps, signal);
  let trouble = '';
  while (!signal.aborted) {
    try {
      await watchFolder(deps, signal);
      trouble = '';
    } catch (error) {
      if (isAborted(signal)) return;
      const reason = messageOf(error);
      // The same every second would bury the rest of the log.
      if (reason !== trouble)
        deps.log.warn({ path: deps.attachDir, reason }, 'cannot watch the attach folder');
      trouble = reason;
    }
    await sleep(RETRY_MS, signal);
  }
}

/** A node announces itself by this folder, so it may come later than the host does: nothing to be warned of. */
async function untilThere({ attachDir: path, log }: HotPlugDeps, signal: AbortSignal): Promise<void> {
  let told = false;
  while (!signal.aborted && (await isMissing(path))) {
    if (!told) log.info({ path }, 'no disks yet: the attach folder comes with the node that uses it');
    told = true;
    await sleep(RETRY_MS, signal);
  }
}

const isMissing = (path: string): Promise<boolean> =>
  stat(path).then(
    () => false,
    (error: unknown) => isErrno(error, 'ENOENT'),
  );

/** Until the folder at this path is gone or another one. What changed before it was watched is looked at first. */
async function watchFolder(deps: HotPlugDeps, signal: AbortSignal): Promise<void> {
  const { attachDir } = deps;
  const watched = await identityOf(attachDir);
  const watcher = watch(attachDir, { persistent: false });
  const changes = new Changes(watcher);
  try {
    while (await changes.next(signal)) {
      await look(deps, signal);
      if ((await identityOf(attachDir)) !== watched) return;
    }
  } finally {
    watcher.close();
  }
}

async function look({ attachDir, host, log }: HotPlugDeps, signal: AbortSignal): Promise<void> {
  try {
    await host.disks.listDiskIds(signal);
  } catch (error) {
    if (signal.aborted) return;
    log.warn({ path: attachDir, reason: messageOf(error) }, 'cannot look for disks that came or went');
  }
}

/** What a watcher has seen since it was asked last. */
class Changes {
  readonly #watcher: FSWatcher;
  #seen = true;
  #failure: Error | undefined;

  constructor(watcher: FSWatcher) {
    this.#watcher = watcher;
    watcher.on('change', () => {
      this.#seen = true;
    });
    watcher.on('error', (error) => {
      this.#failure = error;
    });
  }

  /** Waits for a change and for what comes along with it; false when the signal aborts. Throws when it cannot watch. */
  async next(signal: AbortSignal): Promise<boolean> {
    if (this.#failure !== undefined) throw this.#failure;
    if (!this.#seen) await once(this.#watcher, 'change', { signal });
    await sleep(DEBOUNCE_MS, signal);
    this.#seen = false;
    return !signal.aborted;
  }
}

/** A look that the compiler does not take for the one before it. */
const isAborted = (signal: AbortSignal): boolean => signal.aborted;

async function identityOf(path: string): Promise<string> {
  const { dev, ino, birthtimeNs } = await stat(path, { bigint: true });
  return `${dev}:${ino}:${birthtimeNs}`;
}
