import { constants } from 'node:fs';
import { copyFile, mkdtemp, open, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { CAPACITY_STEP_BYTES, GIB } from '../../core/capacity.ts';
import { isErrno } from '../../util/record-file.ts';

/** What the file system under a pool can do, found by doing it. */
export interface PoolAbilities {
  readonly reflink: boolean;
  /** Largest image it can hold. */
  readonly maximumImageBytes: bigint;
  /** `xfs`, `ext4`, or the number `statfs` gives. */
  readonly fileSystem: string;
}

export const PROBE_PREFIX = '.probe-';

const FILE_SYSTEMS: ReadonlyMap<bigint, string> = new Map([
  [0x58465342n, 'xfs'],
  [0x9123683en, 'btrfs'],
  [0xef53n, 'ext4'],
  [0x01021994n, 'tmpfs'],
  [0x794c7630n, 'overlay'],
]);

/** Tried from the largest down. NTFS with 64 KiB clusters ends below 256 TiB, ext4 files end 4 KiB below 16 TiB. */
const IMAGE_SIZES = [
  256n * 1024n * GIB - CAPACITY_STEP_BYTES,
  64n * 1024n * GIB,
  16n * 1024n * GIB - CAPACITY_STEP_BYTES,
  2n * 1024n * GIB - CAPACITY_STEP_BYTES,
];

export async function probePool(poolDir: string): Promise<PoolAbilities> {
  const folder = await mkdtemp(join(poolDir, PROBE_PREFIX));
  try {
    const image = join(folder, 'image');
    return {
      maximumImageBytes: await largestImage(image),
      reflink: await canClone(image, join(folder, 'clone')),
      fileSystem: await fileSystemOf(poolDir),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function largestImage(path: string): Promise<bigint> {
  const file = await open(path, 'w');
  try {
    for (const bytes of IMAGE_SIZES) {
      try {
        await file.truncate(Number(bytes));
        return bytes;
      } catch (error) {
        if (!isErrno(error, 'EFBIG') && !isErrno(error, 'EINVAL')) throw error;
      }
    }
    return 0n;
  } finally {
    await file.truncate(4096);
    await file.close();
  }
}

/** Any refusal means no: the errno differs between kernels and file systems. */
async function canClone(source: string, target: string): Promise<boolean> {
  try {
    await copyFile(source, target, constants.COPYFILE_FICLONE_FORCE);
    return true;
  } catch {
    return false;
  }
}

async function fileSystemOf(path: string): Promise<string> {
  const { type } = await statfs(path, { bigint: true });
  return FILE_SYSTEMS.get(type) ?? `file system 0x${type.toString(16)}`;
}
