import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { messageOf, StorageError } from '../core/errors.ts';
import { pipeAddress } from '../proxyapi/pipe-address.ts';
import { parseEndpoint } from '../rpc/endpoint.ts';
import { openListener } from '../rpc/listen.ts';
import type { OpenPipe } from './open-pipe.ts';

/** Pipes that are unix sockets in a folder, as `csi-proxy-volume-v1.sock`. The folder is made when it is missing. */
export function unixPipes(pipeDir: string): OpenPipe {
  const folder = resolve(pipeDir);
  return async (pipe, on) => {
    await makeFolder(folder);
    return openListener(parseEndpoint(`unix://${pipeAddress(folder, pipe)}`), on);
  };
}

/** Whoever may open a pipe may format a disk: the folder is its owner's alone. One that is there keeps its mode. */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    const text = `cannot make ${folder}, the folder for the pipes: ${messageOf(error)}; make it, or name another with --pipe-dir`;
    throw new StorageError('failed-precondition', text, { cause: error });
  }
}
