import { StorageError } from '../../core/errors.ts';

/** Where on a network something is. */
export interface SmbPath {
  /** `\\host\share`, lower-cased: what Windows maps, and what it knows the mapping by. */
  readonly key: string;
  readonly host: string;
  readonly share: string;
  /** Below the share; empty for the share itself. */
  readonly below: readonly string[];
}

/** What a name may not have in it, on Windows or here. */
const FORBIDDEN = /[\0:*?"<>|]/;

/** Takes both kinds of slashes, and one at the end. */
export function parseSmbPath(remotePath: string): SmbPath {
  const [none, empty, host = '', share = '', ...below] = remotePath
    .replaceAll('/', '\\')
    .replace(/\\+$/, '')
    .split('\\');
  const names = [host, share, ...below];
  const usable = names.every((name) => name !== '' && !/^\.+$/.test(name) && !FORBIDDEN.test(name));
  if (none !== '' || empty !== '' || !usable) {
    throw new StorageError(
      'invalid-argument',
      String.raw`${JSON.stringify(remotePath)} is not the path of an SMB share: expected \\host\share, or a path below it`,
    );
  }
  const [lowerHost, lowerShare] = [host.toLowerCase(), share.toLowerCase()];
  return { key: `\\\\${lowerHost}\\${lowerShare}`, host: lowerHost, share: lowerShare, below };
}
