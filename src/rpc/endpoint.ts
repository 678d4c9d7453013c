import { isIP } from 'node:net';
import { StorageError } from '../core/errors.ts';

/** Where CSI is served. */
export type Endpoint =
  | { readonly kind: 'unix'; readonly path: string }
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number };

const FORMS = 'use unix:///csi/csi.sock, unix://C:\\csi\\csi.sock or, for tests, tcp://127.0.0.1:0';

/** Longest path of a socket on Linux: `sun_path` without its final zero. */
const MAX_SOCKET_PATH_BYTES = 107;

/**
 * Reads `unix:///path`, `unix:/path`, `unix://C:\path`, `unix:\path` and `tcp://host:port`. TCP is for tests: CSI has no
 * authentication, so only loopback addresses are taken. Throws `invalid-argument`.
 */
export function parseEndpoint(text: string): Endpoint {
  const [, scheme, rest = ''] = /^(unix|tcp):(.*)$/s.exec(text) ?? [];
  if (scheme === undefined) throw invalid(text, `it begins with neither unix: nor tcp:; ${FORMS}`);
  return scheme === 'unix' ? parseUnix(text, rest) : parseTcp(text, rest);
}

/** The same in the form gRPC clients take. */
export function clientTarget(endpoint: Endpoint): string {
  return endpoint.kind === 'unix' ? `unix:${endpoint.path}` : hostAndPort(endpoint);
}

export function formatEndpoint(endpoint: Endpoint): string {
  return endpoint.kind === 'unix' ? `unix://${endpoint.path}` : `tcp://${hostAndPort(endpoint)}`;
}

/** `C:\\csi\\csi.sock`, or `\\csi\\csi.sock` on the current drive. */
export const isWindowsPath = (path: string): boolean => /^(?:[A-Za-z]:[\\/]|\\)/.test(path);

function parseUnix(text: string, rest: string): Endpoint {
  const path = /^\/{2,3}[A-Za-z]:[\\/]/.test(rest) ? rest.replace(/^\/+/, '') : rest.replace(/^\/\//, '');
  if (!path.startsWith('/') && !isWindowsPath(path)) {
    throw invalid(text, `the path of the socket must be absolute; ${FORMS}`);
  }
  if (path.includes('\0') || /[\\/]$/.test(path)) throw invalid(text, `it names no file; ${FORMS}`);
  const bytes = Buffer.byteLength(path);
  if (bytes > MAX_SOCKET_PATH_BYTES) {
    throw invalid(
      text,
      `the path has ${bytes} bytes, a socket's may have ${MAX_SOCKET_PATH_BYTES}: shorten it`,
    );
  }
  return { kind: 'unix', path };
}

function parseTcp(text: string, rest: string): Endpoint {
  const [, bracketed, plain, digits] = /^\/\/(?:\[([^\]]+)\]|([^:/[\]]+)):(\d{1,5})$/.exec(rest) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined || Number(digits) > 65535) throw invalid(text, `it is no host and port; ${FORMS}`);
  if (host !== 'localhost' && host !== '::1' && !(isIP(host) === 4 && host.startsWith('127.'))) {
    const reason = `CSI has no authentication, so ${host} would let anyone on the network manage volumes`;
    throw invalid(text, `${reason}; use a unix socket, or a loopback address for tests`);
  }
  return { kind: 'tcp', host, port: Number(digits) };
}

const hostAndPort = ({ host, port }: Extract<Endpoint, { kind: 'tcp' }>): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;

function invalid(text: string, why: string): StorageError {
  return new StorageError('invalid-argument', `cannot use ${JSON.stringify(text)} as CSI endpoint: ${why}`);
}
