import { MAX_ADDRESS_BYTES } from './sockaddr.ts';
import type {
  PathKind,
  PollLayout,
  SocketApi,
  SocketHandle,
  SocketKind,
  SocketResult,
} from './socket-api.ts';
import { failureOf, SocketError } from './socket-error.ts';

/** The calls that Winsock and libc have alike, once their types are adapted. Negative: it failed. */
export interface ForeignCalls {
  readonly bind: (handle: number, address: Uint8Array, length: number) => number;
  readonly listen: (handle: number, backlog: number) => number;
  readonly connect: (handle: number, address: Uint8Array, length: number) => number;
  readonly getsockname: (handle: number, address: Uint8Array, length: Uint8Array) => number;
  readonly getsockopt: (
    handle: number,
    level: number,
    name: number,
    value: Uint8Array,
    length: Uint8Array,
  ) => number;
  readonly setsockopt: (
    handle: number,
    level: number,
    name: number,
    value: Uint8Array,
    length: number,
  ) => number;
  readonly recv: (handle: number, into: Uint8Array, length: number, flags: number) => number;
  readonly send: (handle: number, bytes: Uint8Array, length: number, flags: number) => number;
  readonly shutdown: (handle: number, how: number) => number;
  readonly close: (handle: number) => number;
  readonly poll: {
    async(
      set: Uint8Array,
      count: number,
      timeoutMs: number,
      done: (error: Error | null, result: number) => void,
    ): void;
  };
}

export interface ForeignPlatform {
  readonly pollLayout: PollLayout;
  readonly calls: ForeignCalls;
  /** Non-blocking, and not for child processes. */
  readonly open: (kind: SocketKind) => number;
  readonly accept: (handle: SocketHandle) => number;
  /** Why the last call failed. */
  readonly errno: () => number;
  readonly sendFlags: number;
  /** `SOL_SOCKET` and `SO_ERROR`. */
  readonly errorOption: readonly [level: number, name: number];
  readonly kindOfPath: (path: string) => PathKind;
}

/** `AF_UNIX`, `AF_INET`; `SOCK_STREAM`, `SOCK_DGRAM`: the same numbers on both. */
export const FAMILY_AND_TYPE: Readonly<Record<SocketKind, readonly [family: number, type: number]>> = {
  'unix-stream': [1, 1],
  'inet-stream': [2, 1],
  'inet-datagram': [2, 2],
};

/** `IPPROTO_TCP` and `TCP_NODELAY`, the same on both. */
const NO_DELAY = [6, 1] as const;

/** `SHUT_WR` and `SD_SEND`. */
const WRITING = 1;

/** A SocketApi over the functions of a platform's socket library. */
export function foreignSockets(platform: ForeignPlatform): SocketApi {
  const { calls, errno } = platform;
  const result = (call: string, value: number): SocketResult =>
    value >= 0 ? value : failureOf(call, errno());
  const sure = (call: string, value: number): number | SocketError => {
    const found = result(call, value);
    return found === 'again' ? new SocketError(call, 'EAGAIN') : found;
  };
  return {
    pollLayout: platform.pollLayout,
    open: (kind) => {
      const handle = sure('socket', platform.open(kind));
      // Else TCP holds the small frames of a gRPC answer back, 40 ms each; accepted sockets inherit it.
      if (kind === 'inet-stream' && typeof handle === 'number')
        calls.setsockopt(handle, ...NO_DELAY, int32(1), 4);
      return handle;
    },
    bind: (handle, address) => result('bind', calls.bind(handle, address, address.length)),
    listen: (handle, backlog) => result('listen', calls.listen(handle, backlog)),
    connect: (handle, address) => result('connect', calls.connect(handle, address, address.length)),
    localAddress: (handle) => {
      const address = new Uint8Array(MAX_ADDRESS_BYTES);
      const length = int32(address.length);
      const found = sure('getsockname', calls.getsockname(handle, address, length));
      return typeof found === 'number' ? address.subarray(0, length.readInt32LE()) : found;
    },
    pendingError: (handle) => {
      const value = int32(0);
      const found = sure('getsockopt', calls.getsockopt(handle, ...platform.errorOption, value, int32(4)));
      if (found instanceof SocketError) return found;
      const failure = value.readInt32LE() === 0 ? undefined : failureOf('connect', value.readInt32LE());
      return failure === 'again' ? undefined : failure;
    },
    accept: (handle) => result('accept', platform.accept(handle)),
    receive: (handle, into) => result('recv', calls.recv(handle, into, into.length, 0)),
    send: (handle, bytes) => result('send', calls.send(handle, bytes, bytes.length, platform.sendFlags)),
    endWriting: (handle) => void calls.shutdown(handle, WRITING),
    close: (handle) => void calls.close(handle),
    poll: (set, count, timeoutMs) =>
      new Promise((resolve, reject) => {
        calls.poll.async(set, count, timeoutMs, (error, value) => {
          if (error === null) resolve(result('poll', value));
          else reject(error);
        });
      }),
    kindOfPath: platform.kindOfPath,
  };
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes;
}
