import type { HostFiles } from '../../core/ports/host-storage.ts';
import type { MkdirRequest, PathContext, Rpcs } from '../../gen/csi-proxy/filesystem/v1beta1.ts';
import { ofLink, ofPath } from './filesystem-v1.ts';
import type { RequestHalf, VersionCodec } from './version-codec.ts';
import { answersError, throwOnError } from './error-field.ts';

/**
 * Filesystem `v1beta1` and `v1alpha1`. Requests say which root their path is below, as `pathContextOf` has it; whoever
 * decodes one may look at it with `pathsInContext`.
 */
export const filesystemV1beta1 = (
  pathContextOf: (path: string) => PathContext,
): VersionCodec<HostFiles, Rpcs> => {
  const ofPathInContext: RequestHalf<[string], MkdirRequest> = {
    encodeRequest: ([path]) => ({ path, context: pathContextOf(path) }),
    decodeRequest: ({ path }) => [path],
  };
  return {
    pathExists: {
      rpc: 'PathExists',
      ...ofPathInContext,
      encodeResponse: (exists) => ({ error: '', exists }),
      decodeResponse: ({ error, exists }) => (throwOnError('PathExists', error), exists),
    },
    mkdir: { rpc: 'Mkdir', ...ofPathInContext, ...answersError('Mkdir') },
    rmdir: {
      rpc: 'Rmdir',
      encodeRequest: ([path, force]) => ({ path, context: pathContextOf(path), force }),
      decodeRequest: ({ path, force }) => [path, force],
      ...answersError('Rmdir'),
    },
    createSymlink: { rpc: 'LinkPath', ...ofLink, ...answersError('LinkPath') },
    isSymlink: {
      rpc: 'IsMountPoint',
      ...ofPath,
      encodeResponse: (isMountPoint) => ({ error: '', is_mount_point: isMountPoint }),
      decodeResponse: ({ error, is_mount_point }) => (throwOnError('IsMountPoint', error), is_mount_point),
    },
  };
};
