import { StorageError } from './errors.ts';
import type { NodeId, SnapshotId, VolumeId } from './ids.ts';
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
} from './ports/disk-backend.ts';
import type { HostReadiness } from './ports/host-storage.ts';

/**
 * Turns the repeats of a caller into answers (law 3), over any backend. A create that finds what it would have
 * made returns it, one that finds something else under that name is `already-exists` and says what differs;
 * deleting what is gone, attaching what is attached to that node, detaching what is not attached are done.
 *
 * Sizes are not compared: CSI asks for a range and a backend is given one size out of it. The caller, which knows
 * the range, looks at the size of the volume it gets (`isWithin` of `core/capacity.ts`).
 */
export class IdempotentBackend implements DiskBackend {
  readonly #inner: DiskBackend;

  constructor(inner: DiskBackend) {
    this.#inner = inner;
  }

  async createVolume(spec: VolumeSpec, signal: AbortSignal): Promise<DiskVolume> {
    try {
      return await this.#inner.createVolume(spec, signal);
    } catch (error) {
      if (!StorageError.is(error, 'already-exists')) throw error;
      const existing = await this.#inner.getVolume(spec.id, signal);
      if (existing === undefined) throw error;
      requireSame(`volume "${spec.name}"`, volumeDifferences(existing, spec));
      return existing;
    }
  }

  async createSnapshot(spec: SnapshotSpec, signal: AbortSignal): Promise<DiskSnapshot> {
    try {
      return await this.#inner.createSnapshot(spec, signal);
    } catch (error) {
      if (!StorageError.is(error, 'already-exists')) throw error;
      const existing = await this.#inner.getSnapshot(spec.id, signal);
      if (existing === undefined) throw error;
      requireSame(`snapshot "${spec.name}"`, snapshotDifferences(existing, spec));
      return existing;
    }
  }

  deleteVolume(id: VolumeId, signal: AbortSignal): Promise<void> {
    return doneWhen('not-found', this.#inner.deleteVolume(id, signal));
  }

  deleteSnapshot(id: SnapshotId, signal: AbortSignal): Promise<void> {
    return doneWhen('not-found', this.#inner.deleteSnapshot(id, signal));
  }

  attach(id: VolumeId, nodeId: NodeId, signal: AbortSignal): Promise<void> {
    return doneWhen('already-exists', this.#inner.attach(id, nodeId, signal));
  }

  detach(id: VolumeId, nodeId: NodeId, signal: AbortSignal): Promise<void> {
    return doneWhen('not-found', this.#inner.detach(id, nodeId, signal));
  }

  expandVolume(id: VolumeId, capacityBytes: bigint, signal: AbortSignal): Promise<DiskVolume> {
    return this.#inner.expandVolume(id, capacityBytes, signal);
  }

  getVolume(id: VolumeId, signal: AbortSignal): Promise<DiskVolume | undefined> {
    return this.#inner.getVolume(id, signal);
  }

  listVolumes(query: ListQuery<VolumeId>, signal: AbortSignal): Promise<Page<DiskVolume>> {
    return this.#inner.listVolumes(query, signal);
  }

  getSnapshot(id: SnapshotId, signal: AbortSignal): Promise<DiskSnapshot | undefined> {
    return this.#inner.getSnapshot(id, signal);
  }

  listSnapshots(
    query: ListQuery<SnapshotId> & { readonly sourceVolumeId?: VolumeId },
    signal: AbortSignal,
  ): Promise<Page<DiskSnapshot>> {
    return this.#inner.listSnapshots(query, signal);
  }

  describeAttachment(id: VolumeId, nodeId: NodeId, signal: AbortSignal): Promise<DiskAttachment> {
    return this.#inner.describeAttachment(id, nodeId, signal);
  }

  capacity(signal: AbortSignal): Promise<PoolCapacity> {
    return this.#inner.capacity(signal);
  }

  features(): BackendFeatures {
    return this.#inner.features();
  }

  readiness(signal: AbortSignal): Promise<HostReadiness> {
    return this.#inner.readiness(signal);
  }
}

async function doneWhen(code: 'not-found' | 'already-exists', change: Promise<void>): Promise<void> {
  try {
    await change;
  } catch (error) {
    if (!StorageError.is(error, code)) throw error;
  }
}

/** `undefined` for what is the same. */
type Difference = string | undefined;

function requireSame(what: string, differences: readonly Difference[]): void {
  const found = differences.filter((difference) => difference !== undefined);
  if (found.length === 0) return;
  throw new StorageError(
    'already-exists',
    `${what} exists and is not what was asked for: ${found.join('; ')}; use another name or ask for the same`,
  );
}

function volumeDifferences(existing: DiskVolume, asked: VolumeSpec): readonly Difference[] {
  const keys = new Set([...Object.keys(existing.parameters), ...Object.keys(asked.parameters)]);
  return [
    difference('name', existing.name, asked.name),
    difference('content source', sourceText(existing.source), sourceText(asked.source)),
    ...[...keys]
      .sort()
      .map((key) =>
        difference(`parameter ${key}`, existing.parameters[key] ?? 'unset', asked.parameters[key] ?? 'unset'),
      ),
  ];
}

function snapshotDifferences(existing: DiskSnapshot, asked: SnapshotSpec): readonly Difference[] {
  return [
    difference('name', existing.name, asked.name),
    difference('source volume', existing.sourceVolumeId, asked.sourceVolumeId),
  ];
}

const difference = (what: string, existing: string, asked: string): Difference =>
  existing === asked ? undefined : `${what} is ${existing}, asked ${asked}`;

function sourceText(source: ContentSource | undefined): string {
  if (source === undefined) return 'none';
  return source.kind === 'snapshot' ? `snapshot ${source.snapshotId}` : `volume ${source.volumeId}`;
}
