import { Duplex } from 'node:stream';
import type { Interest, Readiness } from './poll-set.ts';
import type { Reactor, Watched } from './reactor.ts';
import type { SocketApi, SocketHandle } from './socket-api.ts';
import { SocketError } from './socket-error.ts';

export interface ConnectionDeps {
  readonly api: SocketApi;
  readonly reactor: Reactor;
  /** Bytes are received into this, and copied out at once: all connections share it. */
  readonly scratch: Uint8Array;
}

type Done = (error?: Error | null) => void;

/** An accepted socket as a stream, with back-pressure both ways. A peer that resets the connection just closes it. */
export class SocketConnection extends Duplex implements Watched {
  readonly handle: SocketHandle;
  readonly #deps: ConnectionDeps;
  #wantsBytes = false;
  #unsent: { readonly bytes: Uint8Array; readonly done: Done } | undefined;

  constructor(handle: SocketHandle, deps: ConnectionDeps) {
    super({ allowHalfOpen: false });
    this.handle = handle;
    this.#deps = deps;
    // Nobody may be listening when a client breaks off; `close` tells all there is to know.
    this.on('error', () => undefined);
  }

  interest(): Interest {
    return { read: this.#wantsBytes, write: this.#unsent !== undefined };
  }

  ready({ readable, writable, broken }: Readiness): void {
    if (this.#unsent !== undefined && (writable || broken)) {
      const { bytes, done } = this.#unsent;
      this.#unsent = undefined;
      this.#send(bytes, done);
    }
    if (this.#wantsBytes && !this.destroyed && (readable || broken)) this.#receive();
  }

  override _read(): void {
    if (this.#wantsBytes) return;
    this.#wantsBytes = true;
    this.#deps.reactor.changed();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: Done): void {
    this.#send(chunk, done);
  }

  override _writev(chunks: { chunk: Buffer }[], done: Done): void {
    this.#send(Buffer.concat(chunks.map(({ chunk }) => chunk)), done);
  }

  override _final(done: Done): void {
    this.#deps.api.endWriting(this.handle);
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    const unsent = this.#unsent;
    this.#unsent = undefined;
    this.#wantsBytes = false;
    this.#deps.reactor.release(this);
    done(error);
    unsent?.done(error ?? new Error('the connection was closed before all was sent'));
  }

  #receive(): void {
    const { api, scratch } = this.#deps;
    const count = api.receive(this.handle, scratch);
    if (count === 'again') return;
    if (count instanceof SocketError) {
      this.#break(count);
    } else if (count === 0) {
      this.#wantsBytes = false;
      this.push(null);
    } else {
      this.#wantsBytes = this.push(Buffer.from(scratch.subarray(0, count)));
    }
  }

  #send(bytes: Uint8Array, done: Done): void {
    const count = this.#deps.api.send(this.handle, bytes);
    if (count instanceof SocketError) {
      this.#break(count);
      done(count);
      return;
    }
    const rest = bytes.subarray(count === 'again' ? 0 : count);
    if (rest.length === 0) {
      done();
      return;
    }
    this.#unsent = { bytes: rest, done };
    this.#deps.reactor.changed();
  }

  #break(error: SocketError): void {
    if (error.fault === 'gone') this.destroy();
    else this.destroy(error);
  }
}
