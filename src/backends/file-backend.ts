import type { AttachedDisk } from '../core/attach-folder.ts';
import type { VolumeId } from '../core/ids.ts';
import type { DiskBackend } from '../core/ports/disk-backend.ts';
import { FilePool, type FilePoolDeps, type FilePoolOptions } from './file/file-pool.ts';
import { KnownPool } from './local/known-pool.ts';
import { LocalExport, type LocalExportOptions } from './local/local-export.ts';
import { attachedDiskOf, PooledBackend } from './pooled-backend.ts';

export type FileBackendDeps = FilePoolDeps;
export type FileBackendOptions = Omit<FilePoolOptions, 'expected'> & LocalExportOptions;

export interface OpenBackend {
  /** Plain: put `IdempotentBackend` over it. */
  readonly backend: DiskBackend;
  /** Gives the pool up. What is attached stays attached. */
  close(): Promise<void>;
}

/** The embedded backend: images in a folder, for nodes on the same machine. */
export async function openFileBackend(
  deps: FileBackendDeps,
  options: FileBackendOptions,
): Promise<OpenBackend> {
  const knownPool = new KnownPool(options.attachDir);
  const knownId = await knownPool.read();
  const expected = knownId === undefined ? {} : { expected: { id: knownId, rememberedIn: knownPool.path } };
  const pool = await FilePool.open(deps, { ...options, ...expected });
  const describeDisk = async (id: VolumeId): Promise<AttachedDisk | undefined> => {
    const volume = await pool.getVolume(id);
    return volume === undefined || volume.serialNumber === '' ? undefined : attachedDiskOf(volume);
  };
  try {
    const diskExport = await LocalExport.open({ log: deps.log, describeDisk }, options);
    if (knownId === undefined) await knownPool.remember(pool.id);
    return { backend: new PooledBackend({ pool, diskExport }), close: () => pool.close() };
  } catch (error) {
    await pool.close();
    throw error;
  }
}
