import type { PollLayout, SocketHandle } from './socket-api.ts';

export interface Interest {
  readonly read: boolean;
  readonly write: boolean;
}

/** What `poll` found at a socket. `broken`: an error or a hang-up, which the next read or write will tell. */
export interface Readiness {
  readonly readable: boolean;
  readonly writable: boolean;
  readonly broken: boolean;
}

/** An array of `struct pollfd` that is filled anew for each poll; its memory is kept and grows. */
export class PollSet {
  readonly #layout: PollLayout;
  #bytes = Buffer.alloc(0);
  #count = 0;

  constructor(layout: PollLayout) {
    this.#layout = layout;
  }

  get bytes(): Uint8Array {
    return this.#bytes;
  }

  get count(): number {
    return this.#count;
  }

  clear(): void {
    this.#count = 0;
  }

  add(handle: SocketHandle, { read, write }: Interest): void {
    const { bytes, handleBytes, readable, writable } = this.#layout;
    const at = this.#count * bytes;
    if (at + bytes > this.#bytes.length) this.#grow();
    if (handleBytes === 4) this.#bytes.writeInt32LE(handle, at);
    else this.#bytes.writeBigInt64LE(BigInt(handle), at);
    this.#bytes.writeInt16LE((read ? readable : 0) | (write ? writable : 0), at + handleBytes);
    this.#bytes.writeInt16LE(0, at + handleBytes + 2);
    this.#count += 1;
  }

  /** What the last poll said of entry `index`; `undefined`: nothing. */
  readiness(index: number): Readiness | undefined {
    const { bytes, handleBytes, readable, writable, broken } = this.#layout;
    const found = this.#bytes.readInt16LE(index * bytes + handleBytes + 2);
    if (found === 0) return undefined;
    return {
      readable: (found & readable) !== 0,
      writable: (found & writable) !== 0,
      broken: (found & broken) !== 0,
    };
  }

  #grow(): void {
    const larger = Buffer.alloc(Math.max(16 * this.#layout.bytes, this.#bytes.length * 2));
    this.#bytes.copy(larger);
    this.#bytes = larger;
  }
}
