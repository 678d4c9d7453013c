import { readdir, readFile, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { StorageError } from '../../core/errors.ts';
import { sleep } from '../../util/sleep.ts';
import { isErrno } from '../../util/record-file.ts';
import type { Run } from './command.ts';
import { imageIdOf } from './image-id.ts';

const SYS_BLOCK = '/sys/block';
/** What reading a free device's image gives: no such file, or one that goes while it is read. */
const FREE = ['ENOENT', 'ENODEV', 'ENXIO'] as const;
/** Two processes that look for a free loop device at the same time may pick the same one. */
const ATTACH_TRIES = 5;
const DETACH_WAIT_MS = 2000;
const POLL_MS = 20;

/** Name of a loop device: `loop3`. */
export type LoopName = string;

export const devicePath = (name: string): string => `/dev/${name}`;

interface Seen {
  /** `undefined` when only a record tells of it. */
  readonly name: LoopName | undefined;
  /** The image as `imageIdOf` gives it; `undefined` when it was deleted already. */
  readonly image: string | undefined;
}

/** The kernel's loop devices: which image is attached where is what /sys says now. */
export class LoopDevices {
  readonly #run: Run;
  /** Where an image was last seen, by path: the first place to look, never believed unseen. */
  readonly #lastSeen = new Map<string, Seen>();

  readonly #sysBlock: string;

  constructor(run: Run, sysBlock = SYS_BLOCK) {
    this.#run = run;
    this.#sysBlock = sysBlock;
  }

  /** Of an image that a process before this one attached, when it is not at its path any more. */
  recall(imagePath: string, image: string | undefined): void {
    this.#lastSeen.set(imagePath, { name: undefined, image });
  }

  /** The loop device an image is attached to. */
  async find(imagePath: string): Promise<LoopName | undefined> {
    const wanted = await backingFileName(imagePath);
    const last = this.#lastSeen.get(imagePath);
    if (last?.name !== undefined && (await this.imageOf(last.name)) === wanted) return last.name;
    const found = await this.#search(wanted);
    if (found === undefined) return this.#findMoved(imagePath);
    this.#lastSeen.set(imagePath, { name: found, image: (await imageIdOf(imagePath)) ?? last?.image });
    return found;
  }

  /** An image that was moved and deleted under its device has another path there, but is the same file still. */
  async #findMoved(imagePath: string): Promise<LoopName | undefined> {
    const last = this.#lastSeen.get(imagePath);
    if (last?.image !== undefined && (await imageIdOf(imagePath)) === undefined) {
      const name = await this.#holding(last.image);
      if (name !== undefined && (last.name === name || (await this.#isDeleted(name)))) return name;
    }
    this.#lastSeen.delete(imagePath);
    return undefined;
  }

  async #holding(image: string): Promise<LoopName | undefined> {
    const args = ['--list', '--noheadings', '--output', 'NAME,BACK-MAJ:MIN,BACK-INO'];
    const list = await this.#run('look at the loop devices', 'losetup', args);
    const devices = list.split('\n').map((line) => line.trim().split(/\s+/));
    const found = devices.find(([, device, inode]) => `${device} ${inode}` === image);
    return found?.[0] === undefined ? undefined : basename(found[0]);
  }

  /** While a device holds a deleted image, no other file can have the image's inode. */
  async #isDeleted(name: LoopName): Promise<boolean> {
    return (await this.imageOf(name))?.endsWith(DELETED) === true;
  }

  async #search(wanted: string): Promise<LoopName | undefined> {
    const names = (await readdir(this.#sysBlock)).filter((name) => name.startsWith('loop'));
    const images = await Promise.all(names.map((name) => this.imageOf(name)));
    return names[images.indexOf(wanted)];
  }

  /**
   * The path of the image behind a loop device, as the kernel spells it; `undefined` when it is free. Any other
   * trouble is no answer: an image taken for free would get a second device, and two caches spoil each other's data.
   */
  async imageOf(name: LoopName): Promise<string | undefined> {
    try {
      return (await readFile(join(this.#sysBlock, name, 'loop/backing_file'), 'utf8')).replace(/\n$/, '');
    } catch (error) {
      if (FREE.some((code) => isErrno(error, code))) return undefined;
      throw error;
    }
  }

  /** Always with partition scanning: without it a later detach leaves stale partition devices for the next user. */
  async attach(imagePath: string): Promise<LoopName> {
    const args = ['--find', '--show', '--partscan', imagePath];
    // Before: right after it the image may be moved away.
    const image = await imageIdOf(imagePath);
    for (let tries = 1; ; tries++) {
      try {
        const name = basename((await this.#run(`attach ${imagePath}`, 'losetup', args)).trim());
        this.#lastSeen.set(imagePath, { name, image });
        return name;
      } catch (error) {
        const attached = await this.find(imagePath);
        if (attached !== undefined) return attached;
        if (tries === ATTACH_TRIES) throw error;
        await sleep(POLL_MS * tries, NEVER);
      }
    }
  }

  /** Ends when the device is really free; the kernel puts a detach off while anybody has it open. */
  async detach(name: LoopName): Promise<void> {
    const image = await this.imageOf(name);
    if (image === undefined) return;
    await this.#run(`detach ${devicePath(name)}`, 'losetup', ['--detach', devicePath(name)]);
    for (let waited = 0; (await this.imageOf(name)) === image; waited += POLL_MS) {
      if (waited >= DETACH_WAIT_MS) throw stillOpen(name, image);
      await sleep(POLL_MS, NEVER);
    }
    // Its inode may be the next image's, and the device too: law 2.
    for (const [path, seen] of this.#lastSeen) if (seen.name === name) this.#lastSeen.delete(path);
  }

  /** Makes the kernel look at the image's size again. */
  async refreshSize(name: LoopName): Promise<void> {
    await this.#run(`read the new size of ${devicePath(name)}`, 'losetup', [
      '--set-capacity',
      devicePath(name),
    ]);
  }

  async sizeBytes(name: LoopName): Promise<bigint> {
    return BigInt((await readFile(join(this.#sysBlock, name, 'size'), 'utf8')).trim()) * 512n;
  }
}

/** How the kernel marks an image that has no name any more. */
const DELETED = ' (deleted)';
const NEVER = new AbortController().signal;

/** How /sys names an image: by its real path, marked when the file itself is gone. */
async function backingFileName(imagePath: string): Promise<string> {
  try {
    return await realpath(imagePath);
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error;
    const folder = await realpath(dirname(imagePath)).catch(() => dirname(imagePath));
    return join(folder, basename(imagePath)) + DELETED;
  }
}

function stillOpen(name: LoopName, image: string): StorageError {
  return new StorageError(
    'failed-precondition',
    `${devicePath(name)} (${image}) is still open somewhere, the kernel frees it when it is closed: ` +
      `look for mounts in other namespaces with: grep ${name} /proc/*/mountinfo`,
  );
}
