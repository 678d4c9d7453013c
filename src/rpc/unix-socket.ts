import type { Stats } from 'node:fs';
import { lstat, rm, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import { messageOf, StorageError } from '../core/errors.ts';
import { isErrno } from '../util/record-file.ts';

/** A socket that does not answer so soon belongs to a process that is there but stuck. */
const PROBE_MS = 1000;

/** What is at a path: nothing, a socket nobody listens on any more, one that is in use, or something that is no socket. */
export type SocketState = 'nothing' | 'stale' | 'live' | 'no-socket';

/** How a kind of sockets looks at a path: each has its own way to tell a socket's file and to connect to it. */
export interface SocketProbe {
  kindOf(path: string): Promise<'nothing' | 'socket' | 'other'>;
  /** Whether someone accepts connections on the socket there. */
  isLive(path: string): Promise<boolean>;
}

/** The sockets of Node.js itself. */
export const NODE_SOCKETS: SocketProbe = {
  kindOf: async (path) => {
    const found = await lstatIfAny(path);
    return found === undefined ? 'nothing' : found.isSocket() ? 'socket' : 'other';
  },
  isLive,
};

/** Looks without touching. `failed-precondition` when this user may not even look. */
export async function socketStateOf(path: string, sockets: SocketProbe = NODE_SOCKETS): Promise<SocketState> {
  const kind = await sockets.kindOf(path);
  if (kind === 'nothing') return 'nothing';
  if (kind === 'other') return 'no-socket';
  return (await sockets.isLive(path)) ? 'live' : 'stale';
}

/**
 * Makes room for a unix socket: a socket that nobody listens on any more, as a killed driver leaves it, is removed.
 * A live one, and anything that is no socket, is `failed-precondition` and stays as it is.
 */
export async function clearSocketPath(path: string, sockets: SocketProbe = NODE_SOCKETS): Promise<void> {
  const state = await socketStateOf(path, sockets);
  if (state === 'no-socket')
    throw unusable(path, 'there is something that is no socket; move it away, or choose another endpoint');
  if (state === 'live')
    throw unusable(path, 'another process listens there; stop it (a second copy of the driver?)');
  if (state === 'stale') await rm(path, { force: true });
  else await requireFolder(path);
}

async function lstatIfAny(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (isErrno(error, 'ENOENT') || isErrno(error, 'ENOTDIR')) return undefined;
    throw unusable(path, `it cannot be looked at (${messageOf(error)})`, error);
  }
}

async function requireFolder(path: string): Promise<void> {
  const folder = dirname(path);
  const isFolder = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) {
    const mend = 'make it, or mount it into the container (hostPath, type DirectoryOrCreate)';
    throw unusable(path, `${folder} is not a folder; ${mend}`);
  }
}

/** Whether someone accepts connections on a socket. Refused means that its process is gone. */
async function isLive(path: string): Promise<boolean> {
  const socket = connect(path);
  try {
    return await new Promise<boolean>((resolve, reject) => {
      socket.setTimeout(PROBE_MS, () => {
        resolve(true);
      });
      socket.once('connect', () => {
        resolve(true);
      });
      socket.once('error', (error) => {
        if (isErrno(error, 'ECONNREFUSED') || isErrno(error, 'ENOENT')) resolve(false);
        else reject(unusable(path, `it cannot be probed (${error.message})`, error));
      });
    });
  } finally {
    socket.destroy();
  }
}

function unusable(path: string, why: string, cause?: unknown): StorageError {
  return new StorageError('failed-precondition', `cannot listen on ${path}: ${why}`, { cause });
}
