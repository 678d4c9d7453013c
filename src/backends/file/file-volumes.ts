import { randomBytes, randomUUID } from 'node:crypto';
import type { DiskContent } from '../../core/content-state.ts';
import { StorageError, throwIfAborted } from '../../core/errors.ts';
import { asVolumeId, type VolumeId } from '../../core/ids.ts';
import type { ContentSource, ListQuery, Page, VolumeSpec } from '../../core/ports/disk-backend.ts';
import { attempt } from '../../core/platform-errors.ts';
import type { PoolVolume } from '../pool.ts';
import type { ImageCopier } from './image-copier.ts';
import { examineImage, sizeOfImage } from './image-reader.ts';
import type { ShelfEntry } from './load-entries.ts';
import type { PoolFiles } from './pool-files.ts';
import type { PoolAbilities } from './pool-probe.ts';
import type { PoolSpace } from './pool-space.ts';
import type { Shelves } from './shelves.ts';
import type { VolumeRecord } from './volume-record.ts';
import { requireWhole, viewDamagedVolume, viewVolume } from './volume-view.ts';

export interface FileVolumesDeps {
  readonly shelves: Shelves;
  readonly space: PoolSpace;
  readonly copier: ImageCopier;
  readonly files: PoolFiles;
  readonly abilities: PoolAbilities;
}

/** The volumes of a pool. */
export class FileVolumes {
  readonly #shelves: Shelves;
  readonly #space: PoolSpace;
  readonly #copier: ImageCopier;
  readonly #files: PoolFiles;
  readonly #abilities: PoolAbilities;

  constructor({ shelves, space, copier, files, abilities }: FileVolumesDeps) {
    this.#shelves = shelves;
    this.#space = space;
    this.#copier = copier;
    this.#files = files;
    this.#abilities = abilities;
  }

  async create(spec: VolumeSpec, signal: AbortSignal): Promise<PoolVolume> {
    const { volumes } = this.#shelves;
    const { id, capacityBytes } = spec;
    const trying = `create volume ${id} of ${capacityBytes} bytes`;
    volumes.requireNew(id);
    this.#requireImageFits(capacityBytes, trying);
    const source =
      spec.source === undefined ? undefined : await this.#requireSource(spec.source, capacityBytes);
    const record = await this.#space.promising(capacityBytes, trying, () =>
      volumes.create(id, async (imagePath) => {
        throwIfAborted(signal, trying);
        if (source === undefined) await this.#files.createImage(imagePath, capacityBytes);
        else await this.#copier.copyAsOwnDisk(source, imagePath, capacityBytes, signal);
        return newRecord(spec);
      }),
    );
    return viewVolume(record, volumes.imagePath(id));
  }

  async delete(id: VolumeId): Promise<void> {
    const { volumes } = this.#shelves;
    const { capacityBytes } = volumes.require(id);
    await attempt(`delete volume ${id}`, () => volumes.delete(id));
    this.#space.release(capacityBytes);
  }

  async get(id: VolumeId): Promise<PoolVolume | undefined> {
    const entry = this.#shelves.volumes.get(id);
    return entry === undefined ? undefined : this.#view(entry);
  }

  async list(query: ListQuery<VolumeId>): Promise<Page<PoolVolume>> {
    const { entries, more } = this.#shelves.volumes.page(query, (entry) => entry);
    return { entries: await Promise.all(entries.map((entry) => this.#view(entry))), more };
  }

  async expand(id: VolumeId, capacityBytes: bigint, signal: AbortSignal): Promise<PoolVolume> {
    const { volumes } = this.#shelves;
    const record = volumes.require(id);
    const imagePath = volumes.imagePath(id);
    const added = capacityBytes - record.capacityBytes;
    if (added <= 0n) return viewVolume(record, imagePath);
    const trying = `expand volume ${id} from ${record.capacityBytes} to ${capacityBytes} bytes`;
    this.#requireImageFits(capacityBytes, trying);
    const grown = { ...record, capacityBytes };
    await this.#space.promising(added, trying, async () => {
      throwIfAborted(signal, trying);
      await requireWhole(record, imagePath);
      await this.#files.growImage(imagePath, capacityBytes); // First: an image may be larger than its record says.
      await volumes.update(grown);
    });
    return viewVolume(grown, imagePath);
  }

  /** What the bytes say right now (law 1). */
  async examine(id: VolumeId): Promise<DiskContent> {
    const { volumes } = this.#shelves;
    volumes.require(id);
    return attempt(`read volume ${id}`, () => examineImage(volumes.imagePath(id)));
  }

  #view(entry: ShelfEntry<VolumeRecord>): Promise<PoolVolume> {
    const { volumes } = this.#shelves;
    if (entry.state === 'sound') return viewVolume(entry.record, volumes.imagePath(entry.record.id));
    const { damage } = entry;
    return Promise.resolve(viewDamagedVolume(damage, volumes.imagePath(asVolumeId(damage.id))));
  }

  /** Path of the image to copy. Its own size counts: an expansion that was cut off leaves it above its record. */
  async #requireSource(source: ContentSource, capacityBytes: bigint): Promise<string> {
    const { volumes, snapshots } = this.#shelves;
    const path =
      source.kind === 'volume'
        ? await requireWhole(volumes.require(source.volumeId), volumes.imagePath(source.volumeId))
        : snapshots.imagePath(snapshots.require(source.snapshotId).id);
    const { sizeBytes } = await sizeOfImage(path);
    if (sizeBytes <= capacityBytes) return path;
    throw new StorageError(
      'out-of-range',
      `a volume of ${capacityBytes} bytes cannot hold its source of ${sizeBytes}: ask for at least that`,
    );
  }

  #requireImageFits(bytes: bigint, trying: string): void {
    const { maximumImageBytes, fileSystem } = this.#abilities;
    if (bytes <= maximumImageBytes) return;
    throw new StorageError(
      'out-of-range',
      `cannot ${trying}: the pool's file system (${fileSystem}) holds files of at most ${maximumImageBytes} bytes`,
    );
  }
}

function newRecord({ id, name, capacityBytes, source, parameters }: VolumeSpec): VolumeRecord {
  return {
    id,
    name,
    capacityBytes,
    ...(source === undefined ? {} : { source }),
    parameters,
    serialNumber: randomUUID(),
    page83: `naa.6${randomBytes(16).toString('hex').slice(1)}`,
    createdAt: new Date(),
  };
}
