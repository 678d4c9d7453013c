import { openListener, type OpenListener } from '../rpc/listen.ts';
import { clearSocketPath } from '../rpc/unix-socket.ts';
import { openReactorListener } from '../transport/reactor-listener.ts';
import { socketProbe } from '../transport/socket-probe.ts';
import { systemSockets } from '../transport/system-sockets.ts';

/** Opens sockets as `--socket-backend` says. What the reactor needs of the system is loaded when it first listens. */
export function socketsOf(
  backend: 'auto' | 'node' | 'reactor',
  platform: NodeJS.Platform = process.platform,
): OpenListener {
  const isReactor = backend === 'reactor' || (backend === 'auto' && platform === 'win32');
  return isReactor ? onReactor : openListener;
}

const onReactor: OpenListener = async (endpoint, on) => {
  const api = systemSockets();
  const probe = socketProbe(api);
  return openReactorListener(endpoint, on, { api, clearPath: (path) => clearSocketPath(path, probe) });
};
