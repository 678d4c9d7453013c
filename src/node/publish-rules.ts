import { StorageError } from '../core/errors.ts';
import type { HostStorage } from '../core/ports/host-storage.ts';
import type { AccessMode } from '../core/volume-capability.ts';
import type { NodePublishVolumeRequest__Output } from '../gen/csi/csi/v1/NodePublishVolumeRequest.ts';
import { identityText, isSameDisk, type DiskIdentity } from './disk-identity.ts';
import type { JournalRecord, PublishTarget } from './journal.ts';
import { isBelow, isSamePath } from './paths.ts';

/** Law 11: a read-only mount is not to be had. */
export function requireWritable({ readonly: asked }: NodePublishVolumeRequest__Output): void {
  if (!asked) return;
  throw new StorageError(
    'invalid-argument',
    'readonly cannot be honoured: Windows mounts NTFS for reading and writing; remove readOnly from the volume, ' +
      'or mount it read-only in the container (volumeMounts.readOnly)',
  );
}

/** A link in the volume itself would lead round in a circle. */
export function requireTargetOutside(path: string, stagingPath: string): void {
  if (!isSamePath(path, stagingPath) && !isBelow(path, stagingPath)) return;
  throw new StorageError(
    'invalid-argument',
    `target_path ${path} lies in the staging path ${stagingPath}: a volume cannot be linked into itself`,
  );
}

/** A volume made again under its old name is another disk (law 2): what is staged may still be the former one. */
export function requireStagedDisk(record: JournalRecord, asked: DiskIdentity): void {
  if (isSameDisk(record.disk, asked)) return;
  throw new StorageError(
    'failed-precondition',
    `volume ${record.volumeId} is staged at ${record.stagingPath ?? ''} with the disk ${identityText(record.disk)}, but it is ` +
      `to be published with the disk ${identityText(asked)}: unstage it, and stage the disk it has now`,
  );
}

/** CSI: a target published another way is `already-exists`. */
export function requireSameMode(target: PublishTarget, accessMode: AccessMode): void {
  if (target.accessMode === accessMode) return;
  throw new StorageError(
    'already-exists',
    `the volume is published at ${target.path} as ${target.accessMode}, not as ${accessMode}: unpublish it there first`,
  );
}

/** One target only when it, or the one there is, asks to be the single writer. Targets that are gone do not count. */
export async function requireSharing(
  { files }: Pick<HostStorage, 'files'>,
  record: JournalRecord,
  asked: { readonly path: string; readonly accessMode: AccessMode },
  signal: AbortSignal,
): Promise<JournalRecord> {
  const isSingle = (mode: AccessMode): boolean => mode === 'SINGLE_NODE_SINGLE_WRITER';
  const others = record.targets.filter(
    (target) =>
      !isSamePath(target.path, asked.path) && (isSingle(asked.accessMode) || isSingle(target.accessMode)),
  );
  const gone: PublishTarget[] = [];
  for (const other of others) {
    if (await files.pathExists(other.path, signal)) throw alreadyPublished(record, other, asked.accessMode);
    gone.push(other);
  }
  return { ...record, targets: record.targets.filter((target) => !gone.includes(target)) };
}

function alreadyPublished(record: JournalRecord, other: PublishTarget, asked: AccessMode): StorageError {
  return new StorageError(
    'failed-precondition',
    `volume ${record.volumeId} is published at ${other.path} as ${other.accessMode}, so it cannot be published at a ` +
      `second path as ${asked}: SINGLE_NODE_SINGLE_WRITER (ReadWriteOncePod) means one pod; stop the other pod first`,
  );
}
