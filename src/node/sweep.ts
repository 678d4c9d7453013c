import { messageOf, throwIfAborted } from '../core/errors.ts';
import type { DiskNumber, VolumeId } from '../core/ids.ts';
import type { DiskIds } from '../core/ports/host-storage.ts';
import type { KeyedLock } from '../util/keyed-lock.ts';
import { sleep } from '../util/sleep.ts';
import { diskIn } from './disk-finder.ts';
import { recordOf, type JournalRecord, type PublishTarget } from './journal.ts';
import { volumeLockKey, type NodeDeps } from './node-deps.ts';
import { pathState } from './paths.ts';
import { observeVolume, type Observation } from './volume-observer.ts';

export interface SweepDeps extends Pick<NodeDeps, 'host' | 'journal' | 'conditions' | 'log' | 'now'> {
  /** The one the RPCs take (law 6). */
  readonly lock: KeyedLock;
}

export interface SweepOptions {
  readonly intervalSeconds: number;
}

type DiskTable = ReadonlyMap<DiskNumber, DiskIds>;

/** A record of a volume that is neither staged nor attached is of use as long as it may come back. */
const KEPT_MILLISECONDS = 30 * 24 * 60 * 60 * 1000;

/**
 * Law 12: clears staging mounts and pod links that lead nowhere. After a reboot kubelet fails on a dangling mount
 * point before it ever calls NodeStageVolume, so only the driver can clear it. The same pass refreshes the volumes'
 * conditions and drops records that are of no use any more. It removes links and empty folders only (law 4).
 */
export class NodeSweeper {
  readonly #deps: SweepDeps;
  readonly #options: SweepOptions;
  /** Volumes the last pass saw dangling: an iSCSI session that blips comes back, so one look is not enough. */
  readonly #suspects = new Set<VolumeId>();

  constructor(deps: SweepDeps, options: SweepOptions) {
    this.#deps = deps;
    this.#options = options;
  }

  /** Sweeps until the signal aborts, the first time at once. A failed pass is logged, never fatal. */
  async run(signal: AbortSignal): Promise<void> {
    let atStart = true;
    while (!signal.aborted) {
      // A first pass that failed (CSI Proxy is not there yet) is still to be done.
      if (await this.#tried(signal, atStart)) {
        if (atStart) this.#deps.log.info({}, 'first sweep of stale mounts ended');
        atStart = false;
      }
      await sleep(this.#options.intervalSeconds * 1000, signal);
    }
  }

  async #tried(signal: AbortSignal, atStart: boolean): Promise<boolean> {
    try {
      await this.sweepOnce(signal, atStart);
      return true;
    } catch (error) {
      if (!signal.aborted)
        this.#deps.log.warn({ err: error }, `could not sweep stale mounts: ${messageOf(error)}`);
      return false;
    }
  }

  /** One pass. `atStart`: this process has just started, so what dangles now has dangled since the reboot. */
  async sweepOnce(signal: AbortSignal, atStart: boolean): Promise<void> {
    const records = await this.#deps.journal.list();
    if (records.length === 0) return;
    const { diskIds } = await this.#deps.host.capabilities(signal);
    const begun = this.#deps.now();
    const disks: DiskTable = diskIds ? await this.#deps.host.disks.listDiskIds(signal) : new Map();
    for (const { volumeId } of records) {
      if (signal.aborted) return;
      await this.#locked(volumeId, signal, () =>
        this.#sweepVolume(volumeId, disks, { atStart, diskIds, begun }, signal),
      );
    }
  }

  /** A busy volume is somebody's work: it is left for the next pass. */
  async #locked(volumeId: VolumeId, signal: AbortSignal, sweep: () => Promise<void>): Promise<void> {
    const attempt = this.#deps.lock.tryAcquire([volumeLockKey(volumeId)], 'sweep');
    if (!attempt.acquired) return;
    try {
      await sweep();
    } catch (error) {
      if (!signal.aborted)
        this.#deps.log.warn({ volumeId, err: error }, `could not sweep a volume: ${messageOf(error)}`);
    } finally {
      attempt.release();
    }
  }

  async #sweepVolume(
    volumeId: VolumeId,
    disks: DiskTable,
    pass: { readonly atStart: boolean; readonly diskIds: boolean; readonly begun: Date },
    signal: AbortSignal,
  ): Promise<void> {
    // Read again under the lock: an RPC may have changed it since the list was made.
    const record = recordOf(await this.#deps.journal.read(volumeId));
    if (record === undefined || !pass.diskIds) return;
    // Its disk may have come since the disks were listed: the next pass sees both.
    if (record.updatedAt > pass.begun) return;
    if (record.phase === 'staged') await this.#sweepStaged(record, disks, pass.atStart, signal);
    else await this.#sweepIdle(record, disks, pass.atStart, signal);
  }

  async #sweepStaged(
    record: JournalRecord,
    disks: DiskTable,
    atStart: boolean,
    signal: AbortSignal,
  ): Promise<void> {
    const { volumeId } = record;
    const { condition, staging, diskOnline } = await observeVolume(this.#deps.host, record, disks, signal);
    this.#deps.conditions.set(volumeId, condition);
    if (staging === 'live') {
      this.#suspects.delete(volumeId);
    } else if (atStart || this.#suspects.has(volumeId)) {
      await this.#clear(record, { staging, diskOnline }, signal);
    } else {
      this.#suspects.add(volumeId);
    }
  }

  /** Not staged: a mount or unmount that a reboot cut short may have left its mount point; an old record has served. */
  async #sweepIdle(
    record: JournalRecord,
    disks: DiskTable,
    atStart: boolean,
    signal: AbortSignal,
  ): Promise<void> {
    if (diskIn(disks, record.disk) !== undefined) {
      // The repeat of the call does the rest, but for that kubelet must get past what dangles there.
      if (atStart) await this.#clearMountPoint(record, signal);
      return;
    }
    this.#deps.conditions.forget(record.volumeId);
    if (record.phase === 'unstaging') {
      const staging = await pathState(this.#deps.host.files, record.stagingPath ?? '', signal);
      if (staging !== 'live') await this.#clear(record, { staging, diskOnline: false }, signal);
      return;
    }
    const age = this.#deps.now().getTime() - record.updatedAt.getTime();
    if (record.targets.length > 0 || age < KEPT_MILLISECONDS) return;
    await this.#deps.journal.remove(record.volumeId);
    this.#deps.log.info({ volumeId: record.volumeId }, 'dropped the journal record of a volume long gone');
  }

  /**
   * First the mount point, so that the pod links dangle too and tell themselves from live ones. A disk that is online
   * stays so, and the record says that NodeUnstage has yet to take it offline.
   */
  async #clear(
    record: JournalRecord,
    { staging, diskOnline }: Pick<Observation, 'staging' | 'diskOnline'>,
    signal: AbortSignal,
  ): Promise<void> {
    const { volumeId, stagingPath } = record;
    if (stagingPath !== undefined && staging === 'plain' && !(await this.#removed(stagingPath, signal))) {
      this.#deps.log.warn(
        { volumeId, stagingPath },
        'files are in the staging folder of a volume that is not mounted; move them away, nothing can be mounted over them',
      );
      return;
    }
    const targets: PublishTarget[] = [];
    for (const target of record.targets) {
      const state = await pathState(this.#deps.host.files, target.path, signal);
      const gone = state === 'missing' || (state === 'plain' && (await this.#removed(target.path, signal)));
      if (!gone) targets.push(target);
    }
    const left = diskOnline
      ? ({ phase: 'unstaging', stagingPath } as const)
      : ({ phase: 'unstaged', stagingPath: undefined } as const);
    await this.#deps.journal.write({ ...record, ...left, targets });
    this.#suspects.delete(volumeId);
    this.#deps.conditions.forget(volumeId);
    this.#deps.log.info(
      { volumeId, stagingPath, targets: record.targets.length - targets.length },
      'cleared a stale mount: the volume can be staged again',
    );
  }

  async #clearMountPoint({ volumeId, stagingPath }: JournalRecord, signal: AbortSignal): Promise<void> {
    if (stagingPath === undefined) return;
    if ((await pathState(this.#deps.host.files, stagingPath, signal)) !== 'plain') return;
    if (await this.#removed(stagingPath, signal))
      this.#deps.log.info({ volumeId, stagingPath }, 'cleared the mount point of a call that was cut short');
  }

  /** Removes a link or an empty folder; false when it is neither, and still there. */
  async #removed(path: string, signal: AbortSignal): Promise<boolean> {
    try {
      await this.#deps.host.files.rmdir(path, false, signal);
      return true;
    } catch {
      throwIfAborted(signal, `removing ${path}`);
      return !(await this.#deps.host.files.pathExists(path, signal));
    }
  }
}
