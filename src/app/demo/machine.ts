import { execFile, spawn } from 'node:child_process';
import { access, mkdir, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { messageOf, StorageError } from '../../core/errors.ts';

const run = promisify(execFile);

/** A tool the Linux host layer runs, and the Debian package it comes in. */
const TOOLS: readonly (readonly [tool: string, debianPackage: string])[] = [
  ['ntfs-3g', 'ntfs-3g'],
  ['mkfs.ntfs', 'ntfs-3g'],
  ['losetup', 'mount'],
  ['partx', 'util-linux'],
  ['mkfs.xfs', 'xfsprogs'],
];

export const isRoot = (): boolean => process.getuid?.() === 0;

/** Debian packages whose tools are missing here. */
export async function missingPackages(): Promise<readonly string[]> {
  const missing = await Promise.all(
    TOOLS.map(async ([tool, debianPackage]) => ((await isInstalled(tool)) ? [] : [debianPackage])),
  );
  return [...new Set(missing.flat())];
}

async function isInstalled(tool: string): Promise<boolean> {
  const folders = ['/usr/sbin', '/usr/bin', '/sbin', '/bin', '/usr/local/sbin', '/usr/local/bin'];
  const found = await Promise.all(
    folders.map((folder) =>
      access(join(folder, tool)).then(
        () => true,
        () => false,
      ),
    ),
  );
  return found.includes(true);
}

/** Installs Debian packages; their progress goes to `print`. */
export async function installPackages(
  packages: readonly string[],
  print: (line: string) => void,
): Promise<void> {
  const command = `apt-get install -y ${packages.join(' ')}`;
  print(`  installing ${packages.join(', ')} (${command}) …`);
  try {
    await aptGet(['update', '-qq']);
    await aptGet(['install', '-y', '-qq', '--no-install-recommends', ...packages]);
  } catch (error) {
    throw new StorageError(
      'failed-precondition',
      `cannot install ${packages.join(', ')}: ${messageOf(error)}; ` +
        `run \`${command}\` by hand, or try without root devices: csi-driver-ntfs demo --host simulated`,
    );
  }
}

function aptGet(args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('apt-get', args, {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' },
    });
    let complaint = '';
    child.stderr.on('data', (chunk: Buffer) => (complaint = `${complaint}${chunk.toString()}`.slice(-400)));
    child.once('error', reject);
    child.once('exit', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`apt-get ${args[0] ?? ''} ended with code ${String(code)}: ${complaint.trim()}`));
    });
  });
}

/** Size of the demo's xfs image. Sparse: it takes what is written to it. */
const POOL_IMAGE_BYTES = 8 * 1024 ** 3;

/**
 * Mounts an xfs image with reflink at `folder`, so that snapshots are instant and may be taken of an attached
 * volume. Gives the reason when that cannot be done here; a plain folder does as well, with fewer liberties.
 */
export async function mountXfsPool(image: string, folder: string): Promise<string | undefined> {
  try {
    const file = await open(image, 'wx');
    await file.truncate(POOL_IMAGE_BYTES);
    await file.close();
    await run('mkfs.xfs', ['-q', '-m', 'reflink=1', image]);
    await mkdir(folder, { recursive: true });
    await run('mount', ['-o', 'loop,discard', image, folder]);
    return undefined;
  } catch (error) {
    return messageOf(error).split('\n')[0];
  }
}

export async function unmountPool(folder: string): Promise<void> {
  await run('umount', [folder]);
}

/** Bytes a sparse file really takes. */
export async function allocatedBytes(path: string): Promise<number> {
  return (await stat(path)).blocks * 512;
}
