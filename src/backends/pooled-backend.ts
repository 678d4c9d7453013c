import type { AttachedDisk } from '../core/attach-folder.ts';
import { StorageError, throwIfAborted } from '../core/errors.ts';
import type { NodeId, SnapshotId, VolumeId } from '../core/ids.ts';
import type {
  BackendFeatures,
  ContentSource,
  DiskAttachment,
  DiskBackend,
  DiskSnapshot,
  DiskVolume,
  ListQuery,
  Page,
  PoolCapacity,
  SnapshotSpec,
  VolumeSpec,
} from '../core/ports/disk-backend.ts';
import type { HostReadiness } from '../core/ports/host-storage.ts';
import { DiskGuard } from './disk-guard.ts';
import type { Export } from './export.ts';
import type { Pool, PoolVolume } from './pool.ts';

/** A DiskBackend made of a pool and an export. It holds the rules that need both: what may be done to a disk in use. */
export class PooledBackend implements DiskBackend {
  readonly #pool: Pool;
  readonly #export: Export;
  readonly #guard = new DiskGuard();

  constructor({ pool, diskExport }: { readonly pool: Pool; readonly diskExport: Export }) {
    this.#pool = pool;
    this.#export = diskExport;
  }

  async readiness(signal: AbortSignal): Promise<HostReadiness> {
    const pool = await this.#pool.readiness(signal);
    return pool.ready ? this.#export.readiness(signal) : pool;
  }

  features(): BackendFeatures {
    return this.#pool.features();
  }

  capacity(signal: AbortSignal): Promise<PoolCapacity> {
    return this.#pool.capacity(signal);
  }

  async createVolume(spec: VolumeSpec, signal: AbortSignal): Promise<DiskVolume> {
    throwIfAborted(signal, `creating volume ${spec.id}`);
    const create = async (): Promise<DiskVolume> =>
      this.#withNodes(await this.#pool.createVolume(spec, signal));
    const isThere = async (): Promise<boolean> => (await this.#pool.getVolume(spec.id, signal)) !== undefined;
    return this.#guard.changing(spec.id, () =>
      spec.source === undefined || isItself(spec) ? create() : this.#copying(spec.source, create, isThere),
    );
  }

  async deleteVolume(id: VolumeId, signal: AbortSignal): Promise<void> {
    throwIfAborted(signal, `deleting volume ${id}`);
    return this.#guard.changing(id, async () => {
      const [node] = this.#export.attachedTo(id);
      if (node !== undefined) {
        throw new StorageError(
          'failed-precondition',
          `cannot delete volume ${id}: it is attached to node ${node}; detach it first`,
        );
      }
      await this.#pool.deleteVolume(id, signal);
    });
  }

  async getVolume(id: VolumeId, signal: AbortSignal): Promise<DiskVolume | undefined> {
    const volume = await this.#pool.getVolume(id, signal);
    return volume === undefined ? undefined : this.#withNodes(volume);
  }

  async listVolumes(query: ListQuery<VolumeId>, signal: AbortSignal): Promise<Page<DiskVolume>> {
    const { entries, more } = await this.#pool.listVolumes(query, signal);
    return { entries: entries.map((volume) => this.#withNodes(volume)), more };
  }

  async expandVolume(id: VolumeId, capacityBytes: bigint, signal: AbortSignal): Promise<DiskVolume> {
    throwIfAborted(signal, `expanding volume ${id}`);
    return this.#guard.changing(id, async () =>
      this.#withNodes(await this.#pool.expandVolume(id, capacityBytes, signal)),
    );
  }

  async createSnapshot(spec: SnapshotSpec, signal: AbortSignal): Promise<DiskSnapshot> {
    throwIfAborted(signal, `creating snapshot ${spec.id}`);
    const source: ContentSource = { kind: 'volume', volumeId: spec.sourceVolumeId };
    const create = (): Promise<DiskSnapshot> => this.#pool.createSnapshot(spec, signal);
    const isThere = async (): Promise<boolean> =>
      (await this.#pool.getSnapshot(spec.id, signal)) !== undefined;
    return this.#guard.changing(spec.id, () => this.#copying(source, create, isThere));
  }

  async deleteSnapshot(id: SnapshotId, signal: AbortSignal): Promise<void> {
    throwIfAborted(signal, `deleting snapshot ${id}`);
    return this.#guard.changing(id, () => this.#pool.deleteSnapshot(id, signal));
  }

  getSnapshot(id: SnapshotId, signal: AbortSignal): Promise<DiskSnapshot | undefined> {
    return this.#pool.getSnapshot(id, signal);
  }

  listSnapshots(
    query: ListQuery<SnapshotId> & { readonly sourceVolumeId?: VolumeId },
    signal: AbortSignal,
  ): Promise<Page<DiskSnapshot>> {
    return this.#pool.listSnapshots(query, signal);
  }

  async attach(id: VolumeId, nodeId: NodeId, signal: AbortSignal): Promise<void> {
    throwIfAborted(signal, `attaching volume ${id} to node ${nodeId}`);
    return this.#guard.changing(id, async () => {
      const volume = await this.#require(id, signal);
      if (volume.condition.abnormal) {
        throw new StorageError('data-loss', `cannot attach volume ${id}: ${volume.condition.message}`);
      }
      await this.#export.attach(attachedDiskOf(volume), nodeId, signal);
    });
  }

  async detach(id: VolumeId, nodeId: NodeId, signal: AbortSignal): Promise<void> {
    throwIfAborted(signal, `detaching volume ${id} from node ${nodeId}`);
    return this.#guard.changing(id, () => this.#export.detach(id, nodeId, signal));
  }

  async describeAttachment(id: VolumeId, nodeId: NodeId, signal: AbortSignal): Promise<DiskAttachment> {
    const { serialNumber, page83, capacityBytes } = await this.#require(id, signal);
    if (!this.#export.attachedTo(id).includes(nodeId)) {
      throw new StorageError('not-found', `volume ${id} is not attached to node ${nodeId}: attach it first`);
    }
    const examinedAt = new Date();
    const content = await this.#pool.examineVolume(id, signal);
    return { transport: this.#export.transport, serialNumber, page83, capacityBytes, content, examinedAt };
  }

  /**
   * Runs a copy of `source` while nobody attaches, detaches, changes or deletes it. What `isThere` already is not
   * copied again, whatever the source does now: the pool answers that.
   */
  async #copying<Result>(
    source: ContentSource,
    copy: () => Promise<Result>,
    isThere: () => Promise<boolean>,
  ): Promise<Result> {
    if (source.kind === 'snapshot') return this.#guard.reading(source.snapshotId, copy);
    const { volumeId } = source;
    return this.#guard.reading(volumeId, async () => {
      const [node] = this.#export.attachedTo(volumeId);
      const still = node === undefined || this.#pool.features().liveSnapshots;
      if (still || (await isThere())) return copy();
      throw new StorageError(
        'failed-precondition',
        `cannot copy volume ${volumeId}: it is attached to node ${node} and the pool ` +
          `(${this.#pool.features().description}) cannot copy a disk in use; detach it, or use a pool on xfs or btrfs`,
      );
    });
  }

  async #require(id: VolumeId, signal: AbortSignal): Promise<PoolVolume> {
    const volume = await this.#pool.getVolume(id, signal);
    if (volume === undefined) throw new StorageError('not-found', `there is no volume ${id}`);
    return volume;
  }

  #withNodes({ imagePath: _imagePath, ...volume }: PoolVolume): DiskVolume {
    return { ...volume, attachedTo: this.#export.attachedTo(volume.id) };
  }
}

/** A volume as its own source is there already or never will be: the pool says which, and nobody needs to wait. */
const isItself = ({ id, source }: VolumeSpec): boolean => source?.kind === 'volume' && source.volumeId === id;

/** How the export is told of a disk. */
export const attachedDiskOf = ({ id, imagePath, serialNumber, page83 }: PoolVolume): AttachedDisk => ({
  volumeId: id,
  imagePath,
  serialNumber,
  page83,
});
