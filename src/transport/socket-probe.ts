import { PollSet } from './poll-set.ts';
import { unixAddress } from './sockaddr.ts';
import type { PathKind, SocketApi, SocketHandle } from './socket-api.ts';
import { SocketError } from './socket-error.ts';

/** A socket that does not answer so soon belongs to a process that is there but stuck. */
const PROBE_MS = 1000;

export interface SocketProbe {
  kindOf(path: string): Promise<PathKind>;
  isLive(path: string): Promise<boolean>;
}

/** Looks at sockets through the same calls that listen; Node.js cannot connect to one on Windows. */
export const socketProbe = (api: SocketApi): SocketProbe => ({
  kindOf: (path) => Promise.resolve(api.kindOfPath(path)),
  isLive: (path) => isLive(api, path),
});

/** Whether someone accepts connections on a socket. Refused means that its process is gone. */
async function isLive(api: SocketApi, path: string): Promise<boolean> {
  const handle = api.open('unix-stream');
  if (handle instanceof SocketError) throw handle;
  try {
    const connected = api.connect(handle, unixAddress(path));
    if (connected instanceof SocketError) return refusedOrThrow(connected);
    if (connected !== 'again') return true;
    await decided(api, handle);
    const failure = api.pendingError(handle);
    return failure === undefined || refusedOrThrow(failure);
  } finally {
    api.close(handle);
  }
}

/** Some builds of Windows do not tell `WSAPoll` that a connection was refused, so its time may run out. */
async function decided(api: SocketApi, handle: SocketHandle): Promise<void> {
  const set = new PollSet(api.pollLayout);
  set.add(handle, { read: false, write: true });
  await api.poll(set.bytes, set.count, PROBE_MS);
}

function refusedOrThrow(error: SocketError): false {
  if (error.fault === 'refused') return false;
  throw error;
}
