import { StorageError } from './errors.ts';

/** Bytes of a GUID in a partition table. */
export const GUID_BYTES = 16;

const GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Where each byte of the text stands on disk: the first three groups are little-endian, the rest is not. */
const BYTE_ORDER = [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15] as const;

/** The 16 bytes a GUID has on disk. Throws `invalid-argument` for a text that is none. */
export function encodeGuid(guid: string): Uint8Array {
  const text = guid.toLowerCase();
  if (!GUID.test(text)) throw new StorageError('invalid-argument', `"${guid}" is not a GUID`);
  const digits = text.replaceAll('-', '');
  return Uint8Array.from(BYTE_ORDER, (at) => Number.parseInt(digits.slice(at * 2, at * 2 + 2), 16));
}

/** The GUID in 16 bytes from a disk, in lower case. */
export function decodeGuid(bytes: Uint8Array): string {
  const hex = BYTE_ORDER.map((at) => (bytes[at] ?? 0).toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
