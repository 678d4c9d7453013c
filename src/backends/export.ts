import type { AttachedDisk } from '../core/attach-folder.ts';
import type { NodeId, VolumeId } from '../core/ids.ts';
import type { DiskAttachment } from '../core/ports/disk-backend.ts';
import type { HostReadiness } from '../core/ports/host-storage.ts';

/**
 * How a node sees a disk, and the one place that knows which disk is attached where: an attachment is a fact of
 * the export, so that no second record can contradict it. It gives a disk to one node at a time (law 7).
 */
export interface Export {
  readonly transport: DiskAttachment['transport'];
  readiness(signal: AbortSignal): Promise<HostReadiness>;
  /** `not-found`, `already-exists`, `failed-precondition`, `resource-exhausted` as `DiskBackend.attach`. */
  attach(disk: AttachedDisk, nodeId: NodeId, signal: AbortSignal): Promise<void>;
  /** `not-found` when it is not attached there. */
  detach(id: VolumeId, nodeId: NodeId, signal: AbortSignal): Promise<void>;
  /** From memory: asked for every entry of a list. */
  attachedTo(id: VolumeId): readonly NodeId[];
}
