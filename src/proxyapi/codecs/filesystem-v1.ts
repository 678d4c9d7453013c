import type { HostFiles } from '../../core/ports/host-storage.ts';
import type { Rpcs } from '../../gen/csi-proxy/filesystem/v1.ts';
import type { Rpcs as ExtendedRpcs } from '../../gen/csi-proxy/filesystem/v2alpha1.ts';
import { noAnswer, type RequestHalf, type VersionCodec } from './version-codec.ts';

/** Requests that name only a path. */
export const ofPath: RequestHalf<[string], { readonly path: string }> = {
  encodeRequest: ([path]) => ({ path }),
  decodeRequest: ({ path }) => [path],
};

/** Both paths of a link: the same in every version. */
export const ofLink: RequestHalf<
  [string, string],
  { readonly source_path: string; readonly target_path: string }
> = {
  encodeRequest: ([source, target]) => ({ source_path: source, target_path: target }),
  decodeRequest: ({ source_path, target_path }) => [source_path, target_path],
};

/** Filesystem `v1` and `v1beta2`. */
export const filesystemV1 = {
  pathExists: {
    rpc: 'PathExists',
    ...ofPath,
    encodeResponse: (exists) => ({ exists }),
    decodeResponse: ({ exists }) => exists,
  },
  mkdir: { rpc: 'Mkdir', ...ofPath, ...noAnswer },
  rmdir: {
    rpc: 'Rmdir',
    encodeRequest: ([path, force]) => ({ path, force }),
    decodeRequest: ({ path, force }) => [path, force],
    ...noAnswer,
  },
  createSymlink: { rpc: 'CreateSymlink', ...ofLink, ...noAnswer },
  isSymlink: {
    rpc: 'IsSymlink',
    ...ofPath,
    encodeResponse: (isSymlink) => ({ is_symlink: isSymlink }),
    decodeResponse: ({ is_symlink }) => is_symlink,
  },
} as const satisfies VersionCodec<HostFiles, Rpcs>;

/** Filesystem `v2alpha1`. */
export const filesystemV2alpha1: VersionCodec<HostFiles, ExtendedRpcs> = {
  ...filesystemV1,
  rmdirContents: { rpc: 'RmdirContents', ...ofPath, ...noAnswer },
};
