import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { openFileBackend } from '../../src/backends/file-backend.ts';
import type { FileBackendDeps } from '../../src/backends/file-backend.ts';
import { encodeNodeRecord, NODE_RECORD_NAME, nodeFolderName } from '../../src/core/attach-folder.ts';
import type { NodeId, VolumeId } from '../../src/core/ids.ts';
import type { DiskBackend } from '../../src/core/ports/disk-backend.ts';
import { writeRecord } from '../../src/util/record-file.ts';
import type { DiskPatch } from './disk-bytes.ts';
import { RecordingLogger } from './recording-logger.ts';

/** The file backend in a folder, and the hands to touch what it keeps there. */
export interface FileBackendWorld {
  readonly backend: DiskBackend;
  readonly poolDir: string;
  readonly attachDir: string;
  readonly log: RecordingLogger;
  announceNode(nodeId: NodeId, maxVolumes: number): Promise<void>;
  write(id: VolumeId, patch: DiskPatch): Promise<void>;
  read(id: VolumeId, offset: bigint, length: number): Promise<Uint8Array>;
  imagePath(id: VolumeId): string;
  close(): Promise<void>;
}

export interface WorldOptions extends Partial<Pick<FileBackendDeps, 'files' | 'probe'>> {
  readonly overcommitRatio?: number;
}

export async function openWorld(
  root: string,
  { overcommitRatio = 1, ...deps }: WorldOptions = {},
): Promise<FileBackendWorld> {
  const poolDir = join(root, 'pool');
  const attachDir = join(root, 'attach');
  const log = new RecordingLogger();
  const opened = await openFileBackend({ log, ...deps }, { poolDir, attachDir, overcommitRatio });
  const imagePath = (id: VolumeId): string => join(poolDir, 'volumes', id, 'disk.img');
  return {
    backend: opened.backend,
    poolDir,
    attachDir,
    log,
    imagePath,
    close: () => opened.close(),
    async announceNode(nodeId, maxVolumes) {
      const folder = join(attachDir, nodeFolderName(nodeId));
      await mkdir(folder, { recursive: true });
      await writeRecord(join(folder, NODE_RECORD_NAME), encodeNodeRecord({ nodeId, maxVolumes }));
    },
    async write(id, { offset, bytes }) {
      const file = await open(imagePath(id), 'r+');
      await file.write(bytes, 0, bytes.length, Number(offset));
      await file.close();
    },
    async read(id, offset, length) {
      const file = await open(imagePath(id), 'r');
      const bytes = new Uint8Array(length);
      await file.read(bytes, 0, length, Number(offset));
      await file.close();
      return bytes;
    },
  };
}
