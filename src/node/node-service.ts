import { asVolumeId } from '../core/ids.ts';
import type { CallContext, CsiService, LockKeys } from '../rpc/call.ts';
import { expandVolume } from './expand-volume.ts';
import { volumeLockKey, type NodeDeps, type NodeOptions } from './node-deps.ts';
import { nodeCapabilities, nodeInfo } from './node-info.ts';
import { publishVolume } from './publish-volume.ts';
import { asIfAway } from './replaced-host.ts';
import { SeenLinks } from './seen-links.ts';
import { stageVolume } from './stage-volume.ts';
import { StatsCache } from './stats-cache.ts';
import { unpublishVolume } from './unpublish-volume.ts';
import { unstageVolume } from './unstage-volume.ts';
import { VolumeMeter } from './volume-meter.ts';
import { volumeStats } from './volume-stats.ts';

/** CSI's Node service: NTFS volumes on one node, over any HostStorage. */
export function nodeService(deps: NodeDeps, options: NodeOptions): CsiService {
  const cache = new StatsCache(options.statsCacheSeconds, deps.now);
  const parts = { ...deps, links: new SeenLinks(), meter: new VolumeMeter(deps, cache) };
  /** Binds what a handler works with, so that it takes a request and its context only. */
  const handle =
    <Request, Response>(
      handler: (deps: typeof parts, request: Request, context: CallContext) => Promise<Response>,
    ) =>
    (request: Request, context: CallContext): Promise<Response> =>
      asIfAway(context.method, () => handler(parts, request, context));

  return {
    name: 'Node',
    methods: {
      NodeStageVolume: handle(stageVolume),
      NodeUnstageVolume: handle(unstageVolume),
      NodePublishVolume: handle(publishVolume),
      NodeUnpublishVolume: handle(unpublishVolume),
      NodeExpandVolume: handle(expandVolume),
      NodeGetVolumeStats: handle(volumeStats),
      NodeGetInfo: () => Promise.resolve(nodeInfo(deps, options)),
      NodeGetCapabilities: () => Promise.resolve(nodeCapabilities()),
    },
    lockKeys: {
      NodeStageVolume: ofVolume,
      NodeUnstageVolume: ofVolume,
      NodePublishVolume: ofVolume,
      NodeUnpublishVolume: ofVolume,
      NodeExpandVolume: ofVolume,
    },
  };
}

/** One operation per volume at a time (law 6). Asking for numbers or capabilities waits for nobody. */
const ofVolume: LockKeys = ({ volume_id }: { readonly volume_id: string }) => [
  volumeLockKey(asVolumeId(volume_id)),
];
