import { lstatSync } from 'node:fs';
import { FAMILY_AND_TYPE, type ForeignCalls, foreignSockets } from './foreign-sockets.ts';
import type { Koffi } from './koffi.ts';
import type { PathKind, SocketApi } from './socket-api.ts';

/** Numbers of Linux, the same on x86-64 and arm64. */
const SOCK_NONBLOCK = 0o4000;
const SOCK_CLOEXEC = 0o2000000;
const QUIET = SOCK_NONBLOCK | SOCK_CLOEXEC;
const MSG_NOSIGNAL = 0x4000;
const SOL_SOCKET = 1;
const SO_ERROR = 4;

/** Linux' own sockets: what proves the reactor on a machine without Windows. */
export function libcSockets(koffi: Koffi): SocketApi {
  const libc = koffi.load('libc.so.6');
  const socket: (family: number, type: number, protocol: number) => number = libc.func(
    'int socket(int family, int type, int protocol)',
  );
  const accept4: (handle: number, address: null, length: null, flags: number) => number = libc.func(
    'int accept4(int handle, void *address, void *length, int flags)',
  );
  const calls: ForeignCalls = {
    bind: libc.func('int bind(int handle, void *address, uint32_t length)'),
    listen: libc.func('int listen(int handle, int backlog)'),
    connect: libc.func('int connect(int handle, void *address, uint32_t length)'),
    getsockname: libc.func('int getsockname(int handle, void *address, void *length)'),
    getsockopt: libc.func('int getsockopt(int handle, int level, int name, void *value, void *length)'),
    setsockopt: libc.func('int setsockopt(int handle, int level, int name, void *value, uint32_t length)'),
    recv: libc.func('intptr_t recv(int handle, void *into, size_t length, int flags)'),
    send: libc.func('intptr_t send(int handle, void *bytes, size_t length, int flags)'),
    shutdown: libc.func('int shutdown(int handle, int how)'),
    close: libc.func('int close(int handle)'),
    poll: libc.func('int poll(void *set, unsigned long count, int timeout)'),
  };
  return foreignSockets({
    pollLayout: { bytes: 8, handleBytes: 4, readable: 0x1, writable: 0x4, broken: 0x8 | 0x10 | 0x20 },
    calls,
    open: (kind) => {
      const [family, type] = FAMILY_AND_TYPE[kind];
      return socket(family, type | QUIET, 0);
    },
    accept: (handle) => accept4(handle, null, null, QUIET),
    errno: () => koffi.errno(),
    sendFlags: MSG_NOSIGNAL,
    errorOption: [SOL_SOCKET, SO_ERROR],
    kindOfPath,
  });
}

function kindOfPath(path: string): PathKind {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found === undefined ? 'nothing' : found.isSocket() ? 'socket' : 'other';
}
