import type { VolumeCondition } from '../condition.ts';
import type { DiskContent } from '../content-state.ts';
import type { NodeId, SnapshotId, VolumeId } from '../ids.ts';
import type { HostReadiness } from './host-storage.ts';

/**
 * Where disks come from: a pool (where bytes live) and an export (how a node sees them). Sizes are bytes.
 *
 * Implementations are plain: creating what exists is `already-exists`, acting on what is missing is `not-found`,
 * attaching what is attached to that node is `already-exists`. `IdempotentBackend` turns repeats into answers
 * (law 3), so an implementation never compares a request with a record. After a crash at any byte, whatever an
 * operation left behind is either complete or invisible, and a repeat finishes it (law 8).
 *
 * Several calls may copy one source at a time. To attach, detach, expand or delete it meanwhile is `aborted`, and so is
 * to copy what is being changed (law 6): callers do not lock sources.
 */
export interface DiskBackend {
  readiness(signal: AbortSignal): Promise<HostReadiness>;
  /** What this pool can do, found by trying it at start. */
  features(): BackendFeatures;

  createVolume(spec: VolumeSpec, signal: AbortSignal): Promise<DiskVolume>;
  /** `failed-precondition` while attached. Snapshots of the volume stay. */
  deleteVolume(id: VolumeId, signal: AbortSignal): Promise<void>;
  getVolume(id: VolumeId, signal: AbortSignal): Promise<DiskVolume | undefined>;
  /** Ordered by id; at most `limit` entries with an id greater than `after`. */
  listVolumes(query: ListQuery<VolumeId>, signal: AbortSignal): Promise<Page<DiskVolume>>;
  /** Never shrinks: a size at or below the present one is a no-op that returns the present one. */
  expandVolume(id: VolumeId, capacityBytes: bigint, signal: AbortSignal): Promise<DiskVolume>;

  /** `failed-precondition` when the source is attached and the pool cannot snapshot a live disk. */
  createSnapshot(spec: SnapshotSpec, signal: AbortSignal): Promise<DiskSnapshot>;
  deleteSnapshot(id: SnapshotId, signal: AbortSignal): Promise<void>;
  getSnapshot(id: SnapshotId, signal: AbortSignal): Promise<DiskSnapshot | undefined>;
  /** Ordered by id, optionally only those of one source volume. */
  listSnapshots(
    query: ListQuery<SnapshotId> & { readonly sourceVolumeId?: VolumeId },
    signal: AbortSignal,
  ): Promise<Page<DiskSnapshot>>;

  capacity(signal: AbortSignal): Promise<PoolCapacity>;

  /**
   * Makes the disk visible to that node, and to no other (law 7). `not-found` for an unknown node,
   * `failed-precondition` when attached elsewhere, `resource-exhausted` when the node is full.
   */
  attach(id: VolumeId, nodeId: NodeId, signal: AbortSignal): Promise<void>;
  /** `not-found` when it is not attached there. */
  detach(id: VolumeId, nodeId: NodeId, signal: AbortSignal): Promise<void>;
  /** How the node finds the disk, and what its bytes say right now. */
  describeAttachment(id: VolumeId, nodeId: NodeId, signal: AbortSignal): Promise<DiskAttachment>;
}

export interface BackendFeatures {
  /** Snapshots and clones are instant and may be taken of an attached volume. */
  readonly liveSnapshots: boolean;
  /** One line for people: `xfs with reflink at /pool`. */
  readonly description: string;
}

export type ContentSource =
  | { readonly kind: 'snapshot'; readonly snapshotId: SnapshotId }
  | { readonly kind: 'volume'; readonly volumeId: VolumeId };

export interface VolumeSpec {
  readonly id: VolumeId;
  /** The CSI name: the caller's idempotency key. */
  readonly name: string;
  /** Already rounded and within limits (`core/capacity.ts`). At least the size of the source. */
  readonly capacityBytes: bigint;
  readonly source?: ContentSource;
  readonly parameters: Readonly<Record<string, string>>;
}

export interface DiskVolume extends VolumeSpec {
  /** Random, made once per disk: a volume created again under the same name is another disk (law 2). */
  readonly serialNumber: string;
  readonly page83: string;
  readonly createdAt: Date;
  readonly attachedTo: readonly NodeId[];
  readonly condition: VolumeCondition;
}

export interface SnapshotSpec {
  readonly id: SnapshotId;
  readonly name: string;
  readonly sourceVolumeId: VolumeId;
}

export interface DiskSnapshot extends SnapshotSpec {
  /** Size of the source when the snapshot was taken: the least a restored volume can have. */
  readonly sizeBytes: bigint;
  readonly createdAt: Date;
  readonly readyToUse: boolean;
}

export interface ListQuery<Id> {
  readonly after?: Id;
  /** At least 1. */
  readonly limit: number;
}

export interface Page<Entry> {
  readonly entries: readonly Entry[];
  readonly more: boolean;
}

export interface PoolCapacity {
  /** What may still be promised: the lesser of overcommit and physical limits. */
  readonly availableBytes: bigint;
  readonly maximumVolumeBytes: bigint;
  readonly minimumVolumeBytes: bigint;
}

/** How a node finds an attached disk. Holds no secret (law 9). */
export interface DiskAttachment {
  readonly transport: 'local';
  readonly serialNumber: string;
  readonly page83: string;
  readonly capacityBytes: bigint;
  readonly content: DiskContent;
  /** When the bytes were looked at: `content` tells nothing of what came later (law 1). */
  readonly examinedAt: Date;
}
