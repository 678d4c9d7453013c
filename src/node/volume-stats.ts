import type { VolumeCondition } from '../core/condition.ts';
import { asVolumeId } from '../core/ids.ts';
import type { VolumeStats } from '../core/ports/host-storage.ts';
import type { NodeGetVolumeStatsRequest__Output } from '../gen/csi/csi/v1/NodeGetVolumeStatsRequest.ts';
import type { NodeGetVolumeStatsResponse } from '../gen/csi/csi/v1/NodeGetVolumeStatsResponse.ts';
import type { CallContext } from '../rpc/call.ts';
import type { JournalRecord } from './journal.ts';
import type { NodeDeps } from './node-deps.ts';
import { seeDisks } from './disk-finder.ts';
import type { VolumeMeter } from './volume-meter.ts';
import { observeVolume } from './volume-observer.ts';
import { isJournalledPath, requirePathOfVolume, requireStagedRecord } from './volume-path.ts';

type Deps = NodeDeps & { readonly meter: VolumeMeter };

/**
 * NodeGetVolumeStats: bytes of the file system and the volume's condition. CSI spec, NodeGetVolumeStats;
 * `not-found` when the volume is not at that path. Kubelet asks every minute for every pod, so a known path costs
 * no host call where this process can look itself, and else one that all callers share. Where nobody can tell the
 * bytes, the answer is the condition alone: CSI makes both optional.
 */
export async function volumeStats(
  deps: Deps,
  request: NodeGetVolumeStatsRequest__Output,
  { signal }: CallContext,
): Promise<NodeGetVolumeStatsResponse> {
  const volumeId = asVolumeId(request.volume_id);
  const path = request.volume_path;
  const record = await requireStagedRecord(deps, volumeId);
  if (!isJournalledPath(record, path)) await requirePathOfVolume(deps, record, path, signal);

  const condition = deps.conditions.get(volumeId);
  if (condition.abnormal) return answer(deps.meter.last(volumeId), condition);
  try {
    return answer(await deps.meter.measure(record, path, signal), condition);
  } catch (error) {
    const seen = await lookDeeper(deps, record, path, signal);
    if (seen.abnormal) return answer(deps.meter.last(volumeId), seen);
    if (!deps.meter.isDistant(volumeId)) throw error;
    return answer(await deps.meter.measure(record, path, signal), condition);
  }
}

/** The numbers could not be had: is the volume broken, or is it not at that path at all? */
async function lookDeeper(
  deps: Deps,
  record: JournalRecord,
  path: string,
  signal: AbortSignal,
): Promise<VolumeCondition> {
  const { host } = deps;
  const { condition } = await observeVolume(host, record, await seeDisks(host, signal), signal);
  if (condition.abnormal) deps.conditions.set(record.volumeId, condition);
  else await requirePathOfVolume(deps, record, path, signal);
  return condition;
}

function answer(bytes: VolumeStats | undefined, condition: VolumeCondition): NodeGetVolumeStatsResponse {
  return {
    usage: bytes === undefined ? [] : [usage(bytes)],
    volume_condition: { abnormal: condition.abnormal, message: condition.message },
  };
}

function usage({
  totalBytes,
  usedBytes,
}: VolumeStats): NonNullable<NodeGetVolumeStatsResponse['usage']>[number] {
  return {
    unit: 'BYTES',
    total: totalBytes.toString(),
    used: usedBytes.toString(),
    available: (totalBytes > usedBytes ? totalBytes - usedBytes : 0n).toString(),
  };
}
