import { writeFile } from 'node:fs/promises';
import { poolFiles, type PoolFiles } from '../../src/backends/file/pool-files.ts';
import { aroundHostCalls } from '../../src/core/host-calls.ts';
import type { DiskBackend } from '../../src/core/ports/disk-backend.ts';
import type { HostStorage } from '../../src/core/ports/host-storage.ts';
import type { JournalStore } from '../../src/node/journal.ts';
import { tear } from './crashing-files.ts';

/**
 * What befalls a process at its step number `at`, from 1. A death comes before the step, half-way through it, or
 * right after it; a cancellation only makes the caller go away.
 */
export type Trouble =
  | { readonly kind: 'death'; readonly at: number; readonly how: 'before' | 'torn' | 'after' }
  | { readonly kind: 'cancel'; readonly at: number };

class ProcessDied extends Error {}

/**
 * Counts what a process does to the world outside of it, and lets trouble come in between. After its death nothing
 * is done any more, clean-up included.
 */
export class Mortality {
  #steps = 0;
  #trouble: Trouble | undefined;
  #cancel: () => void = () => undefined;
  #dead = false;

  get dead(): boolean {
    return this.#dead;
  }

  /** Counts from here. */
  arm(trouble: Trouble | undefined, cancel: () => void): void {
    this.#steps = 0;
    this.#trouble = trouble;
    this.#cancel = cancel;
  }

  /** `half` leaves what the step leaves when it is cut off. */
  async step<Result>(
    run: () => Promise<Result>,
    half: () => Promise<unknown> = () => Promise.resolve(),
  ): Promise<Result> {
    this.requireAlive();
    this.#steps += 1;
    const due = this.#trouble?.at === this.#steps ? this.#trouble : undefined;
    if (due?.kind === 'cancel') this.#cancel();
    if (due?.kind === 'death' && due.how !== 'after') {
      this.#dead = true;
      if (due.how === 'torn') await half();
      throw new ProcessDied('the process died');
    }
    const [outcome] = await Promise.allSettled([run()]);
    if (due?.kind === 'death') this.#dead = true;
    this.requireAlive();
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  }

  /** Now, between two steps. */
  die(): void {
    this.#dead = true;
  }

  requireAlive(): void {
    if (this.#dead) throw new ProcessDied('the process is dead');
  }
}

export function mortalHost(host: HostStorage, mortality: Mortality): HostStorage {
  return aroundHostCalls(host, (_call, run) => mortality.step(run));
}

/** Reading changes nothing: only writes are steps. */
export function mortalJournal(journal: JournalStore, mortality: Mortality, folder: string): JournalStore {
  const half = (name: string): Promise<void> => leaveHalfRecord(folder, name);
  return {
    begunAt: journal.begunAt,
    read: async (id) => {
      mortality.requireAlive();
      return journal.read(id);
    },
    list: async () => {
      mortality.requireAlive();
      return journal.list();
    },
    write: (record) =>
      mortality.step(
        () => journal.write(record),
        () => half(`${record.volumeId}.json`),
      ),
    remove: (id) => mortality.step(() => journal.remove(id)),
  };
}

/** The steps of a pool. */
export function mortalFiles(mortality: Mortality): PoolFiles {
  return new Proxy(poolFiles, {
    get:
      (target, property: keyof PoolFiles) =>
      (path: string, second: unknown, ...rest: unknown[]) =>
        mortality.step(
          () => (target[property] as (...all: unknown[]) => Promise<void>)(path, second, ...rest),
          () => tear(property, path, second),
        ),
  });
}

const CHANGES = new Set<string | symbol>([
  'createVolume',
  'deleteVolume',
  'expandVolume',
  'createSnapshot',
  'deleteSnapshot',
  'attach',
  'detach',
] satisfies (keyof DiskBackend)[]);

/** Between the controller and its backend: the moments before a change begins and after it has ended. */
export function mortalBackend(
  backend: DiskBackend,
  mortality: Mortality,
  halfAttached: (volumeId: string, nodeId: string) => Promise<void>,
): DiskBackend {
  return new Proxy(backend, {
    get(target, property) {
      const method = Reflect.get(target, property) as (...args: unknown[]) => unknown;
      return (...args: unknown[]): unknown => {
        mortality.requireAlive();
        const run = (): Promise<unknown> => method.apply(target, args) as Promise<unknown>;
        if (property === 'attach')
          return mortality.step(run, () => halfAttached(String(args[0]), String(args[1])));
        return CHANGES.has(property) ? mortality.step(run) : run();
      };
    },
  });
}

/** What a record's writer leaves that died before it renamed the record into its place. */
export function leaveHalfRecord(folder: string, name: string): Promise<void> {
  return writeFile(`${folder}/.${name}.0123456789ab.tmp`, '{"schema": 1, "vol');
}
