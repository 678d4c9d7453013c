import { access, constants, readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { MINIMUM_VOLUME_BYTES } from '../../core/capacity.ts';
import type { DiskContent } from '../../core/content-state.ts';
import { messageOf } from '../../core/errors.ts';
import type { SnapshotId, VolumeId } from '../../core/ids.ts';
import type {
  BackendFeatures,
  DiskSnapshot,
  ListQuery,
  Page,
  PoolCapacity,
  SnapshotSpec,
  VolumeSpec,
} from '../../core/ports/disk-backend.ts';
import type { HostReadiness } from '../../core/ports/host-storage.ts';
import type { Logger } from '../../core/ports/logger.ts';
import { isTemporaryRecord, makeRecordFolder } from '../../util/record-file.ts';
import { attempt } from '../../core/platform-errors.ts';
import type { Pool, PoolVolume } from '../pool.ts';
import { FileSnapshots } from './file-snapshots.ts';
import { FileVolumes } from './file-volumes.ts';
import { ImageCopier } from './image-copier.ts';
import { poolFiles, type PoolFiles } from './pool-files.ts';
import { type ExpectedPool, findPoolId, givePoolId } from './pool-identity.ts';
import { PoolLock } from './pool-lock.ts';
import { type PoolAbilities, PROBE_PREFIX, probePool } from './pool-probe.ts';
import { PoolSpace } from './pool-space.ts';
import { openShelves, promisedBytes, VOLUMES_FOLDER } from './shelves.ts';

export interface FilePoolDeps {
  readonly log: Logger;
  /** The steps on disk; tests crash between them. */
  readonly files?: PoolFiles;
  /** Finds what the file system can do; tests take reflink away. */
  readonly probe?: typeof probePool;
}

export interface FilePoolOptions {
  /** Its own folder, best its own file system: xfs or btrfs for instant snapshots. Made when it is not there. */
  readonly poolDir: string;
  /** How often the same byte may be promised; 1 keeps every promise. */
  readonly overcommitRatio: number;
  /** No other pool is opened, and no new one is made. */
  readonly expected?: ExpectedPool;
}

interface Parts {
  readonly id: string;
  readonly lock: PoolLock;
  readonly abilities: PoolAbilities;
  readonly space: PoolSpace;
  readonly volumes: FileVolumes;
  readonly snapshots: FileSnapshots;
}

/** A pool of sparse raw images in a folder: `<pool>/volumes/<id>` and `<pool>/snapshots/<id>`, see `DiskShelf`. */
export class FilePool implements Pool {
  readonly #poolDir: string;
  readonly #parts: Parts;

  private constructor(poolDir: string, parts: Parts) {
    this.#poolDir = poolDir;
    this.#parts = parts;
  }

  /** Takes the pool for this process, mends what a crash left, and reads every record. */
  static async open(
    { log, files = poolFiles, probe = probePool }: FilePoolDeps,
    options: FilePoolOptions,
  ): Promise<FilePool> {
    const poolDir = resolve(options.poolDir);
    return attempt(`open the pool ${poolDir}`, async () => {
      await findPoolId(poolDir, options.expected); // Before anything is written: it may be a bare mount point.
      await makeRecordFolder(poolDir);
      const lock = await PoolLock.acquire(poolDir);
      try {
        const pool = new FilePool(
          poolDir,
          await openParts({ log, files, probe, lock }, { ...options, poolDir }),
        );
        log.info({ pool: poolDir, id: pool.id, ...pool.features() }, 'the pool is open');
        return pool;
      } catch (error) {
        await lock.release();
        throw error;
      }
    });
  }

  /** Its own, wherever its file system is mounted. */
  get id(): string {
    return this.#parts.id;
  }

  /** Gives the pool up for another process. */
  async close(): Promise<void> {
    await this.#parts.lock.release();
  }

  async readiness(): Promise<HostReadiness> {
    try {
      await access(join(this.#poolDir, VOLUMES_FOLDER), constants.R_OK | constants.W_OK);
      return { ready: true };
    } catch (error) {
      return {
        ready: false,
        reason: `the pool ${this.#poolDir} cannot be written: ${messageOf(error)}`,
        mend: 'mount its file system again and restart the driver',
      };
    }
  }

  features(): BackendFeatures {
    const { reflink, fileSystem } = this.#parts.abilities;
    return {
      liveSnapshots: reflink,
      description: `${fileSystem} ${reflink ? 'with' : 'without'} reflink at ${this.#poolDir}`,
    };
  }

  async capacity(): Promise<PoolCapacity> {
    const { space, abilities } = this.#parts;
    const availableBytes = await space.available();
    const { maximumImageBytes } = abilities;
    return {
      availableBytes,
      maximumVolumeBytes: availableBytes < maximumImageBytes ? availableBytes : maximumImageBytes,
      minimumVolumeBytes: MINIMUM_VOLUME_BYTES,
    };
  }

  createVolume(spec: VolumeSpec, signal: AbortSignal): Promise<PoolVolume> {
    return this.#parts.volumes.create(spec, signal);
  }

  deleteVolume(id: VolumeId): Promise<void> {
    return this.#parts.volumes.delete(id);
  }

  getVolume(id: VolumeId): Promise<PoolVolume | undefined> {
    return this.#parts.volumes.get(id);
  }

  listVolumes(query: ListQuery<VolumeId>): Promise<Page<PoolVolume>> {
    return this.#parts.volumes.list(query);
  }

  expandVolume(id: VolumeId, capacityBytes: bigint, signal: AbortSignal): Promise<PoolVolume> {
    return this.#parts.volumes.expand(id, capacityBytes, signal);
  }

  examineVolume(id: VolumeId): Promise<DiskContent> {
    return this.#parts.volumes.examine(id);
  }

  createSnapshot(spec: SnapshotSpec, signal: AbortSignal): Promise<DiskSnapshot> {
    return this.#parts.snapshots.create(spec, signal);
  }

  deleteSnapshot(id: SnapshotId): Promise<void> {
    return this.#parts.snapshots.delete(id);
  }

  getSnapshot(id: SnapshotId): Promise<DiskSnapshot | undefined> {
    return Promise.resolve(this.#parts.snapshots.get(id));
  }

  listSnapshots(
    query: ListQuery<SnapshotId> & { readonly sourceVolumeId?: VolumeId },
  ): Promise<Page<DiskSnapshot>> {
    return Promise.resolve(this.#parts.snapshots.list(query));
  }
}

async function openParts(
  { log, files, probe, lock }: Required<FilePoolDeps> & { readonly lock: PoolLock },
  { poolDir, overcommitRatio, expected }: FilePoolOptions,
): Promise<Parts> {
  const id = (await findPoolId(poolDir, expected)) ?? (await givePoolId(files, poolDir));
  const leftovers = (await readdir(poolDir)).filter(
    (name) => name.startsWith(PROBE_PREFIX) || isTemporaryRecord(name),
  );
  for (const name of leftovers) await rm(join(poolDir, name), { recursive: true, force: true });
  const abilities = await probe(poolDir);
  const shelves = await openShelves({ log, files }, poolDir);
  const space = await PoolSpace.open({
    poolDir,
    overcommitRatio,
    allocatedBytes: shelves.volumes.allocatedBytes + shelves.snapshots.allocatedBytes,
    promisedBytes: promisedBytes(shelves),
  });
  const copier = new ImageCopier({ log, files }, abilities);
  return {
    id,
    lock,
    abilities,
    space,
    volumes: new FileVolumes({ shelves, space, copier, files, abilities }),
    snapshots: new FileSnapshots({ shelves, space, copier }),
  };
}
