import { randomBytes } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { StorageError } from '../../core/errors.ts';
import { partitionBytes, SECTOR_BYTES } from '../../core/gpt.ts';
import type { GptPartition } from '../../core/gpt.ts';
import {
  BOOT_SECTOR_BYTES,
  decodeNtfsBootSector,
  encodeNtfsBootSector,
} from '../../core/ntfs-boot-sector.ts';
import { withFile } from '../../util/with-file.ts';
import { writeFully } from '../../util/write-fully.ts';
import { decodeCatalog, encodeCatalog, isFile, sha256Of } from './catalog.ts';
import type { Catalog, CatalogEntry } from './catalog.ts';
import { decodeSlot, encodeSlot, SLOT_BYTES } from './catalog-slot.ts';
import type { CatalogSlot } from './catalog-slot.ts';
import { CLUSTER_BYTES, FreeSpace } from './free-space.ts';
import type { Extent } from './free-space.ts';

/** Bytes from the start of the partition. */
const SLOT_OFFSETS = [CLUSTER_BYTES, 2 * CLUSTER_BYTES] as const;
export const FIRST_BODY_OFFSET = 4 * CLUSTER_BYTES;

/** What a volume holds now, and what names that state: equal generations, equal contents. */
export interface VolumeContent {
  readonly catalog: Catalog;
  readonly generation: string;
  readonly slot: CatalogSlot;
}

/** An open image. What was written is on the disk when `sync` has ended, not before. */
export interface ImageFile {
  /** Less than `bytes` at the end of the image. */
  read(position: number, bytes: number): Promise<Uint8Array>;
  write(position: number, bytes: Uint8Array): Promise<void>;
  sync(): Promise<void>;
}

/**
 * The simulated file system inside a partition of an image: an NTFS boot sector, two catalog slots, and behind them
 * the catalogs and the bodies of the files. Nothing that the current catalog names is ever written over, so a crash
 * at any byte leaves the current catalog or the next one (law 8).
 */
export class VolumeImage {
  readonly #file: ImageFile;
  readonly #partition: GptPartition;

  constructor(file: ImageFile, partition: GptPartition) {
    this.#file = file;
    this.#partition = partition;
  }

  static async use<Result>(
    imagePath: string,
    partition: GptPartition,
    action: (image: VolumeImage) => Promise<Result>,
  ): Promise<Result> {
    return withFile(imagePath, 'r+', (file) => action(new VolumeImage(imageFile(file), partition)));
  }

  /** Size of the file system; `undefined` when there is none that Windows knows. */
  async fileSystemBytes(): Promise<bigint | undefined> {
    return decodeNtfsBootSector(await this.read(0, BOOT_SECTOR_BYTES))?.fileSystemBytes;
  }

  /** The catalog goes first: a volume that looks formatted has one. */
  async format(): Promise<VolumeContent> {
    const former = await this.#newestSlot();
    await this.write(0, new Uint8Array(BOOT_SECTOR_BYTES));
    await this.#file.sync();
    const sequence = (former?.sequence ?? 0) + 1;
    const free = new FreeSpace(FIRST_BODY_OFFSET, Number(partitionBytes(this.#partition)), []);
    const content = await this.#writeCatalog({ sequence, entries: [] }, free);
    await this.#writeSlot(content.slot);
    await this.#writeBootSector(randomBytes(8).readBigUInt64LE());
    return content;
  }

  /** Fails on a file system that another system made: only that system may change it (law 1). */
  async requireOwn(): Promise<void> {
    if ((await this.fileSystemBytes()) !== undefined) await this.content();
  }

  /** Makes the file system as large as its partition; it never shrinks. */
  async growFileSystem(): Promise<void> {
    const boot = decodeNtfsBootSector(await this.read(0, BOOT_SECTOR_BYTES));
    if (boot === undefined) return;
    if (boot.fileSystemBytes < partitionBytes(this.#partition) - SECTOR_BYTES) {
      await this.#writeBootSector(boot.serial);
    }
  }

  async content(): Promise<VolumeContent> {
    const slot = await this.#newestSlot();
    if ((await this.fileSystemBytes()) === undefined || slot === undefined)
      throw this.#unusable('was not formatted by it');
    const bytes = await this.read(...slot.extent);
    if (sha256Of(bytes) !== slot.sha256)
      throw this.#unusable('has a damaged catalog; restore it from a snapshot');
    return { catalog: decodeCatalog(bytes), generation: slot.sha256, slot };
  }

  /** What neither the current catalog nor the files it names take up. */
  async freeSpace({ catalog, slot }: VolumeContent): Promise<FreeSpace> {
    const used = [slot.extent, ...catalog.entries.filter(isFile).flatMap(({ extents }) => extents)];
    return new FreeSpace(FIRST_BODY_OFFSET, Number((await this.fileSystemBytes()) ?? 0n), used);
  }

  /**
   * Makes `entries` what the volume holds. Their bodies have been written to `free` space. `announce` is told the
   * new generation when all but the switch to it is on the disk.
   */
  async commit(
    former: VolumeContent,
    entries: readonly CatalogEntry[],
    free: FreeSpace,
    announce: (generation: string) => Promise<void>,
  ): Promise<void> {
    const next = await this.#writeCatalog({ sequence: former.catalog.sequence + 1, entries }, free);
    await announce(next.generation);
    await this.#writeSlot(next.slot);
  }

  async read(offset: number, bytes: number): Promise<Uint8Array> {
    return this.#file.read(this.#start + offset, bytes);
  }

  async write(offset: number, bytes: Uint8Array): Promise<void> {
    await this.#file.write(this.#start + offset, bytes);
  }

  get #start(): number {
    return Number(this.#partition.firstLba * SECTOR_BYTES);
  }

  async #writeBootSector(serial: bigint): Promise<void> {
    const volumeBytes = partitionBytes(this.#partition);
    await this.write(0, encodeNtfsBootSector({ volumeBytes, firstLba: this.#partition.firstLba, serial }));
    await this.#file.sync();
  }

  async #writeCatalog(catalog: Catalog, free: FreeSpace): Promise<VolumeContent> {
    const bytes = encodeCatalog(catalog);
    const extent: Extent = free.allocateWhole(bytes.length);
    const sha256 = sha256Of(bytes);
    await this.write(extent[0], bytes);
    await this.#file.sync();
    return { catalog, generation: sha256, slot: { sequence: catalog.sequence, extent, sha256 } };
  }

  async #writeSlot(slot: CatalogSlot): Promise<void> {
    await this.write(slot.sequence % 2 === 0 ? SLOT_OFFSETS[0] : SLOT_OFFSETS[1], encodeSlot(slot));
    await this.#file.sync();
  }

  async #newestSlot(): Promise<CatalogSlot | undefined> {
    const sectors = await Promise.all(SLOT_OFFSETS.map((offset) => this.read(offset, SLOT_BYTES)));
    const slots = sectors.map(decodeSlot).filter((slot) => slot !== undefined);
    return slots.sort((one, other) => other.sequence - one.sequence)[0];
  }

  #unusable(why: string): StorageError {
    return new StorageError(
      'failed-precondition',
      `the simulated host cannot use the volume of partition ${this.#partition.uniqueGuid}: it ${why}`,
    );
  }
}

function imageFile(file: FileHandle): ImageFile {
  return {
    read: async (position, bytes) => {
      const buffer = Buffer.alloc(bytes);
      const { bytesRead } = await file.read(buffer, 0, bytes, position);
      return buffer.subarray(0, bytesRead);
    },
    write: (position, bytes) => writeFully(file, bytes, position),
    sync: () => file.sync(),
  };
}
