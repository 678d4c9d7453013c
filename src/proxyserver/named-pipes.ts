import { createServer } from 'node:net';
import { messageOf, StorageError } from '../core/errors.ts';
import { pipeAddress } from '../proxyapi/pipe-address.ts';
import { listening } from '../util/listening.ts';
import { isErrno } from '../util/record-file.ts';
import type { OpenPipe } from './open-pipe.ts';

/**
 * Windows' named pipes below `\\.\pipe\`. Node.js leaves their security descriptor to Windows: SYSTEM, administrators
 * and the user of this process may write, everybody else may at most read, and nobody sends a call by reading. The
 * first instance is exclusive, so a pipe that another server has is refused and not shared with it.
 */
export function namedPipes(pipeDir: string): OpenPipe {
  return async (pipe, on) => {
    const path = pipeAddress(pipeDir, pipe);
    const server = createServer(on.connection);
    await listening(server, () => server.listen(path)).catch((error: unknown) => {
      throw new StorageError('failed-precondition', `cannot listen on ${path}: ${whyNot(error)}`, {
        cause: error,
      });
    });
    server.on('error', on.error);
    return { endpoint: { kind: 'unix', path }, close: () => server.close() };
  };
}

const whyNot = (error: unknown): string =>
  isErrno(error, 'EADDRINUSE')
    ? 'another process has this pipe; stop it (the service csiproxy, or a second copy of the driver?)'
    : messageOf(error);
