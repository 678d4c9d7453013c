import { type Server, ServerCredentials } from '@grpc/grpc-js';
import type { Logger } from '../core/ports/logger.ts';
import type { Listener, ListenerEvents } from './listen.ts';

/** What connections get to close by themselves; a health watch never does. */
const CLOSE_MS = 500;

/** Has a gRPC server take its connections from a socket that `open` opens. Throws what `open` throws. */
export async function serveOn(
  server: Server,
  open: (on: ListenerEvents) => Promise<Listener>,
  log: Logger,
): Promise<Listener> {
  const injector = server.createConnectionInjector(ServerCredentials.createInsecure());
  return open({
    connection: (socket) => {
      injector.injectConnection(socket);
    },
    error: (err) => {
      log.warn({ err }, 'cannot accept a connection; the caller will try again');
    },
  });
}

/** Takes no more calls and waits until those under way are answered, at most so long; then hangs up. */
export async function closeConnections(server: Server, graceMs = CLOSE_MS): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(() => {
      server.forceShutdown();
      resolve();
    }, graceMs);
    server.tryShutdown(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
