import type { Duplex } from 'node:stream';
import type { Interest } from './poll-set.ts';
import type { Reactor, Watched } from './reactor.ts';
import type { SocketApi, SocketHandle } from './socket-api.ts';
import type { SocketError } from './socket-error.ts';
import { SocketConnection } from './socket-connection.ts';

interface AcceptorEvents {
  readonly connection: (connection: Duplex) => void;
  readonly error: (error: Error) => void;
}

const SCRATCH_BYTES = 64 * 1024;
/** Connections taken before others get their turn. */
const ACCEPTS_A_ROUND = 64;
/** When the process has no handle left, the waiting connection would end each poll at once. */
const REST_MS = 100;

/** A listening socket: makes a stream of each connection. */
export class Acceptor implements Watched {
  readonly handle: SocketHandle;
  readonly #api: SocketApi;
  readonly #reactor: Reactor;
  readonly #on: AcceptorEvents;
  readonly #scratch = new Uint8Array(SCRATCH_BYTES);
  #rest: NodeJS.Timeout | undefined;

  constructor(
    handle: SocketHandle,
    deps: { readonly api: SocketApi; readonly reactor: Reactor },
    on: AcceptorEvents,
  ) {
    this.handle = handle;
    this.#api = deps.api;
    this.#reactor = deps.reactor;
    this.#on = on;
  }

  interest(): Interest {
    return { read: this.#rest === undefined, write: false };
  }

  ready(): void {
    for (let taken = 0; taken < ACCEPTS_A_ROUND; taken += 1) {
      const accepted = this.#api.accept(this.handle);
      if (accepted === 'again') return;
      if (typeof accepted === 'number') this.#take(accepted);
      else if (accepted.fault !== 'gone') {
        this.#pause(accepted);
        return;
      }
    }
  }

  /** Takes no more connections; those it has taken stay. */
  close(): void {
    clearTimeout(this.#rest);
    this.#reactor.release(this);
  }

  #take(handle: SocketHandle): void {
    const connection = new SocketConnection(handle, {
      api: this.#api,
      reactor: this.#reactor,
      scratch: this.#scratch,
    });
    this.#reactor.watch(connection);
    this.#on.connection(connection);
  }

  #pause(error: SocketError): void {
    this.#rest = setTimeout(() => {
      this.#rest = undefined;
      this.#reactor.changed();
    }, REST_MS);
    this.#on.error(error);
  }
}
