import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, open, rm, truncate } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DISK_RECORD_SUFFIX, encodeAttachedDisk } from '../../src/core/attach-folder.ts';
import type { AttachedDisk } from '../../src/core/attach-folder.ts';
import { BASIC_PARTITION_FIRST_LBA, SECTOR_BYTES } from '../../src/core/gpt.ts';
import { BOOT_SECTOR_BYTES, decodeNtfsBootSector } from '../../src/core/ntfs-boot-sector.ts';
import { removeRecord, writeRecord } from '../../src/util/record-file.ts';

export interface DiskOptions {
  readonly serialNumber?: string;
  readonly page83?: string;
  /** Writes what the disk holds when it is plugged in; without it the disk is blank. */
  readonly content?: (image: FileHandle) => Promise<unknown>;
}

/**
 * Raw disks for a host under test: sparse images in a temporary folder, plugged into one node's attach folder.
 * Everything a host layer needs from the world is below `root`.
 */
export class LocalDisks {
  readonly root: string;
  /** The node's own attach folder. */
  readonly attachDir: string;
  /** Where the host may keep its state. */
  readonly stateDir: string;
  #made = 0;

  private constructor(root: string) {
    this.root = root;
    this.attachDir = join(root, 'attach', 'node-1');
    this.stateDir = join(root, 'state');
  }

  static async create(): Promise<LocalDisks> {
    const disks = new LocalDisks(await mkdtemp(join(tmpdir(), 'csi-ntfs-host-')));
    for (const folder of [disks.attachDir, disks.stateDir, join(disks.root, 'images')]) {
      await mkdir(folder, { recursive: true });
    }
    return disks;
  }

  /** Makes a disk and plugs it in. */
  async plug(sizeBytes: bigint, options: DiskOptions = {}): Promise<AttachedDisk> {
    const disk = await this.make(sizeBytes, options);
    await this.replug(disk);
    return disk;
  }

  /** Makes a disk that is not plugged in. */
  async make(sizeBytes: bigint, options: DiskOptions = {}): Promise<AttachedDisk> {
    this.#made += 1;
    const volumeId = `vol-${this.#made}`;
    const disk: AttachedDisk = {
      volumeId,
      imagePath: join(this.root, 'images', `${volumeId}.img`),
      serialNumber: options.serialNumber ?? randomUUID(),
      page83: options.page83 ?? `naa.6${randomBytes(16).toString('hex').slice(1)}`,
    };
    const image = await open(disk.imagePath, 'wx+');
    try {
      await image.truncate(Number(sizeBytes));
      await options.content?.(image);
    } finally {
      await image.close();
    }
    return disk;
  }

  /** Plugs in a disk that was unplugged, or the same image as another disk. */
  async replug(disk: AttachedDisk): Promise<void> {
    await writeRecord(this.#recordOf(disk), encodeAttachedDisk(disk));
  }

  async unplug(disk: AttachedDisk): Promise<void> {
    await removeRecord(this.#recordOf(disk));
  }

  /** The size of the NTFS file system in the data partition of an image that has the layout of Windows. */
  async fileSystemBytes({ imagePath }: AttachedDisk): Promise<bigint> {
    const sector = Buffer.alloc(BOOT_SECTOR_BYTES);
    const image = await open(imagePath, 'r');
    try {
      await image.read(sector, 0, BOOT_SECTOR_BYTES, Number(BASIC_PARTITION_FIRST_LBA * SECTOR_BYTES));
    } finally {
      await image.close();
    }
    const ntfs = decodeNtfsBootSector(sector);
    if (ntfs === undefined) throw new Error(`there is no NTFS file system in ${imagePath}`);
    return ntfs.fileSystemBytes;
  }

  async grow(disk: AttachedDisk, sizeBytes: bigint): Promise<void> {
    await truncate(disk.imagePath, Number(sizeBytes));
  }

  /** An empty folder for staging paths and the like. */
  async folder(): Promise<string> {
    return mkdtemp(join(this.root, 'paths-'));
  }

  async cleanup(): Promise<void> {
    await rm(this.root, { recursive: true, force: true, maxRetries: 5 });
  }

  #recordOf(disk: AttachedDisk): string {
    return join(this.attachDir, `${disk.volumeId}${DISK_RECORD_SUFFIX}`);
  }
}
