import { FAMILY_AND_TYPE, type ForeignCalls, foreignSockets } from './foreign-sockets.ts';
import type { Koffi } from './koffi.ts';
import type { SocketApi } from './socket-api.ts';
import { SocketError } from './socket-error.ts';
import { windowsPathKind } from './windows-path-kind.ts';

const VERSION_2_2 = 0x0202;
/** `sizeof(WSADATA)` is 408 on 64 bit; nobody reads it. */
const WSADATA_BYTES = 512;
const FIONBIO = -2147195266; // 0x8004667e as the signed long that it is declared.
const HANDLE_FLAG_INHERIT = 1;
const SOL_SOCKET = 0xffff;
const SO_ERROR = 0x1007;

type Library = ReturnType<Koffi['load']>;

/** Winsock. A SOCKET is declared as signed, so that `INVALID_SOCKET` is -1 here too. */
export function winsockSockets(koffi: Koffi): SocketApi {
  const winsock = koffi.load('ws2_32.dll');
  const kernel = koffi.load('kernel32.dll');
  startWinsock(winsock.func('int __stdcall WSAStartup(uint16_t version, void *data)'));
  const calls = declareCalls(winsock);
  const socket: (family: number, type: number, protocol: number) => number = winsock.func(
    'intptr_t __stdcall socket(int family, int type, int protocol)',
  );
  const accept: (handle: number, address: null, length: null) => number = winsock.func(
    'intptr_t __stdcall accept(intptr_t handle, void *address, void *length)',
  );
  const ioctl: (handle: number, command: number, argument: Uint8Array) => number = winsock.func(
    'int __stdcall ioctlsocket(intptr_t handle, long command, void *argument)',
  );
  const inherit: (handle: number, mask: number, flags: number) => number = kernel.func(
    'int __stdcall SetHandleInformation(intptr_t handle, uint32_t mask, uint32_t flags)',
  );
  const quiet = (handle: number): number => {
    if (handle < 0) return handle;
    inherit(handle, HANDLE_FLAG_INHERIT, 0);
    ioctl(handle, FIONBIO, Uint8Array.of(1, 0, 0, 0));
    return handle;
  };
  return foreignSockets({
    pollLayout: { bytes: 16, handleBytes: 8, readable: 0x100, writable: 0x10, broken: 0x1 | 0x2 | 0x4 },
    calls,
    open: (kind) => quiet(socket(...FAMILY_AND_TYPE[kind], 0)),
    accept: (handle) => quiet(accept(handle, null, null)),
    errno: winsock.func('int __stdcall WSAGetLastError()'),
    sendFlags: 0,
    errorOption: [SOL_SOCKET, SO_ERROR],
    kindOfPath: windowsPathKind(kernel),
  });
}

const declareCalls = (winsock: Library): ForeignCalls => ({
  bind: winsock.func('int __stdcall bind(intptr_t handle, void *address, int length)'),
  listen: winsock.func('int __stdcall listen(intptr_t handle, int backlog)'),
  connect: winsock.func('int __stdcall connect(intptr_t handle, void *address, int length)'),
  getsockname: winsock.func('int __stdcall getsockname(intptr_t handle, void *address, void *length)'),
  getsockopt: winsock.func(
    'int __stdcall getsockopt(intptr_t handle, int level, int name, void *value, void *length)',
  ),
  setsockopt: winsock.func(
    'int __stdcall setsockopt(intptr_t handle, int level, int name, void *value, int length)',
  ),
  recv: winsock.func('int __stdcall recv(intptr_t handle, void *into, int length, int flags)'),
  send: winsock.func('int __stdcall send(intptr_t handle, void *bytes, int length, int flags)'),
  shutdown: winsock.func('int __stdcall shutdown(intptr_t handle, int how)'),
  close: winsock.func('int __stdcall closesocket(intptr_t handle)'),
  poll: winsock.func('int __stdcall WSAPoll(void *set, uint32_t count, int timeout)'),
});

function startWinsock(start: (version: number, data: Uint8Array) => number): void {
  const code = start(VERSION_2_2, new Uint8Array(WSADATA_BYTES));
  if (code !== 0) throw new SocketError('WSAStartup', `error ${code}`);
}
