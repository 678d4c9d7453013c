import type { HostCapabilities } from '../core/ports/host-storage.ts';
import type { ApiGroup } from '../proxyapi/api-versions.ts';
import { codecIfAny } from './codec-for.ts';
import type { Negotiations } from './negotiations.ts';

/** What can be done in the versions agreed on, by the methods they have. Throws `unavailable` while there are none. */
export async function proxyCapabilities(
  negotiations: Negotiations,
  localStat: boolean,
  signal: AbortSignal,
): Promise<HostCapabilities> {
  const disk = await canDo(negotiations, 'disk', signal);
  const volume = await canDo(negotiations, 'volume', signal);
  return {
    kind: 'proxy',
    diskIds: disk('listDiskIds'),
    diskState: disk('setDiskState'),
    volumeStats: volume('getVolumeStats'),
    targetPathLookup: volume('getVolumeIdFromTargetPath') && volume('getDiskNumberFromVolumeId'),
    localStat,
  };
}

async function canDo(
  negotiations: Negotiations,
  group: ApiGroup,
  signal: AbortSignal,
): Promise<(method: string) => boolean> {
  const { version } = await negotiations.session(group, signal);
  return (method) => codecIfAny({ group, version }, method) !== undefined;
}
