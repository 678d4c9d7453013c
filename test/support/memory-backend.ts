import { randomBytes, randomUUID } from 'node:crypto';
import { MINIMUM_VOLUME_BYTES } from '../../src/core/capacity.ts';
import { HEALTHY, type VolumeCondition } from '../../src/core/condition.ts';
import type { DiskContent } from '../../src/core/content-state.ts';
import { examineDisk } from '../../src/core/disk-content.ts';
import { StorageError } from '../../src/core/errors.ts';
import { decodeGpt, GPT_PRIMARY_BYTES } from '../../src/core/gpt-codec.ts';
import { withNewGuids } from '../../src/core/gpt.ts';
import type { NodeId, SnapshotId, VolumeId } from '../../src/core/ids.ts';
import type {
  BackendFeatures,
  DiskAttachment,
  DiskBackend,
  DiskSnapshot,
  DiskVolume,
  ListQuery,
  Page,
  PoolCapacity,
  SnapshotSpec,
  VolumeSpec,
} from '../../src/core/ports/disk-backend.ts';
import type { HostReadiness } from '../../src/core/ports/host-storage.ts';
import { newGuid, tablePatches } from './disk-bytes.ts';
import { SparseBytes } from './sparse-bytes.ts';

export interface MemoryBackendOptions {
  /** Default true. */
  readonly liveSnapshots?: boolean;
  /** What the pool may promise in all; default 1 TiB. */
  readonly poolBytes?: bigint;
}

/** What is on a disk: bytes, or what a test said about them. */
interface MemoryDisk {
  readonly bytes: SparseBytes;
  readonly content?: DiskContent;
}

interface MemoryVolume extends MemoryDisk {
  readonly volume: DiskVolume;
}

interface MemorySnapshot extends MemoryDisk {
  readonly snapshot: DiskSnapshot;
}

/** Bytes in memory are always looked at anew; one time makes answers comparable. */
const EXAMINED_AT = new Date('2026-01-01T00:00:00.000Z');

/** A DiskBackend that lives in memory and obeys the port's contract: plain, not idempotent. */
export class MemoryBackend implements DiskBackend {
  ready: HostReadiness = { ready: true };
  readonly #volumes = new Map<VolumeId, MemoryVolume>();
  readonly #snapshots = new Map<SnapshotId, MemorySnapshot>();
  readonly #nodes = new Map<NodeId, number>();
  readonly #liveSnapshots: boolean;
  readonly #poolBytes: bigint;

  constructor(options: MemoryBackendOptions = {}) {
    this.#liveSnapshots = options.liveSnapshots ?? true;
    this.#poolBytes = options.poolBytes ?? 1024n ** 4n;
  }

  /** Makes a node known, as `node.json` does. */
  announceNode(nodeId: NodeId, maxVolumes = 100): void {
    this.#nodes.set(nodeId, maxVolumes);
  }

  /** The bytes of a volume, to be written and read. */
  bytesOf(id: VolumeId): SparseBytes {
    return this.#require(id).bytes;
  }

  /** What the bytes of a volume say from now on, whatever they are. */
  setContent(id: VolumeId, content: DiskContent): void {
    this.#volumes.set(id, { ...this.#require(id), content });
  }

  setCondition(id: VolumeId, condition: VolumeCondition): void {
    this.#change(id, { condition });
  }

  readiness(): Promise<HostReadiness> {
    return Promise.resolve(this.ready);
  }

  features(): BackendFeatures {
    return { liveSnapshots: this.#liveSnapshots, description: 'memory' };
  }

  async createVolume(spec: VolumeSpec): Promise<DiskVolume> {
    await Promise.resolve();
    if (this.#volumes.has(spec.id)) throw alreadyExists(`volume ${spec.id}`);
    const disk = await this.#newDisk(spec);
    this.#requireSpace(spec.capacityBytes);
    const volume: DiskVolume = {
      ...spec,
      serialNumber: randomUUID(),
      page83: `naa.6${randomBytes(16).toString('hex').slice(1)}`,
      createdAt: new Date(),
      attachedTo: [],
      condition: HEALTHY,
    };
    this.#volumes.set(spec.id, { ...disk, volume });
    return volume;
  }

  async deleteVolume(id: VolumeId): Promise<void> {
    await Promise.resolve();
    const { volume } = this.#require(id);
    const [node] = volume.attachedTo;
    if (node !== undefined) {
      throw new StorageError(
        'failed-precondition',
        `volume ${id} is attached to node ${node}: detach it first`,
      );
    }
    this.#volumes.delete(id);
  }

  getVolume(id: VolumeId): Promise<DiskVolume | undefined> {
    return Promise.resolve(this.#volumes.get(id)?.volume);
  }

  listVolumes(query: ListQuery<VolumeId>): Promise<Page<DiskVolume>> {
    return Promise.resolve(
      pageOf(
        [...this.#volumes.values()].map(({ volume }) => volume),
        query,
      ),
    );
  }

  async expandVolume(id: VolumeId, capacityBytes: bigint): Promise<DiskVolume> {
    await Promise.resolve();
    const { volume } = this.#require(id);
    if (capacityBytes <= volume.capacityBytes) return volume;
    this.#requireSpace(capacityBytes - volume.capacityBytes);
    return this.#change(id, { capacityBytes });
  }

  async createSnapshot(spec: SnapshotSpec): Promise<DiskSnapshot> {
    await Promise.resolve();
    if (this.#snapshots.has(spec.id)) throw alreadyExists(`snapshot ${spec.id}`);
    const { volume, ...disk } = this.#require(spec.sourceVolumeId);
    this.#requireStill(volume);
    const snapshot = { ...spec, sizeBytes: volume.capacityBytes, createdAt: new Date(), readyToUse: true };
    this.#snapshots.set(spec.id, { ...disk, bytes: disk.bytes.copy(), snapshot });
    return snapshot;
  }

  async deleteSnapshot(id: SnapshotId): Promise<void> {
    await Promise.resolve();
    if (!this.#snapshots.delete(id)) throw notFound(`snapshot ${id}`);
  }

  getSnapshot(id: SnapshotId): Promise<DiskSnapshot | undefined> {
    return Promise.resolve(this.#snapshots.get(id)?.snapshot);
  }

  listSnapshots(
    query: ListQuery<SnapshotId> & { readonly sourceVolumeId?: VolumeId },
  ): Promise<Page<DiskSnapshot>> {
    const wanted = [...this.#snapshots.values()]
      .map(({ snapshot }) => snapshot)
      .filter(
        ({ sourceVolumeId }) => query.sourceVolumeId === undefined || sourceVolumeId === query.sourceVolumeId,
      );
    return Promise.resolve(pageOf(wanted, query));
  }

  capacity(): Promise<PoolCapacity> {
    const availableBytes = this.#available();
    return Promise.resolve({
      availableBytes,
      maximumVolumeBytes: availableBytes,
      minimumVolumeBytes: MINIMUM_VOLUME_BYTES,
    });
  }

  async attach(id: VolumeId, nodeId: NodeId): Promise<void> {
    await Promise.resolve();
    const { volume } = this.#require(id);
    const maxVolumes = this.#nodes.get(nodeId);
    if (maxVolumes === undefined) throw notFound(`node ${nodeId}`);
    const [holder] = volume.attachedTo;
    if (holder === nodeId) throw alreadyExists(`attachment of volume ${id} to node ${nodeId}`);
    if (holder !== undefined) {
      throw new StorageError('failed-precondition', `volume ${id} is attached to node ${holder}`);
    }
    const attached = [...this.#volumes.values()].filter((other) => other.volume.attachedTo.includes(nodeId));
    if (attached.length >= maxVolumes) {
      throw new StorageError(
        'resource-exhausted',
        `node ${nodeId} has ${attached.length} of ${maxVolumes} disks`,
      );
    }
    this.#change(id, { attachedTo: [nodeId] });
  }

  async detach(id: VolumeId, nodeId: NodeId): Promise<void> {
    await Promise.resolve();
    this.#requireAttached(id, nodeId);
    this.#change(id, { attachedTo: [] });
  }

  async describeAttachment(id: VolumeId, nodeId: NodeId): Promise<DiskAttachment> {
    await Promise.resolve();
    const { volume, bytes, ...disk } = this.#requireAttached(id, nodeId);
    const { serialNumber, page83, capacityBytes } = volume;
    const sizes = { diskBytes: capacityBytes, allocatedBytes: bytes.allocatedBytes };
    const content = disk.content ?? (await examineDisk(bytes, sizes));
    return { transport: 'local', serialNumber, page83, capacityBytes, content, examinedAt: EXAMINED_AT };
  }

  #change(id: VolumeId, change: Partial<DiskVolume>): DiskVolume {
    const found = this.#require(id);
    const volume = { ...found.volume, ...change };
    this.#volumes.set(id, { ...found, volume });
    return volume;
  }

  #require(id: VolumeId): MemoryVolume {
    const found = this.#volumes.get(id);
    if (found === undefined) throw notFound(`volume ${id}`);
    return found;
  }

  #requireAttached(id: VolumeId, nodeId: NodeId): MemoryVolume {
    const found = this.#require(id);
    if (!found.volume.attachedTo.includes(nodeId))
      throw notFound(`attachment of volume ${id} to node ${nodeId}`);
    return found;
  }

  #requireStill(volume: DiskVolume): void {
    const [node] = volume.attachedTo;
    if (node === undefined || this.#liveSnapshots) return;
    throw new StorageError(
      'failed-precondition',
      `volume ${volume.id} is attached to node ${node} and the pool cannot copy a live disk`,
    );
  }

  async #newDisk({ source, capacityBytes }: VolumeSpec): Promise<MemoryDisk> {
    if (source === undefined) return { bytes: new SparseBytes() };
    const { sizeBytes, bytes, ...disk } =
      source.kind === 'volume'
        ? this.#sourceVolume(source.volumeId)
        : this.#sourceSnapshot(source.snapshotId);
    if (capacityBytes < sizeBytes) {
      throw new StorageError(
        'out-of-range',
        `${capacityBytes} bytes are less than the source's ${sizeBytes}`,
      );
    }
    return { ...disk, bytes: await renewGuids(bytes.copy(), capacityBytes) };
  }

  #sourceVolume(id: VolumeId): MemoryDisk & { readonly sizeBytes: bigint } {
    const { volume, ...disk } = this.#require(id);
    this.#requireStill(volume);
    return { ...disk, sizeBytes: volume.capacityBytes };
  }

  #sourceSnapshot(id: SnapshotId): MemoryDisk & { readonly sizeBytes: bigint } {
    const found = this.#snapshots.get(id);
    if (found === undefined) throw notFound(`snapshot ${id}`);
    const { snapshot, ...disk } = found;
    return { ...disk, sizeBytes: snapshot.sizeBytes };
  }

  #available(): bigint {
    const promised = [...this.#volumes.values()].reduce((sum, { volume }) => sum + volume.capacityBytes, 0n);
    return promised > this.#poolBytes ? 0n : this.#poolBytes - promised;
  }

  #requireSpace(bytes: bigint): void {
    const available = this.#available();
    if (bytes > available) {
      throw new StorageError('resource-exhausted', `${bytes} bytes asked, ${available} available`);
    }
  }
}

/** A clone is a disk of its own. */
async function renewGuids(bytes: SparseBytes, diskBytes: bigint): Promise<SparseBytes> {
  const table = decodeGpt(await bytes.read(0n, GPT_PRIMARY_BYTES), diskBytes);
  if (table === undefined) return bytes;
  for (const patch of tablePatches(withNewGuids(table, newGuid), diskBytes))
    bytes.write(patch.offset, patch.bytes);
  return bytes;
}

function pageOf<Id extends string, Entry extends { readonly id: Id }>(
  entries: readonly Entry[],
  { after, limit }: ListQuery<Id>,
): Page<Entry> {
  const rest = entries
    .filter(({ id }) => after === undefined || id > after)
    .sort((one, other) => (one.id < other.id ? -1 : 1));
  return { entries: rest.slice(0, limit), more: rest.length > limit };
}

const notFound = (what: string): StorageError => new StorageError('not-found', `there is no ${what}`);
const alreadyExists = (what: string): StorageError =>
  new StorageError('already-exists', `there is already a ${what}`);
