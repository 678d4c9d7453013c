import { throwIfAborted } from '../core/errors.ts';
import type { VolumeId } from '../core/ids.ts';
import type { SeenDisks } from './disk-finder.ts';
import type { JournalRecord, PublishTarget } from './journal.ts';
import type { NodeDeps } from './node-deps.ts';
import { pathState } from './paths.ts';
import { observeVolume, type Observation } from './volume-observer.ts';

export type StaleMountDeps = Pick<NodeDeps, 'host' | 'journal' | 'conditions' | 'log' | 'now'>;

/** What a pass knows besides a volume's record. */
export interface Pass {
  readonly seen: SeenDisks;
  /** This process has just started, so what dangles now has dangled since the reboot. */
  readonly atStart: boolean;
}

/** A record of a volume that is neither staged nor attached is of use as long as it may come back. */
const KEPT_MILLISECONDS = 30 * 24 * 60 * 60 * 1000;

/** What a sweep does for one volume. It removes links and empty folders only (law 4). */
export class StaleMounts {
  readonly #deps: StaleMountDeps;
  /** Volumes the last pass saw dangling: an iSCSI session that blips comes back, so one look is not enough. */
  readonly #suspects = new Set<VolumeId>();

  constructor(deps: StaleMountDeps) {
    this.#deps = deps;
  }

  async sweep(record: JournalRecord, pass: Pass, signal: AbortSignal): Promise<void> {
    if (record.phase === 'staged') await this.#sweepStaged(record, pass, signal);
    else await this.#sweepIdle(record, pass, signal);
  }

  async #sweepStaged(record: JournalRecord, { seen, atStart }: Pass, signal: AbortSignal): Promise<void> {
    const { volumeId } = record;
    const { condition, staging, diskOnline } = await observeVolume(this.#deps.host, record, seen, signal);
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
  async #sweepIdle(record: JournalRecord, { seen, atStart }: Pass, signal: AbortSignal): Promise<void> {
    // A record whose disk may be here is a witness (law 1): where the host cannot tell, it is kept.
    if (seen(record.disk).kind !== 'gone') {
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
