import { setImmediate as turn } from 'node:timers/promises';
import type { Interest, Readiness } from '../../src/transport/poll-set.ts';
import type { SocketApi, SocketHandle, SocketKind, SocketResult } from '../../src/transport/socket-api.ts';
import type { SocketError } from '../../src/transport/socket-error.ts';

const READABLE = 0x1;
const WRITABLE = 0x4;
const BROKEN = 0x8;

interface Poll {
  readonly set: Buffer;
  readonly count: number;
  readonly resolve: (result: SocketResult) => void;
}

/** Sockets whose every answer a test writes; only the wake-up works by itself. Handle 1 is the first datagram socket. */
export class ScriptedSockets implements SocketApi {
  readonly pollLayout = {
    bytes: 8,
    handleBytes: 4,
    readable: READABLE,
    writable: WRITABLE,
    broken: BROKEN,
  } as const;
  readonly closed: SocketHandle[] = [];
  readonly ended: SocketHandle[] = [];
  readonly sent: string[] = [];
  /** Answers to come, per call; when there is none left: `again`. */
  readonly accepts: SocketResult[] = [];
  readonly receives: (SocketResult | Buffer)[] = [];
  readonly sends: SocketResult[] = [];
  polls = 0;
  #handles = 0;
  #waker: SocketHandle | undefined;
  #rung = false;
  #poll: Poll | undefined;

  open(kind: SocketKind): SocketHandle {
    this.#handles += 1;
    if (kind === 'inet-datagram') this.#waker = this.#handles;
    return this.#handles;
  }

  bind = (): SocketResult => 0;
  listen = (): SocketResult => 0;
  connect = (): SocketResult => 0;
  localAddress = (): Uint8Array => new Uint8Array(16);
  pendingError = (): SocketError | undefined => undefined;
  kindOfPath = (): 'nothing' => 'nothing';
  accept = (): SocketResult => this.accepts.shift() ?? 'again';

  receive(handle: SocketHandle, into: Uint8Array): SocketResult {
    if (handle === this.#waker) return this.#drain();
    const next = this.receives.shift() ?? 'again';
    if (!Buffer.isBuffer(next)) return next;
    into.set(next);
    return next.length;
  }

  send(handle: SocketHandle, bytes: Uint8Array): SocketResult {
    if (handle === this.#waker) {
      this.#rung = true;
      if (this.#poll !== undefined) this.#answer(1, [[handle, READABLE]]);
      return 1;
    }
    const taken = this.sends.shift() ?? bytes.length;
    if (typeof taken === 'number') this.sent.push(Buffer.from(bytes.subarray(0, taken)).toString());
    return taken;
  }

  endWriting(handle: SocketHandle): void {
    this.ended.push(handle);
  }

  close(handle: SocketHandle): void {
    if (this.#poll !== undefined) throw new Error(`handle ${handle} was closed while a poll used it`);
    this.closed.push(handle);
  }

  poll(set: Uint8Array, count: number): Promise<SocketResult> {
    this.polls += 1;
    return new Promise((resolve) => {
      this.#poll = { set: Buffer.from(set.buffer, set.byteOffset, set.length), count, resolve };
      if (this.#rung && this.#waker !== undefined) this.#answer(1, [[this.#waker, READABLE]]);
    });
  }

  /** What the poll under way waits for at a socket; `undefined`: it is not in the set. */
  interestIn(handle: SocketHandle): Interest | undefined {
    const at = this.#offsetOf(handle);
    const events = at === undefined ? 0 : (this.#poll?.set.readInt16LE(at + 4) ?? 0);
    return at === undefined
      ? undefined
      : { read: (events & READABLE) !== 0, write: (events & WRITABLE) !== 0 };
  }

  /** Ends the poll under way with this, and waits until the reactor polls again or has ended. */
  async report(handle: SocketHandle, found: Partial<Readiness>): Promise<void> {
    const bits =
      (found.readable === true ? READABLE : 0) |
      (found.writable === true ? WRITABLE : 0) |
      (found.broken === true ? BROKEN : 0);
    this.#answer(1, [[handle, bits]]);
    await settled();
  }

  async endPoll(result: SocketResult): Promise<void> {
    this.#answer(result, []);
    await settled();
  }

  get isPolling(): boolean {
    return this.#poll !== undefined;
  }

  #answer(result: SocketResult, found: readonly (readonly [SocketHandle, number])[]): void {
    const poll = this.#poll;
    if (poll === undefined) throw new Error('no poll is under way');
    for (const [handle, bits] of found) {
      const at = this.#offsetOf(handle);
      if (at === undefined) throw new Error(`handle ${handle} is not in the poll`);
      poll.set.writeInt16LE(bits, at + 6);
    }
    this.#poll = undefined;
    poll.resolve(result);
  }

  #offsetOf(handle: SocketHandle): number | undefined {
    const { set, count } = this.#poll ?? { set: Buffer.alloc(0), count: 0 };
    for (let at = 0; at < count * 8; at += 8) if (set.readInt32LE(at) === handle) return at;
    return undefined;
  }

  #drain(): SocketResult {
    const wasRung = this.#rung;
    this.#rung = false;
    return wasRung ? 1 : 'again';
  }
}

/** Lets promises and streams do what they have to. */
export async function settled(): Promise<void> {
  for (let turns = 0; turns < 5; turns += 1) await turn();
}
