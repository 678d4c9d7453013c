import { connect as connectHttp2, type ClientHttp2Session } from 'node:http2';
import { connect } from 'node:net';
import { isErrno } from '../util/record-file.ts';
import { PipeUnusable } from './pipe-transport.ts';

/** Nobody listens: there is no such pipe, its folder is not there, its process is gone, or it is no socket at all. */
const ABSENT = ['ENOENT', 'ENOTDIR', 'ECONNREFUSED', 'ENOTSOCK'];
/** Windows' ERROR_PIPE_BUSY, and a full backlog elsewhere. */
const BUSY = ['EBUSY', 'EAGAIN'];

/**
 * Finds out on a connection of its own whether a server speaks HTTP/2 at this address, then hangs up. gRPC's channel
 * would go on trying where nobody listens, tells no reason, and never lets go of a connection whose server is silent.
 * Throws `PipeUnusable`; the signal's reason when that comes first.
 */
export function shakeHands(address: string, timeoutMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      fail(signal.reason);
      return;
    }
    let session: ClientHttp2Session | undefined;
    const socket = connect(address);
    const timer = setTimeout(() => {
      end(new PipeUnusable('stalled', `connected, but the server said nothing for ${timeoutMs / 1000} s`));
    }, timeoutMs);
    const giveUp = (): void => {
      end(signal.reason);
    };
    const hungUp = (): void => {
      end(new PipeUnusable('broken', 'the server hung up before it said anything'));
    };
    signal.addEventListener('abort', giveUp, { once: true });
    socket.on('error', (error) => {
      end(unusable(error));
    });
    socket.once('close', hungUp);
    socket.once('connect', () => {
      session = connectHttp2('http://localhost', { createConnection: () => socket });
      session.on('error', (error: Error) => {
        end(new PipeUnusable('broken', `no HTTP/2 is spoken there (${error.message})`, { cause: error }));
      });
      session.once('close', hungUp);
      session.once('remoteSettings', () => {
        end();
      });
    });

    /** The first end counts: hanging up makes events of its own. */
    function end(failure?: unknown): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
      if (failure === undefined) resolve();
      else fail(failure);
      session?.destroy();
      socket.destroy();
    }
    function fail(reason: unknown): void {
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- a signal's reason is its owner's
      reject(reason);
    }
  });
}

function unusable(error: Error): PipeUnusable {
  const isOneOf = (codes: readonly string[]): boolean => codes.some((code) => isErrno(error, code));
  if (isOneOf(ABSENT)) return new PipeUnusable('absent', 'nobody listens there', { cause: error });
  if (isOneOf(BUSY)) return new PipeUnusable('busy', 'every instance of the pipe is taken', { cause: error });
  return new PipeUnusable('broken', error.message, { cause: error });
}
