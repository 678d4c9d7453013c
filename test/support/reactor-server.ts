import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { join } from 'node:path';
import { socketsOf } from '../../src/app/sockets-of.ts';
import type { Endpoint } from '../../src/rpc/endpoint.ts';
import { inTempFolder } from './temp-folder.ts';

export interface ReactorServer {
  readonly folder: string;
  readonly path: string;
  readonly endpoint: Endpoint;
  readonly connections: readonly Duplex[];
  readonly errors: readonly Error[];
  readonly close: () => void;
  readonly dial: () => Promise<Socket>;
}

/** Runs a test with a listener of the reactor on real sockets; hangs up all that is left of it however the test ends. */
export async function withReactorServer(
  serve: (connection: Duplex) => void,
  test: (server: ReactorServer) => Promise<void>,
): Promise<void> {
  await inTempFolder(async (folder) => {
    const path = join(folder, 'csi.sock');
    const connections: Duplex[] = [];
    const sockets: Socket[] = [];
    const errors: Error[] = [];
    const listener = await socketsOf('reactor')(
      { kind: 'unix', path },
      {
        connection: (connection) => {
          connections.push(connection);
          serve(connection);
        },
        error: (error) => errors.push(error),
      },
    );
    const dial = async (): Promise<Socket> => {
      const socket = await dialPath(path);
      sockets.push(socket);
      return socket;
    };
    const close = (): void => {
      listener.close();
    };
    try {
      await test({ folder, path, endpoint: listener.endpoint, connections, errors, close, dial });
    } finally {
      for (const socket of sockets) socket.destroy();
      for (const connection of connections) connection.destroy();
      close();
    }
  });
}

export function dialPath(path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(path, () => {
      resolve(socket);
    });
    socket.once('error', reject);
  });
}
