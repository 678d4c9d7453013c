import { setTimeout as wait } from 'node:timers/promises';
import { type Interest, PollSet, type Readiness } from './poll-set.ts';
import type { SocketApi, SocketHandle } from './socket-api.ts';
import { SocketError } from './socket-error.ts';
import { Waker } from './waker.ts';

/** A socket that the reactor watches for its owner. */
export interface Watched {
  readonly handle: SocketHandle;
  /** What it waits for now. Nothing: it is left out of the poll, since a hang-up would end each one at once. */
  interest(): Interest;
  /** Called when something of that has come true. Must not throw. */
  ready(readiness: Readiness): void;
}

/** A poll that fails as a whole, as for want of memory, is tried again after this long. */
const RETRY_MS = 100;

/**
 * Waits for any number of sockets with one `poll` on one thread of libuv's pool. It runs while it has something to
 * watch, and keeps the process alive so long. Handles are closed only while no poll is under way: the system would
 * give the same number to the next socket, and the poll would report of that.
 */
export class Reactor {
  readonly #api: SocketApi;
  readonly #watched = new Set<Watched>();
  readonly #report: (error: SocketError) => void;
  #toClose: SocketHandle[] = [];
  #waker: Waker | undefined;
  #polling = false;
  #rung = false;

  constructor(deps: { readonly api: SocketApi; readonly report: (error: SocketError) => void }) {
    this.#api = deps.api;
    this.#report = deps.report;
  }

  /** Watches from now on. Throws a SocketError when the system has no socket for the wake-up left. */
  watch(watched: Watched): void {
    const waker = this.#waker ?? new Waker(this.#api);
    this.#watched.add(watched);
    if (this.#waker !== undefined) {
      this.changed();
      return;
    }
    this.#waker = waker;
    void this.#run(waker);
  }

  /** Has to be called when a watched socket waits for more than it did: the poll under way does not know. */
  changed(): void {
    if (!this.#polling || this.#rung) return;
    this.#rung = true;
    this.#waker?.ring();
  }

  /** Watches it no more and closes its handle, as soon as no poll uses it. */
  release(watched: Watched): void {
    if (!this.#watched.delete(watched)) return;
    this.#toClose.push(watched.handle);
    if (this.#polling) this.changed();
    else this.#closeReleased();
  }

  async #run(waker: Waker): Promise<void> {
    // At its end the process waits for the threads of the pool, also for one that polls.
    const onExit = (): void => {
      waker.ring();
    };
    process.on('exit', onExit);
    const set = new PollSet(this.#api.pollLayout);
    while (this.#watched.size > 0) await this.#round(waker, set);
    process.off('exit', onExit);
    this.#waker = undefined;
    waker.close();
  }

  async #round(waker: Waker, set: PollSet): Promise<void> {
    const watched = this.#fill(set, waker);
    this.#polling = true;
    const found = await this.#api.poll(set.bytes, set.count, -1);
    this.#polling = false;
    this.#rung = false;
    this.#closeReleased();
    if (found instanceof SocketError) {
      this.#report(found);
      await wait(RETRY_MS);
    } else if (found !== 'again') {
      this.#dispatch(waker, watched, set);
    }
  }

  #fill(set: PollSet, waker: Waker): readonly Watched[] {
    set.clear();
    set.add(waker.handle, { read: true, write: false });
    return [...this.#watched].filter((watched) => {
      const interest = watched.interest();
      if (!interest.read && !interest.write) return false;
      set.add(watched.handle, interest);
      return true;
    });
  }

  #dispatch(waker: Waker, watched: readonly Watched[], set: PollSet): void {
    if (set.readiness(0) !== undefined) waker.drain();
    for (const [index, one] of watched.entries()) {
      const readiness = set.readiness(index + 1);
      if (readiness !== undefined && this.#watched.has(one)) one.ready(readiness);
    }
  }

  #closeReleased(): void {
    for (const handle of this.#toClose) this.#api.close(handle);
    this.#toClose = [];
  }
}
