import { StorageError } from '../core/errors.ts';

/** Drive of a path that names none: kubelet's `/var/lib/kubelet` is `C:\var\lib\kubelet`. */
const DEFAULT_DRIVE = 'C';

/** What Windows takes in no name. The separators are gone by then. */
const FORBIDDEN = /[<>:"|?*\u0000-\u001f]/u;

/**
 * The one form in which a CSI Proxy takes paths, `C:\var\lib\kubelet`, of all that kubelet and we write:
 * `/var/lib/kubelet`, `\var\lib\kubelet`, `c:\…`, `C:/…`, mixed, doubled and trailing separators, `\\?\C:\…`.
 * Throws `invalid-argument` on what is no absolute path of a drive or no name in Windows.
 */
export function windowsPath(path: string): string {
  const text = path.replaceAll('/', '\\').replace(/^\\\\\?\\(?=[A-Za-z]:)/, '');
  if (text.startsWith('\\\\')) throw invalid(path, 'it is a share or a device; use a path on a drive');
  const [, letter = DEFAULT_DRIVE, rest] = /^(?:([A-Za-z]):)?\\(.*)$/su.exec(text) ?? [];
  if (rest === undefined) throw invalid(path, 'it is not absolute; begin it with C:\\ or /');
  const names = rest.split('\\').filter((name) => name !== '');
  for (const name of names) requireName(name, path);
  return `${letter.toUpperCase()}:\\${names.join('\\')}`;
}

function requireName(name: string, path: string): void {
  if (name === '..' || name === '.')
    throw invalid(path, `"${name}" may lead elsewhere; write where it leads`);
  const [forbidden] = FORBIDDEN.exec(name) ?? [];
  if (forbidden !== undefined)
    throw invalid(path, `Windows allows no ${JSON.stringify(forbidden)} in a name; take it out`);
  if (/[. ]$/.test(name))
    throw invalid(path, `Windows drops the end of "${name}", a dot or a space; take it off`);
}

function invalid(path: string, why: string): StorageError {
  return new StorageError(
    'invalid-argument',
    `cannot give ${JSON.stringify(path)} to CSI Proxy as a path: ${why}`,
  );
}
