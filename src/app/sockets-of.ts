import { openListener, type OpenListener } from '../rpc/listen.ts';
import { clearSocketPath, NODE_SOCKETS, type SocketProbe } from '../rpc/unix-socket.ts';
import { openReactorListener } from '../transport/reactor-listener.ts';
import { socketProbe } from '../transport/socket-probe.ts';
import { systemSockets } from '../transport/system-sockets.ts';

export type SocketBackend = 'auto' | 'node' | 'reactor';

/** Opens sockets as `--socket-backend` says. What the reactor needs of the system is loaded when it first listens. */
export const socketsOf = (backend: SocketBackend, platform?: NodeJS.Platform): OpenListener =>
  isReactor(backend, platform) ? onReactor : openListener;

/** Looks at the sockets of that backend. Throws `failed-precondition` when the reactor has not what it needs. */
export const probeOf = (backend: SocketBackend, platform?: NodeJS.Platform): SocketProbe =>
  isReactor(backend, platform) ? socketProbe(systemSockets()) : NODE_SOCKETS;

const isReactor = (backend: SocketBackend, platform: NodeJS.Platform = process.platform): boolean =>
  backend === 'reactor' || (backend === 'auto' && platform === 'win32');

const onReactor: OpenListener = async (endpoint, on) => {
  const api = systemSockets();
  const probe = socketProbe(api);
  return openReactorListener(endpoint, on, { api, clearPath: (path) => clearSocketPath(path, probe) });
};
