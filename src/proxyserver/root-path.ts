import { isAbsolute, join, relative, resolve, sep, win32 } from 'node:path';
import { StorageError } from '../core/errors.ts';

/** A folder of this machine that is drive `C:` of the one a client sees. */
export interface RootPath {
  /**
   * `C:\var\lib` as a path of this machine. Slashes of either kind, letters of the drive of either case; `.` and `..`
   * are resolved by the text alone, as Windows does, so nothing leads out of the drive. Throws `invalid-argument` for
   * any other drive, for shares, devices and what is no path.
   */
  toHost(path: string): string;
  /** A path of this machine as a client knows it; what is not below the folder stays as it is. */
  toWindows(path: string): string;
}

const DRIVE = 'C:';

export function rootPath(root: string): RootPath {
  const folder = resolve(root);
  return {
    toHost: (path) => join(folder, ...namesOf(path)),
    toWindows: (path) => {
      const below = relative(folder, path);
      const isOutside = below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below);
      return isOutside ? path : `${DRIVE}\\${below.replaceAll('/', '\\')}`;
    },
  };
}

/** The names from the root of the drive on. */
function namesOf(path: string): readonly string[] {
  if (path.includes('\0')) throw invalid(path, 'it has a NUL in it');
  const plain = win32.normalize(path);
  const { root } = win32.parse(plain);
  // A path that begins with one separator is on the drive one is on: Windows' services are on C:.
  if (root !== '\\' && root.toUpperCase() !== `${DRIVE}\\`)
    throw invalid(path, `it is not on drive ${DRIVE}`);
  const names = plain
    .slice(root.length)
    .split('\\')
    .filter((name) => name !== '');
  if (names.includes('..')) throw invalid(path, 'it leads out of the drive');
  return names;
}

function invalid(path: string, why: string): StorageError {
  return new StorageError('invalid-argument', `there is no path ${JSON.stringify(path)}: ${why}`);
}
