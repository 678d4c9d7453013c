import type { SnapshotId, VolumeId } from '../../core/ids.ts';
import type { DiskSnapshot, ListQuery, Page, SnapshotSpec } from '../../core/ports/disk-backend.ts';
import { attempt } from '../../core/platform-errors.ts';
import { sizeOfImage } from './image-reader.ts';
import type { ImageCopier } from './image-copier.ts';
import type { PoolSpace } from './pool-space.ts';
import type { Shelves } from './shelves.ts';
import type { SnapshotRecord } from './snapshot-record.ts';
import { requireWhole } from './volume-view.ts';

export interface FileSnapshotsDeps {
  readonly shelves: Shelves;
  readonly space: PoolSpace;
  readonly copier: ImageCopier;
}

/**
 * The snapshots of a pool. Each is an image of its own: deleting its source changes nothing. One whose record
 * cannot be read is not shown, because nothing true can be said of it; making or deleting it is refused.
 */
export class FileSnapshots {
  readonly #shelves: Shelves;
  readonly #space: PoolSpace;
  readonly #copier: ImageCopier;

  constructor({ shelves, space, copier }: FileSnapshotsDeps) {
    this.#shelves = shelves;
    this.#space = space;
    this.#copier = copier;
  }

  async create(spec: SnapshotSpec, signal: AbortSignal): Promise<DiskSnapshot> {
    const { volumes, snapshots } = this.#shelves;
    snapshots.requireNew(spec.id);
    const source = volumes.require(spec.sourceVolumeId);
    const trying = `create snapshot ${spec.id} of volume ${source.id}`;
    const sourcePath = await attempt(trying, () => requireWhole(source, volumes.imagePath(source.id)));
    const { sizeBytes, allocatedBytes } = await attempt(trying, () => sizeOfImage(sourcePath));
    const record = await this.#space.promising(allocatedBytes, trying, () =>
      snapshots.create(spec.id, async (imagePath) => {
        await this.#copier.copy(sourcePath, imagePath, signal);
        return { ...spec, sizeBytes, allocatedBytes, createdAt: new Date() };
      }),
    );
    return view(record);
  }

  async delete(id: SnapshotId): Promise<void> {
    const { snapshots } = this.#shelves;
    const { allocatedBytes } = snapshots.require(id);
    await attempt(`delete snapshot ${id}`, () => snapshots.delete(id));
    this.#space.release(allocatedBytes);
  }

  get(id: SnapshotId): DiskSnapshot | undefined {
    const entry = this.#shelves.snapshots.get(id);
    return entry?.state === 'sound' ? view(entry.record) : undefined;
  }

  list(query: ListQuery<SnapshotId> & { readonly sourceVolumeId?: VolumeId }): Page<DiskSnapshot> {
    const { sourceVolumeId } = query;
    return this.#shelves.snapshots.page(query, (entry) => {
      if (entry.state === 'damaged') return undefined;
      const wanted = sourceVolumeId === undefined || entry.record.sourceVolumeId === sourceVolumeId;
      return wanted ? view(entry.record) : undefined;
    });
  }
}

const view = ({ allocatedBytes: _allocated, ...record }: SnapshotRecord): DiskSnapshot => ({
  ...record,
  readyToUse: true,
});
