import { stat } from 'node:fs/promises';
import { isErrno } from '../../util/record-file.ts';

/**
 * Which file an image is, whatever its path: the device it is on and its inode, as `losetup --list` prints them.
 * `undefined` when there is none at the path.
 */
export async function imageIdOf(path: string): Promise<string | undefined> {
  try {
    const { dev, ino } = await stat(path, { bigint: true });
    return `${major(dev)}:${minor(dev)} ${ino}`;
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** Linux packs both numbers of a device into one: makedev(3). */
const major = (dev: bigint): bigint => ((dev >> 8n) & 0xfffn) | ((dev >> 32n) & 0xfffff000n);
const minor = (dev: bigint): bigint => (dev & 0xffn) | ((dev >> 12n) & 0xffffff00n);
