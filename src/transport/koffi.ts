import { existsSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type * as koffi from 'koffi';
import { messageOf, StorageError } from '../core/errors.ts';

/** The foreign function interface: calls functions of the system's libraries that Node.js has no binding for. */
export type Koffi = typeof koffi;

/** Name of koffi's native module beside the bundle; `scripts/build.ts` puts it there. */
const NATIVE_FILE = `koffi-${process.platform}-${process.arch}.node`;

/**
 * Loads koffi when it is first needed, so that a driver that does not need it runs without. It comes from the file
 * beside the driver's script, else from the packages installed around that. Throws `failed-precondition`.
 */
export function loadKoffi(script = process.argv[1]): Koffi {
  const from = script === undefined ? process.execPath : realpathSync(script);
  const beside = join(dirname(from), NATIVE_FILE);
  const wanted = existsSync(beside) ? beside : 'koffi';
  try {
    return createRequire(from)(wanted) as Koffi;
  } catch (error) {
    throw new StorageError(
      'failed-precondition',
      `cannot call the system's sockets: koffi does not load (${messageOf(error)}); ` +
        `put ${NATIVE_FILE} beside ${from}, or run npm ci`,
      { cause: error },
    );
  }
}
