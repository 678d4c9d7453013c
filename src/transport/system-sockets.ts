import { StorageError } from '../core/errors.ts';
import { loadKoffi } from './koffi.ts';
import { libcSockets } from './libc-sockets.ts';
import type { SocketApi } from './socket-api.ts';
import { winsockSockets } from './winsock-sockets.ts';

/** The sockets of this machine. Throws `unimplemented` where nobody has written them, `failed-precondition` without koffi. */
export function systemSockets(): SocketApi {
  if (process.platform === 'win32') return winsockSockets(loadKoffi());
  if (process.platform === 'linux') return libcSockets(loadKoffi());
  throw new StorageError(
    'unimplemented',
    `--socket-backend reactor knows the sockets of Windows and Linux, not of ${process.platform}; use node`,
  );
}
