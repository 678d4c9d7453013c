import { inetAddress } from './sockaddr.ts';
import type { SocketApi, SocketHandle } from './socket-api.ts';
import { SocketError } from './socket-error.ts';

const BYTE = Uint8Array.of(1);

/**
 * A datagram socket that is connected to itself: what is sent makes it readable, and that ends a poll. Windows has
 * neither a pipe nor an eventfd that `WSAPoll` takes; this it takes, and Linux as well, so what the tests run is what
 * Windows runs. Nobody else can send to it: a connected socket takes datagrams from its peer alone.
 */
export class Waker {
  readonly handle: SocketHandle;
  readonly #api: SocketApi;
  readonly #drained = new Uint8Array(16);

  /** Throws a SocketError when the system gives no socket. */
  constructor(api: SocketApi) {
    this.#api = api;
    this.handle = required(api.open('inet-datagram'));
    try {
      required(api.bind(this.handle, inetAddress('127.0.0.1', 0)));
      const itself = api.localAddress(this.handle);
      if (itself instanceof SocketError) throw itself;
      required(api.connect(this.handle, itself));
    } catch (error) {
      api.close(this.handle);
      throw error;
    }
  }

  /** Ends the poll that is under way, or the next one. A full buffer is no failure: it is readable then. */
  ring(): void {
    this.#api.send(this.handle, BYTE);
  }

  /** Forgets every ring so far. */
  drain(): void {
    while (typeof this.#api.receive(this.handle, this.#drained) === 'number');
  }

  close(): void {
    this.#api.close(this.handle);
  }
}

function required(result: number | 'again' | SocketError): number {
  if (typeof result === 'number') return result;
  throw result === 'again' ? new SocketError('socket', 'EAGAIN') : result;
}
