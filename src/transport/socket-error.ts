import { constants } from 'node:os';

/** The kinds of failure that someone decides on; everything else is `other`. */
export type SocketFault = 'refused' | 'in-use' | 'gone' | 'exhausted' | 'other';

/** Keyed by POSIX' names; Winsock has the same ones with `WSA` before them. */
const FAULT_OF: Readonly<Record<string, SocketFault>> = {
  ECONNREFUSED: 'refused',
  ENOENT: 'refused', // The socket's file went between the look and the call.
  EADDRINUSE: 'in-use',
  ECONNRESET: 'gone',
  ECONNABORTED: 'gone',
  EPIPE: 'gone',
  ENOTCONN: 'gone',
  ESHUTDOWN: 'gone',
  EMFILE: 'exhausted',
  ENFILE: 'exhausted',
  ENOBUFS: 'exhausted',
  ENOMEM: 'exhausted',
};

const WOULD_WAIT = new Set(['EAGAIN', 'EWOULDBLOCK', 'EINPROGRESS', 'EINTR']);

/** A call on a socket that failed; `code` as Node.js has it: `ECONNRESET`. */
export class SocketError extends Error {
  readonly code: string;
  readonly fault: SocketFault;

  constructor(call: string, code: string) {
    super(`${call} failed: ${code}`);
    this.name = 'SocketError';
    this.code = code;
    this.fault = FAULT_OF[code] ?? 'other';
  }
}

/** What a failed call left in `errno`, or `WSAGetLastError` gave. */
export function failureOf(call: string, errno: number): 'again' | SocketError {
  const code = nameOf(errno);
  return WOULD_WAIT.has(code) ? 'again' : new SocketError(call, code);
}

function nameOf(errno: number): string {
  const [name] = Object.entries(constants.errno).find(([, number]) => number === errno) ?? [];
  // From 10000 on Winsock has its own numbers, the same on every machine; the table of Linux does not have them.
  return (name ?? WINSOCK[errno] ?? `error ${errno}`).replace(/^WSA/, '');
}

/** Only those that are told apart above, and the ones that `doctor` and people meet. */
const WINSOCK: Readonly<Record<number, string>> = {
  10004: 'EINTR',
  10022: 'EINVAL',
  10024: 'EMFILE',
  10035: 'EWOULDBLOCK',
  10036: 'EINPROGRESS',
  10038: 'ENOTSOCK',
  10047: 'EAFNOSUPPORT',
  10048: 'EADDRINUSE',
  10053: 'ECONNABORTED',
  10054: 'ECONNRESET',
  10055: 'ENOBUFS',
  10057: 'ENOTCONN',
  10058: 'ESHUTDOWN',
  10061: 'ECONNREFUSED',
};
