import { existsSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type * as koffi from 'koffi';
import { messageOf, StorageError } from '../core/errors.ts';
import { loadFromMemory, packedModule } from './native-asset.ts';

/** The foreign function interface: calls functions of the system's libraries that Node.js has no binding for. */
export type Koffi = typeof koffi;

/** Name of koffi's native module beside the bundle and in the single executable; `scripts` put it there. */
const NATIVE_FILE = `koffi-${process.platform}-${process.arch}.node`;

/**
 * Loads koffi when it is first needed, so that a driver that does not need it runs without. It comes out of the single
 * executable; else from the file beside the driver's script, else from the packages installed around that. Throws
 * `failed-precondition`.
 */
export function loadKoffi(script = process.argv[1], packed = packedModule): Koffi {
  const from = script === undefined ? process.execPath : realpathSync(script);
  let mend = `put ${NATIVE_FILE} beside ${from}, or run npm ci`;
  try {
    const bytes = packed(NATIVE_FILE);
    if (bytes === undefined) return installed(from);
    mend =
      'let TMPDIR (on Windows TEMP) name a folder that can be written and from which libraries may be loaded';
    return loadFromMemory(NATIVE_FILE, bytes) as Koffi;
  } catch (error) {
    const tried = "cannot call the system's sockets: koffi does not load";
    throw new StorageError('failed-precondition', `${tried} (${messageOf(error)}); ${mend}`, {
      cause: error,
    });
  }
}

function installed(from: string): Koffi {
  const beside = join(dirname(from), NATIVE_FILE);
  return createRequire(from)(existsSync(beside) ? beside : 'koffi') as Koffi;
}
