import { ALL_PIPES, API_GROUPS, type Pipe } from '../../proxyapi/api-versions.ts';
import { RELEASES } from '../../proxyapi/releases.ts';
import type { Finding } from './finding.ts';

/** What each set of pipes says of the release. From 1.1 on they are the same, so those cannot be told apart. */
const KNOWN: readonly (readonly [pipes: readonly Pipe[], name: string])[] = [
  [RELEASES['0.2.2'], 'looks like csi-proxy 0.2.2'],
  [RELEASES['1.0'], 'looks like csi-proxy 1.0'],
  [RELEASES['1.3'], 'looks like csi-proxy 1.1 or newer: their pipes are the same'],
];

/** Which release of csi-proxy.exe has just these pipes. */
export function releaseFinding(pipes: readonly Pipe[]): Finding {
  const subject = 'CSI Proxy';
  const [, release] = KNOWN.find(([known]) => isSame(known, pipes)) ?? [];
  if (release !== undefined) return { state: 'ok', subject, found: release };
  const absent = ALL_PIPES.filter((pipe) => !has(pipes, pipe));
  const found =
    pipes.length <= absent.length
      ? `like no release: only ${namesOf(pipes)}`
      : `like no release: 1.1 or newer, but without ${namesOf(absent)}`;
  return { state: 'note', subject, found };
}

const has = (pipes: readonly Pipe[], { group, version }: Pipe): boolean =>
  pipes.some((pipe) => pipe.group === group && pipe.version === version);

const isSame = (some: readonly Pipe[], others: readonly Pipe[]): boolean =>
  some.length === others.length && some.every((pipe) => has(others, pipe));

/** `disk v1beta1 v1alpha1, smb v1` */
const namesOf = (pipes: readonly Pipe[]): string =>
  API_GROUPS.map((group) => [group, pipes.filter((pipe) => pipe.group === group)] as const)
    .filter(([, ofGroup]) => ofGroup.length > 0)
    .map(([group, ofGroup]) => [group, ...ofGroup.map(({ version }) => version)].join(' '))
    .join(', ');
