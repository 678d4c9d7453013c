import type { DiskContent } from '../core/content-state.ts';
import type { SnapshotId, VolumeId } from '../core/ids.ts';
import type {
  BackendFeatures,
  DiskSnapshot,
  DiskVolume,
  ListQuery,
  Page,
  PoolCapacity,
  SnapshotSpec,
  VolumeSpec,
} from '../core/ports/disk-backend.ts';
import type { HostReadiness } from '../core/ports/host-storage.ts';

/** A disk as its pool knows it: who uses it is the export's business. */
export interface PoolVolume extends Omit<DiskVolume, 'attachedTo'> {
  /** Absolute path of its bytes. */
  readonly imagePath: string;
}

/**
 * Where the bytes of disks live. Plain like `DiskBackend`, whose words and errors it uses. It knows no nodes:
 * the caller copies an attached disk only when `features().liveSnapshots`, never changes a disk twice at a time,
 * and never deletes one in use.
 */
export interface Pool {
  readiness(signal: AbortSignal): Promise<HostReadiness>;
  features(): BackendFeatures;
  capacity(signal: AbortSignal): Promise<PoolCapacity>;

  createVolume(spec: VolumeSpec, signal: AbortSignal): Promise<PoolVolume>;
  deleteVolume(id: VolumeId, signal: AbortSignal): Promise<void>;
  getVolume(id: VolumeId, signal: AbortSignal): Promise<PoolVolume | undefined>;
  listVolumes(query: ListQuery<VolumeId>, signal: AbortSignal): Promise<Page<PoolVolume>>;
  expandVolume(id: VolumeId, capacityBytes: bigint, signal: AbortSignal): Promise<PoolVolume>;
  /** What the bytes of a volume say right now (law 1). */
  examineVolume(id: VolumeId, signal: AbortSignal): Promise<DiskContent>;

  createSnapshot(spec: SnapshotSpec, signal: AbortSignal): Promise<DiskSnapshot>;
  deleteSnapshot(id: SnapshotId, signal: AbortSignal): Promise<void>;
  getSnapshot(id: SnapshotId, signal: AbortSignal): Promise<DiskSnapshot | undefined>;
  listSnapshots(
    query: ListQuery<SnapshotId> & { readonly sourceVolumeId?: VolumeId },
    signal: AbortSignal,
  ): Promise<Page<DiskSnapshot>>;
}
