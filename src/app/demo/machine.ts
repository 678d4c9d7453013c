import { execFile, spawn } from 'node:child_process';
import { mkdir, open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { messageOf, StorageError } from '../../core/errors.ts';
import { missingTools, TOOLS } from '../../hosts/linux/tools.ts';

const run = promisify(execFile);

export const isRoot = (): boolean => process.getuid?.() === 0;

/** Debian packages whose tools are missing here: those of the Linux host layer, and what makes the pool. */
export async function missingPackages(): Promise<readonly string[]> {
  const missing = await missingTools(new Map([...TOOLS, ['mkfs.xfs', 'xfsprogs']]));
  return [...new Set(missing.map(({ debianPackage }) => debianPackage))];
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
