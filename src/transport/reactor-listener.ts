import { unlinkSync } from 'node:fs';
import { win32 } from 'node:path';
import type { Duplex } from 'node:stream';
import { messageOf, StorageError } from '../core/errors.ts';
import { Acceptor } from './acceptor.ts';
import { Reactor } from './reactor.ts';
import { inetAddress, portOf, unixAddress } from './sockaddr.ts';
import type { SocketApi, SocketHandle, SocketResult } from './socket-api.ts';
import { SocketError } from './socket-error.ts';

/** Where to listen; TCP is for tests. */
export type ReactorEndpoint =
  | { readonly kind: 'unix'; readonly path: string }
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number };

export interface ReactorListener {
  readonly endpoint: ReactorEndpoint;
  close(): void;
}

export interface ReactorListenerDeps {
  readonly api: SocketApi;
  /** Makes room at a path: removes a socket that nobody listens on, refuses everything else. */
  readonly clearPath: (path: string) => Promise<void>;
  /** Default: of this machine. */
  readonly platform?: NodeJS.Platform;
}

export interface ReactorListenerEvents {
  readonly connection: (connection: Duplex) => void;
  readonly error: (error: Error) => void;
}

/** Owner and group may talk to the driver, nobody else. On Windows the folder's access list decides. */
const SOCKET_UMASK = 0o117;
const BACKLOG = 511;

/**
 * Listens through a reactor of its own, which lives until the listener and all its connections are closed. Throws
 * `invalid-argument` for an endpoint that cannot be meant, `failed-precondition` for one that cannot be had.
 */
export async function openReactorListener(
  endpoint: ReactorEndpoint,
  on: ReactorListenerEvents,
  deps: ReactorListenerDeps,
): Promise<ReactorListener> {
  const { api } = deps;
  const at = endpoint.kind === 'unix' ? { ...endpoint, path: nativePath(endpoint.path, deps) } : endpoint;
  const address = at.kind === 'unix' ? unixAddress(at.path) : inetAddress(at.host, at.port);
  if (at.kind === 'unix') await deps.clearPath(at.path);
  const handle = demand(at, api.open(at.kind === 'unix' ? 'unix-stream' : 'inet-stream'));
  let forget = (): void => undefined;
  try {
    demand(at, bindPrivately(api, handle, address));
    if (at.kind === 'unix') forget = removeAtExit(at.path);
    demand(at, api.listen(handle, BACKLOG));
    const bound = at.kind === 'unix' ? endpoint : { ...at, port: boundPort(at, api, handle) };
    const reactor = new Reactor({ api, report: on.error });
    const acceptor = new Acceptor(handle, { api, reactor }, on);
    reactor.watch(acceptor);
    const close = (): void => {
      forget();
      acceptor.close();
    };
    return { endpoint: bound, close };
  } catch (error) {
    forget();
    api.close(handle);
    throw error;
  }
}

/** On Windows the path with its drive; elsewhere a path of Windows is refused. */
function nativePath(path: string, { platform = process.platform }: ReactorListenerDeps): string {
  if (platform === 'win32') return win32.resolve(path);
  if (path.startsWith('/')) return path;
  throw new StorageError('failed-precondition', `cannot listen on ${path}: that is a path of Windows`);
}

function bindPrivately(api: SocketApi, handle: SocketHandle, address: Uint8Array): SocketResult {
  const umask = process.umask(SOCKET_UMASK);
  try {
    return api.bind(handle, address);
  } finally {
    process.umask(umask);
  }
}

/** Removes the socket's file when the process ends without closing; or now, by the function it gives. */
function removeAtExit(path: string): () => void {
  const remove = (): void => {
    process.off('exit', remove);
    try {
      unlinkSync(path);
    } catch {
      // It is gone already, and if not, the next driver finds it stale.
    }
  };
  process.on('exit', remove);
  return remove;
}

function boundPort(endpoint: ReactorEndpoint, api: SocketApi, handle: SocketHandle): number {
  const address = api.localAddress(handle);
  if (address instanceof SocketError) throw cannot(endpoint, address);
  return portOf(address);
}

function demand(endpoint: ReactorEndpoint, result: SocketResult): number {
  if (typeof result === 'number') return result;
  throw cannot(endpoint, result === 'again' ? new SocketError('listen', 'EAGAIN') : result);
}

function cannot(endpoint: ReactorEndpoint, cause: SocketError): StorageError {
  const where = endpoint.kind === 'unix' ? endpoint.path : `${endpoint.host}:${endpoint.port}`;
  return new StorageError('failed-precondition', `cannot listen on ${where}: ${messageOf(cause)}`, { cause });
}
