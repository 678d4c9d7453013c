import { StorageError } from '../core/errors.ts';
import {
  ALL_PIPES,
  API_GROUPS,
  API_VERSIONS,
  type ApiGroup,
  type ApiVersion,
  EXTENSION_VERSION,
  type Pipe,
} from './api-versions.ts';

export type Release = '0.2.2' | '1.0' | '1.1' | '1.2' | '1.3';

/** What 0.2.2, the last release before 1.0, serves. */
const VERSIONS_OF_0_2_2: Readonly<Record<ApiGroup, readonly ApiVersion[]>> = {
  disk: ['v1beta2', 'v1beta1', 'v1alpha1'],
  volume: ['v1beta2', 'v1beta1', 'v1alpha1'],
  filesystem: ['v1beta1', 'v1alpha1'],
  smb: ['v1beta1', 'v1alpha1'],
  iscsi: ['v1alpha1'],
  system: ['v1alpha1'],
};

/** The pipes of releases of the original csi-proxy.exe. They have not changed since 1.1. */
export const RELEASES: Readonly<Record<Release, readonly Pipe[]>> = {
  '0.2.2': ALL_PIPES.filter(({ group, version }) => VERSIONS_OF_0_2_2[group].includes(version)),
  '1.0': ALL_PIPES.filter(({ version }) => version !== EXTENSION_VERSION),
  '1.1': ALL_PIPES,
  '1.2': ALL_PIPES,
  '1.3': ALL_PIPES,
};

/**
 * The pipes that `--api-versions` asks for: a comma list of releases (`1.2`), of versions (`v1beta1`: that version of
 * every group) or `all`. A group that never had exactly that version takes its newest one before it. Throws
 * `invalid-argument` on anything else.
 */
export function pipesOf(text: string): readonly Pipe[] {
  const wanted = text.split(',').map((part) => pipesOfPart(part.trim()));
  return ALL_PIPES.filter(({ group, version }) =>
    wanted.some((pipes) => pipes.some((pipe) => pipe.group === group && pipe.version === version)),
  );
}

/** Every version of any group, newest first. */
const NEWEST_FIRST: readonly ApiVersion[] = [
  EXTENSION_VERSION,
  'v1',
  'v1beta3',
  'v1beta2',
  'v1beta1',
  'v1alpha2',
  'v1alpha1',
];

function pipesOfPart(part: string): readonly Pipe[] {
  if (part === 'all') return ALL_PIPES;
  if (Object.hasOwn(RELEASES, part)) return RELEASES[part as Release];
  const rank = NEWEST_FIRST.findIndex((version) => version === part);
  if (rank >= 0) return API_GROUPS.map((group) => ({ group, version: newestUpTo(group, rank) }));
  const releases = Object.keys(RELEASES).join(', ');
  throw new StorageError(
    'invalid-argument',
    `${JSON.stringify(part)} is no release or version of CSI Proxy: use all, ${releases}, ${NEWEST_FIRST.join(', ')}, or several with commas between them`,
  );
}

function newestUpTo(group: ApiGroup, rank: number): ApiVersion {
  const versions = ALL_PIPES.filter((pipe) => pipe.group === group).map(({ version }) => version);
  const oldest = API_VERSIONS[group].at(-1) ?? 'v1alpha1';
  return NEWEST_FIRST.slice(rank).find((version) => versions.includes(version)) ?? oldest;
}
