import type { SocketError } from './socket-error.ts';

/** A socket of the operating system: a file descriptor, or a SOCKET of Windows. */
export type SocketHandle = number;

/** `AF_UNIX` streams serve CSI; `AF_INET` streams exist for tests; the datagram wakes the reactor. */
export type SocketKind = 'unix-stream' | 'inet-stream' | 'inet-datagram';

/** What a call gave, or `again` when the socket would have had to wait (or a signal came), or what went wrong. */
export type SocketResult = number | 'again' | SocketError;

/** What a file system has at a path: a socket's file has its own type on Linux, and a reparse tag on Windows. */
export type PathKind = 'nothing' | 'socket' | 'other';

/** How this platform writes `struct pollfd`, and which bits it uses. */
export interface PollLayout {
  readonly bytes: number;
  readonly handleBytes: 4 | 8;
  readonly readable: number;
  readonly writable: number;
  /** Error, hang-up and invalid: reported without being asked for. */
  readonly broken: number;
}

/**
 * The few calls of Berkeley sockets that a server needs, as `ws2_32` and `libc` both have them. Nothing here waits:
 * every socket is non-blocking and not inherited by child processes, and only `poll` takes its time, on a thread of
 * libuv's pool. Addresses are `sockaddr` bytes (`sockaddr.ts`). Failures are values, because most of them are everyday.
 */
export interface SocketApi {
  readonly pollLayout: PollLayout;
  open(kind: SocketKind): SocketHandle | SocketError;
  bind(handle: SocketHandle, address: Uint8Array): SocketResult;
  listen(handle: SocketHandle, backlog: number): SocketResult;
  /** `again`: it is under way; `poll` tells when it is decided, `pendingError` how. */
  connect(handle: SocketHandle, address: Uint8Array): SocketResult;
  /** The address the system chose, for a socket bound to port 0. */
  localAddress(handle: SocketHandle): Uint8Array | SocketError;
  pendingError(handle: SocketHandle): SocketError | undefined;
  accept(handle: SocketHandle): SocketResult;
  /** Count of bytes; 0: the peer has ended. */
  receive(handle: SocketHandle, into: Uint8Array): SocketResult;
  /** Count of bytes taken, which may be fewer than given. */
  send(handle: SocketHandle, bytes: Uint8Array): SocketResult;
  /** Tells the peer that no more bytes come. */
  endWriting(handle: SocketHandle): void;
  close(handle: SocketHandle): void;
  /** Waits until one of `count` entries of the set is ready; `timeoutMs` -1: as long as it takes. */
  poll(set: Uint8Array, count: number, timeoutMs: number): Promise<SocketResult>;
  kindOfPath(path: string): PathKind;
}
