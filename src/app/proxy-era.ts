import type { ProxyConfig } from '../config/modes.ts';
import { RELEASES } from '../proxyapi/releases.ts';

type Asked = Pick<ProxyConfig, 'apiVersions' | 'era'>;

/** The releases from this one on are of the newer era: they ask Windows itself, not a PowerShell. */
const FIRST_OF_ERA_1_3 = '1.3';

/** The era a server is to be of: the asked one, or that of the newest release which it offers. */
export function eraOf({ apiVersions, era }: Asked): '1.2' | '1.3' {
  if (era !== 'auto') return era;
  const releases = releasesIn(apiVersions);
  return releases.length > 0 && !releases.includes(FIRST_OF_ERA_1_3) ? '1.2' : '1.3';
}

/** Whether it enforces the root that filesystem v1beta1 and v1alpha1 name with each path, as only 0.x did. */
export function enforcesPathContext({ apiVersions }: Asked): boolean {
  const releases = releasesIn(apiVersions);
  return releases.length > 0 && releases.every((release) => release.startsWith('0.'));
}

const releasesIn = (apiVersions: string): readonly string[] =>
  apiVersions
    .split(',')
    .map((part) => part.trim())
    .filter((part) => Object.hasOwn(RELEASES, part));
