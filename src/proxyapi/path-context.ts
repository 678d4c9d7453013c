import { StorageError } from '../core/errors.ts';
import type { PathContext } from '../gen/csi-proxy/filesystem/v1beta1.ts';
import type { Pipe } from './api-versions.ts';

export type { PathContext };

/** Where the kubelet of a Windows node keeps plugins and pods. */
export const DEFAULT_KUBELET_PATH = 'C:\\var\\lib\\kubelet';

/**
 * Tells for a path which root the file system versions before v1beta2 want to hear: `POD` below `<kubelet>\pods`, else
 * `PLUGIN`. A path below neither is `PLUGIN` too; an old server refuses it in its own words. Windows paths: letters of
 * either case and slashes of either kind are the same.
 */
export function pathContextOf(kubeletPath: string): (path: string) => PathContext {
  const pods = comparable(`${kubeletPath}\\pods\\`);
  return (path) => (comparable(`${path}\\`).startsWith(pods) ? 'POD' : 'PLUGIN');
}

const comparable = (path: string): string => path.toLowerCase().replace(/[\\/]+/g, '\\');

/** A path of a request and the root it has to be below. */
export interface PathInContext {
  readonly path: string;
  readonly context: PathContext;
}

/**
 * The paths of a request for which its version demands a root, said in the message or fixed by the rpc: what servers
 * 0.x enforce. None for later versions. Throws `invalid-argument` for a context that does not exist.
 */
export function pathsInContext(
  { group, version }: Pipe,
  rpc: string,
  request: object,
): readonly PathInContext[] {
  const old = version === 'v1alpha1' || version === 'v1beta1';
  if (!old) return [];
  if (group === 'smb') return localPathOf(request);
  if (group !== 'filesystem') return [];
  if (rpc === 'LinkPath') {
    const { source_path, target_path } = request as {
      readonly source_path: string;
      readonly target_path: string;
    };
    return [
      { path: source_path, context: 'PLUGIN' },
      { path: target_path, context: 'POD' },
    ];
  }
  if (!('context' in request)) return [];
  const { path, context } = request as { readonly path: string; readonly context: unknown };
  if (context === 'PLUGIN' || context === 'POD') return [{ path, context }];
  throw new StorageError(
    'invalid-argument',
    `PathContext ${String(context)} is neither PLUGIN (0) nor POD (1)`,
  );
}

/** The link to an SMB share is made in a plugin's folder. */
const localPathOf = ({ local_path = '' }: { readonly local_path?: string }): readonly PathInContext[] =>
  local_path === '' ? [] : [{ path: local_path, context: 'PLUGIN' }];
