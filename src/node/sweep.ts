import { messageOf } from '../core/errors.ts';
import type { VolumeId } from '../core/ids.ts';
import { BackOff } from '../util/back-off.ts';
import type { KeyedLock } from '../util/keyed-lock.ts';
import { sleep } from '../util/sleep.ts';
import { seeDisks } from './disk-finder.ts';
import { recordOf } from './journal.ts';
import { volumeLockKey } from './node-deps.ts';
import { StaleMounts, type StaleMountDeps } from './stale-mounts.ts';

export interface SweepDeps extends StaleMountDeps {
  /** The one the RPCs take (law 6). */
  readonly lock: KeyedLock;
  /** For tests. */
  readonly random?: () => number;
}

export interface SweepOptions {
  readonly intervalSeconds: number;
  /** How long a pass waits for one volume before it goes on to the next. Default 60. */
  readonly patienceSeconds?: number;
}

/** A pass that failed is tried again after this at first, and after the interval at last. */
const FIRST_RETRY_SECONDS = 1;
const PATIENCE_SECONDS = 60;

/** What a pass could not do; a volume that somebody works on is none of it. */
interface Failure {
  readonly volumeId: VolumeId;
  readonly error: unknown;
}

/**
 * Law 12: clears staging mounts and pod links that lead nowhere. After a reboot kubelet fails on a dangling mount
 * point before it ever calls NodeStageVolume, so only the driver can clear it. The same pass refreshes the volumes'
 * conditions and drops records that are of no use any more.
 */
export class NodeSweeper {
  readonly #deps: SweepDeps;
  readonly #options: SweepOptions;
  readonly #staleMounts: StaleMounts;
  /** The last pass failed, and the log says so. */
  #isFailing = false;

  constructor(deps: SweepDeps, options: SweepOptions) {
    this.#deps = deps;
    this.#options = options;
    this.#staleMounts = new StaleMounts(deps);
  }

  /**
   * Sweeps until the signal aborts, the first time at once. A failed pass is logged, never fatal: while the host is not
   * there (law 10), once and not each time.
   */
  async run(signal: AbortSignal): Promise<void> {
    const { intervalSeconds } = this.#options;
    const { random } = this.#deps;
    const retry = new BackOff({
      firstSeconds: FIRST_RETRY_SECONDS,
      mostSeconds: intervalSeconds,
      ...(random === undefined ? {} : { random }),
    });
    let atStart = true;
    while (!signal.aborted) {
      const swept = await this.#tried(signal, atStart);
      // A first pass that failed (CSI Proxy is not there yet) is still to be done.
      if (swept && atStart) this.#deps.log.info({}, 'first sweep of stale mounts ended');
      if (swept) {
        atStart = false;
        retry.reset();
      }
      await sleep(swept ? intervalSeconds * 1000 : retry.next(), signal);
    }
  }

  async #tried(signal: AbortSignal, atStart: boolean): Promise<boolean> {
    const { log } = this.#deps;
    try {
      await this.sweepOnce(signal, atStart);
      if (this.#isFailing) log.info({}, 'the host answers again: stale mounts are swept');
      this.#isFailing = false;
      return true;
    } catch (error) {
      if (!signal.aborted && !this.#isFailing) {
        log.warn({ err: error }, `could not sweep stale mounts, will keep trying: ${messageOf(error)}`);
        this.#isFailing = true;
      }
      return false;
    }
  }

  /**
   * One pass. `atStart`: this process has just started, so what dangles now has dangled since the reboot. Throws when the
   * disks cannot be seen, and when every single volume fails: then the trouble is the host's, not theirs.
   */
  async sweepOnce(signal: AbortSignal, atStart: boolean): Promise<void> {
    const { host, journal, log, now } = this.#deps;
    const records = await journal.list();
    if (records.length === 0) return;
    const begun = now();
    const pass = { seen: await seeDisks(host, signal), atStart };
    const failures: Failure[] = [];
    for (const { volumeId } of records) {
      if (signal.aborted) return;
      const swept = this.#locked(volumeId, async () => {
        // Read again under the lock: an RPC may have changed it since the list was made.
        const record = recordOf(await journal.read(volumeId));
        // Its disk may have come since the disks were listed: the next pass sees both.
        if (record === undefined || record.updatedAt > begun) return;
        await this.#staleMounts.sweep(record, pass, signal);
      }).catch((error: unknown) => failures.push({ volumeId, error }));
      await this.#waitFor(swept, volumeId, signal);
    }
    if (signal.aborted) return;
    const [first] = failures;
    if (first !== undefined && failures.length === records.length) throw first.error;
    for (const { volumeId, error } of failures)
      log.warn({ volumeId, err: error }, `could not sweep a volume: ${messageOf(error)}`);
  }

  /**
   * A host call that hangs keeps the lock of its volume (law 6), but neither the other volumes nor the end of the process
   * waiting.
   */
  async #waitFor(swept: Promise<unknown>, volumeId: VolumeId, signal: AbortSignal): Promise<void> {
    const { patienceSeconds = PATIENCE_SECONDS } = this.#options;
    const over = new AbortController();
    const end = (): void => {
      over.abort();
    };
    // No `AbortSignal.any`: `signal` lives as long as the process and would remember each of them.
    signal.addEventListener('abort', end, { once: true });
    void swept.finally(end);
    await sleep(patienceSeconds * 1000, over.signal);
    signal.removeEventListener('abort', end);
    if (!over.signal.aborted)
      this.#deps.log.warn(
        { volumeId },
        'the sweep of a volume is overdue: it keeps its lock, the others go on',
      );
  }

  /** A busy volume is somebody's work: it is left for the next pass. */
  async #locked(volumeId: VolumeId, sweep: () => Promise<void>): Promise<void> {
    const attempt = this.#deps.lock.tryAcquire([volumeLockKey(volumeId)], 'sweep');
    if (!attempt.acquired) return;
    try {
      await sweep();
    } finally {
      attempt.release();
    }
  }
}
