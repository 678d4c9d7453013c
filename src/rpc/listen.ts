import { createServer, type Server } from 'node:net';
import type { Duplex } from 'node:stream';
import { messageOf, StorageError } from '../core/errors.ts';
import { listening } from '../util/listening.ts';
import { type Endpoint, formatEndpoint, isWindowsPath } from './endpoint.ts';
import { clearSocketPath } from './unix-socket.ts';

/** A socket open for connections. */
export interface Listener {
  /** Where it listens, with the port the system chose. */
  readonly endpoint: Endpoint;
  /** Takes no more connections and removes the socket's file; open connections stay. */
  close(): void;
}

export interface ListenerEvents {
  readonly connection: (connection: Duplex) => void;
  /** A connection could not be accepted, as when the process has too many files open. Others may be. */
  readonly error: (error: Error) => void;
}

/** How a server gets its connections. Throws `invalid-argument` or `failed-precondition`, with what to do. */
export type OpenListener = (endpoint: Endpoint, on: ListenerEvents) => Promise<Listener>;

/** Owner and group may talk to the driver, nobody else. */
const SOCKET_UMASK = 0o117;

/** Opens a socket of our own, so that grpc-js needs to know nothing of paths and modes. */
export async function openListener(endpoint: Endpoint, on: ListenerEvents): Promise<Listener> {
  if (endpoint.kind === 'unix') await requireUnixPath(endpoint.path);
  const server = createServer({ noDelay: true }, on.connection);
  await listening(server, () => {
    if (endpoint.kind === 'unix') bindPrivately(server, endpoint.path);
    else server.listen(endpoint.port, endpoint.host);
  }).catch((error: unknown) => {
    const text = `cannot listen on ${formatEndpoint(endpoint)}: ${messageOf(error)}`;
    throw new StorageError('failed-precondition', text, { cause: error });
  });
  server.on('error', on.error);
  return { endpoint: boundEndpoint(endpoint, server), close: () => server.close() };
}

async function requireUnixPath(path: string): Promise<void> {
  if (process.platform === 'win32' || isWindowsPath(path)) {
    throw new StorageError(
      'unimplemented',
      `cannot listen on ${path}: Node.js has no unix sockets on Windows; use --socket-backend reactor there, and unix:///csi/csi.sock on Linux`,
    );
  }
  await clearSocketPath(path);
}

/** Node.js binds a unix socket before `listen` returns, so nothing else sees the mask and the file never has another mode. */
function bindPrivately(server: Server, path: string): void {
  const umask = process.umask(SOCKET_UMASK);
  try {
    server.listen(path);
  } finally {
    process.umask(umask);
  }
}

function boundEndpoint(endpoint: Endpoint, server: Server): Endpoint {
  const address = server.address();
  return endpoint.kind === 'tcp' && typeof address === 'object' && address !== null
    ? { ...endpoint, port: address.port }
    : endpoint;
}
