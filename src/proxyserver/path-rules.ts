import { StorageError } from '../core/errors.ts';
import type { PathContext } from '../proxyapi/path-context.ts';

export interface PathRulesOptions {
  /** Folders below which paths may be, `C:\…`, beside the kubelet's. */
  readonly workingDirs: readonly string[];
  /** `C:\var\lib\kubelet` */
  readonly kubeletPath: string;
  /** True: the two holes of the original stay open. */
  readonly compat: boolean;
}

/**
 * Which Windows paths a server takes. Each throws `invalid-argument` for one that it does not, and gives the path back
 * with the folder it is within spelt as the options spell it: for Windows that is the same, elsewhere letters of the
 * other case are another folder.
 */
export interface PathRules {
  /** A path of the file system group, or of the link to a share. */
  file(path: string): string;
  /**
   * A path of the volume group, or one that is asked whether it is a link. Slashes of either kind will do. The
   * original looks at none of these.
   */
  place(path: string): string;
  /** A path that is said to be a plugin's or a pod's. */
  inContext(path: string, context: PathContext): string;
}

/** Windows' own limit without `\\?\`; counted in bytes of UTF-8, as the original does. */
const MAX_PATH_BYTES = 260;
const DRIVE = /^[A-Za-z]:\\/;
/** NUL too: it ends a path in every system, and what is behind it would be unseen. */
const FORBIDDEN = /["/:?*|\u0000]|\.\./;

/**
 * The rules of CSI Proxy, with two holes closed that the original has: a folder whose name only begins like a working
 * folder (`C:\var\lib\kubelet-evil`) is not within it, and the places where volumes are mounted, and those asked
 * whether they are links, are under the rules too.
 */
export function pathRules({ workingDirs, kubeletPath, compat }: PathRulesOptions): PathRules {
  const isWithin = compat ? beginsLike : isBelow;
  const within = (path: string, folders: readonly string[], what: string): string => {
    requireForm(path);
    const folder = folders.map(plain).find((one) => isWithin(path, one));
    if (folder !== undefined) return folder + path.slice(folder.length);
    throw refused(path, `it is not within ${what} (${folders.join(', ')}); add one with --working-dir`);
  };
  const contexts = { PLUGIN: `${kubeletPath}\\plugins`, POD: `${kubeletPath}\\pods` } as const;
  const file = (path: string): string => within(path, [...workingDirs, kubeletPath], 'a working folder');
  return {
    file,
    place: (path) => (compat ? path : file(path.replaceAll('/', '\\'))),
    inContext: (path, context) => within(path, [contexts[context]], `the folder of PathContext ${context}`),
  };
}

/** In the order of the original; a share's path is caught by the second. */
function requireForm(path: string): void {
  const bytes = Buffer.byteLength(path);
  if (bytes > MAX_PATH_BYTES) {
    throw refused(`${path.slice(0, 80)}…`, `it has ${bytes} bytes, more than ${MAX_PATH_BYTES}`);
  }
  if (path.startsWith('\\')) throw refused(path, 'it begins with a backslash and not with a drive');
  const [found] = FORBIDDEN.exec(path.replace(DRIVE, '')) ?? [];
  if (found !== undefined) throw refused(path, `${JSON.stringify(found)} is not allowed in it`);
  if (!DRIVE.test(path)) throw refused(path, 'it is not absolute: begin it with C:\\');
}

const plain = (folder: string): string => folder.replaceAll('/', '\\').replace(/\\+$/, '');

const isBelow = (path: string, folder: string): boolean => beginsLike(`${path}\\`, `${folder}\\`);
/** Cut before it is lower-cased: some letters are longer in lower case, and would move the end of the folder. */
const beginsLike = (path: string, folder: string): boolean =>
  path.slice(0, folder.length).toLowerCase() === folder.toLowerCase();

function refused(path: string, why: string): StorageError {
  return new StorageError('invalid-argument', `the path ${JSON.stringify(path)} is refused: ${why}`);
}
