import type { Koffi } from './koffi.ts';
import type { PathKind } from './socket-api.ts';

/** Offsets in `WIN32_FIND_DATAW`; `dwReserved0` holds the reparse tag. */
const FIND_DATA_BYTES = 592;
const ATTRIBUTES = 0;
const REPARSE_TAG = 36;

const FILE_ATTRIBUTE_REPARSE_POINT = 0x400;
const IO_REPARSE_TAG_AF_UNIX = 0x80000023;

/**
 * Tells a socket's file by its reparse tag. `fs.lstat` cannot: libuv tries to open such a file and may not, or shows an
 * empty file, depending on its version.
 */
export function windowsPathKind(kernel: ReturnType<Koffi['load']>): (path: string) => PathKind {
  const find: (path: string, found: Uint8Array) => number = kernel.func(
    'intptr_t __stdcall FindFirstFileW(str16 path, void *found)',
  );
  const close: (handle: number) => number = kernel.func('int __stdcall FindClose(intptr_t handle)');
  return (path) => {
    const found = Buffer.alloc(FIND_DATA_BYTES);
    const handle = find(path, found);
    if (handle === -1) return 'nothing';
    close(handle);
    const isReparsePoint = (found.readUInt32LE(ATTRIBUTES) & FILE_ATTRIBUTE_REPARSE_POINT) !== 0;
    return isReparsePoint && found.readUInt32LE(REPARSE_TAG) === IO_REPARSE_TAG_AF_UNIX ? 'socket' : 'other';
  };
}
