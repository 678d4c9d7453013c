import { StorageError } from '../core/errors.ts';

/**
 * `sockaddr_un` and `sockaddr_in`, which Windows and Linux lay out alike: a 16-bit family in the machine's order, then
 * 108 bytes of path, or port and address in network order.
 */
const AF_UNIX = 1;
const AF_INET = 2;
const PATH_BYTES = 108;
const FAMILY_BYTES = 2;
const INET_BYTES = 16;

/** Longest path of a socket: the last byte is the final zero. */
const MAX_SOCKET_PATH_BYTES = PATH_BYTES - 1;

/** Room for any address above. */
export const MAX_ADDRESS_BYTES = FAMILY_BYTES + PATH_BYTES;

/** Throws `invalid-argument` for a path that is empty, too long, or has a zero byte in it. */
export function unixAddress(path: string): Uint8Array {
  const bytes = Buffer.from(path);
  if (bytes.length === 0 || bytes.includes(0)) throw unusable(path, 'it names no file');
  if (bytes.length > MAX_SOCKET_PATH_BYTES) {
    const limit = `a socket's may have ${MAX_SOCKET_PATH_BYTES}`;
    throw unusable(path, `it has ${bytes.length} bytes, ${limit}: shorten it`);
  }
  const address = Buffer.alloc(FAMILY_BYTES + PATH_BYTES);
  address.writeUInt16LE(AF_UNIX, 0);
  bytes.copy(address, FAMILY_BYTES);
  return address;
}

/** The path in the address of a unix socket; empty for a socket that has none, as a client's. */
export function pathOf(address: Uint8Array): string {
  const bytes = Buffer.from(address).subarray(FAMILY_BYTES);
  const end = bytes.indexOf(0);
  return bytes.subarray(0, end === -1 ? bytes.length : end).toString();
}

/** An IPv4 address of this machine's loopback, as `127.0.0.1`. Throws `invalid-argument` for any other. */
export function inetAddress(host: string, port: number): Uint8Array {
  const octets = host.split('.').map(Number);
  if (octets.length !== 4 || octets[0] !== 127 || octets.some((octet) => !(octet >= 0 && octet <= 255))) {
    throw new StorageError(
      'invalid-argument',
      `cannot use ${host} with the reactor: it takes 127.0.0.1, for tests`,
    );
  }
  const address = Buffer.alloc(INET_BYTES);
  address.writeUInt16LE(AF_INET, 0);
  address.writeUInt16BE(port, 2);
  address.set(octets, 4);
  return address;
}

export const portOf = (address: Uint8Array): number => Buffer.from(address).readUInt16BE(2);

const unusable = (path: string, why: string): StorageError =>
  new StorageError('invalid-argument', `cannot use ${JSON.stringify(path)} as a socket's path: ${why}`);
