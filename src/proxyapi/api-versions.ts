/** The API groups of CSI Proxy, each with versions of its own. */
export const API_GROUPS = ['disk', 'volume', 'filesystem', 'smb', 'iscsi', 'system'] as const;
export type ApiGroup = (typeof API_GROUPS)[number];

/** Every version that ever had a pipe, newest first: the order in which a client looks for them. */
export const API_VERSIONS = {
  disk: ['v1', 'v1beta3', 'v1beta2', 'v1beta1', 'v1alpha1'],
  volume: ['v1', 'v1beta3', 'v1beta2', 'v1beta1', 'v1alpha1'],
  filesystem: ['v1', 'v1beta2', 'v1beta1', 'v1alpha1'],
  smb: ['v1', 'v1beta2', 'v1beta1', 'v1alpha1'],
  iscsi: ['v1alpha2', 'v1alpha1'],
  system: ['v1alpha1'],
} as const satisfies Record<ApiGroup, readonly string[]>;

/**
 * Beside `v1`, releases from 1.1 on serve `v2alpha1` of these groups. It is asked only for the one rpc of each that
 * exists nowhere else.
 */
export const EXTENSION_VERSION = 'v2alpha1';
const EXTENDED_GROUPS: readonly ApiGroup[] = ['volume', 'filesystem'];

export type ApiVersion = (typeof API_VERSIONS)[ApiGroup][number] | typeof EXTENSION_VERSION;

/** One named pipe of a CSI Proxy: one version of one group. */
export interface Pipe {
  readonly group: ApiGroup;
  readonly version: ApiVersion;
}

/** `csi-proxy-volume-v1`: the last part of the pipe's name on Windows, and of the socket's (`.sock`) elsewhere. */
export const pipeName = ({ group, version }: Pipe): string => `csi-proxy-${group}-${version}`;

/** Every pipe there is: what the releases from 1.1 on serve. */
export const ALL_PIPES: readonly Pipe[] = API_GROUPS.flatMap((group) => {
  const extended = EXTENDED_GROUPS.includes(group);
  const versions: readonly ApiVersion[] = extended
    ? [EXTENSION_VERSION, ...API_VERSIONS[group]]
    : API_VERSIONS[group];
  return versions.map((version) => ({ group, version }));
});
