import { MIB, PARTITION_OVERHEAD_BYTES, type CapacityRange } from '../core/capacity.ts';
import { StorageError } from '../core/errors.ts';
import { asVolumeId } from '../core/ids.ts';
import type { NodeExpandVolumeRequest__Output } from '../gen/csi/csi/v1/NodeExpandVolumeRequest.ts';
import type { NodeExpandVolumeResponse } from '../gen/csi/csi/v1/NodeExpandVolumeResponse.ts';
import type { CallContext } from '../rpc/call.ts';
import { capacityRange } from '../rpc/wire/capacity-range.ts';
import { requireSupportedCapability } from '../rpc/wire/volume-capability.ts';
import type { NodeDeps } from './node-deps.ts';
import { GROWTH_TOLERANCE_BYTES } from './prepare-volume.ts';
import type { VolumeMeter } from './volume-meter.ts';
import { requirePathOfVolume, requireStagedRecord } from './volume-path.ts';

type Deps = Pick<NodeDeps, 'host' | 'journal'> & { readonly meter: VolumeMeter };

/** What a disk is larger than its file system: partition tables, the reserved partition, rounding to clusters. */
const OVERHEAD_BYTES = PARTITION_OVERHEAD_BYTES + MIB;

const UNMEASURED =
  'grew the file system of a volume, and nothing on this node can tell its size now: look at the disk, or upgrade CSI Proxy ' +
  'to a release with the volume API v1beta1 or newer (0.2.0)';

/**
 * NodeExpandVolume: grows the file system to what its disk has now. CSI spec, NodeExpandVolume; `not-found` for a
 * volume or path that is not staged here, `unavailable` when the file system stayed too small. Where nobody can tell the
 * bytes, no capacity is answered (CSI makes it optional): a growth that did not take is made up for at the next stage,
 * for which the storage has read how large the file system is.
 */
export async function expandVolume(
  deps: Deps,
  request: NodeExpandVolumeRequest__Output,
  { signal, log }: CallContext,
): Promise<NodeExpandVolumeResponse> {
  const volumeId = asVolumeId(request.volume_id);
  const path = request.volume_path;
  if (request.volume_capability !== null) requireSupportedCapability(request.volume_capability);
  const range = capacityRange(request.capacity_range);
  const record = await requireStagedRecord(deps, volumeId);
  await requirePathOfVolume(deps, record, path, signal);

  await deps.host.disks.rescan(signal);
  await deps.host.volumes.resizeVolume(record.hostVolumeId, 0n, signal);
  deps.meter.forget(volumeId);
  const totalBytes = await deps.meter.sizeNow(record, path, signal);
  if (totalBytes === undefined) {
    log.warn({ volumeId }, UNMEASURED);
    return {};
  }
  const capacityBytes = answered(volumeId, range, totalBytes);
  if (capacityBytes > record.grownToBytes)
    await deps.journal.write({ ...record, grownToBytes: capacityBytes });
  log.info({ volumeId, capacityBytes: capacityBytes.toString() }, 'expanded the file system');
  return { capacity_bytes: capacityBytes.toString() };
}

/** The asked size when the disk below has it; the file system's own when the host left a small rest ungrown. */
function answered(volumeId: string, range: CapacityRange, totalBytes: bigint): bigint {
  const { requiredBytes, limitBytes } = range;
  if (limitBytes !== 0n && totalBytes > limitBytes) {
    throw new StorageError(
      'out-of-range',
      `volume ${volumeId} has ${totalBytes} bytes already, above limit_bytes ${limitBytes}: NTFS volumes are not shrunk`,
    );
  }
  if (requiredBytes === 0n) return totalBytes;
  if (totalBytes + OVERHEAD_BYTES >= requiredBytes) return requiredBytes;
  if (totalBytes + OVERHEAD_BYTES + GROWTH_TOLERANCE_BYTES > requiredBytes) return totalBytes;
  throw new StorageError(
    'unavailable',
    `the file system of volume ${volumeId} has ${totalBytes} bytes after growing, ${requiredBytes} were asked for: the host ` +
      'does not see a larger disk yet; check that ControllerExpandVolume finished and that the node sees the new disk size, then try again',
  );
}
