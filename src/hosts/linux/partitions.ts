import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StorageError } from '../../core/errors.ts';
import type { GptPartition } from '../../core/gpt.ts';
import type { Run } from './command.ts';
import { devicePath } from './loop-devices.ts';
import type { LoopName } from './loop-devices.ts';

/** The kernel's block device for one partition. */
export interface PartitionDevice {
  /** `/dev/loop3p2`. */
  readonly path: string;
  /** `259:7`: what the mount table knows it by. */
  readonly device: string;
}

interface KnownPartition extends PartitionDevice {
  readonly firstLba: bigint;
  readonly sectors: bigint;
}

/**
 * The partitions the kernel knows of a loop device. It may have no GPT parser of its own, so it is told with partx,
 * which reads the table in user space, after every change and before every use that finds it behind.
 */
export class Partitions {
  readonly #run: Run;

  constructor(run: Run) {
    this.#run = run;
  }

  /** The device of a partition; tells the kernel first when it does not know the partition as it is. */
  async deviceOf(loop: LoopName, { firstLba, lastLba }: GptPartition): Promise<PartitionDevice> {
    const sectors = lastLba - firstLba + 1n;
    return this.#find(loop, firstLba, (partition) => partition.sectors === sectors);
  }

  /** The device of the partition that starts at a sector, whatever its size. */
  async deviceAt(loop: LoopName, firstLba: bigint): Promise<PartitionDevice> {
    return this.#find(loop, firstLba, () => true);
  }

  async #find(
    loop: LoopName,
    firstLba: bigint,
    fits: (partition: KnownPartition) => boolean,
  ): Promise<PartitionDevice> {
    const look = async (): Promise<PartitionDevice | undefined> =>
      (await known(loop)).find((partition) => partition.firstLba === firstLba && fits(partition));
    const before = await look();
    if (before !== undefined) return before;
    await this.refresh(loop);
    const after = await look();
    if (after !== undefined) return after;
    throw new StorageError(
      'internal',
      `${devicePath(loop)} has a partition at sector ${firstLba}, but the kernel does not show it after ` +
        `partx --update: look at \`partx --show ${devicePath(loop)}\``,
    );
  }

  /** Makes the kernel's partitions those of the table on the disk; works while one of them is mounted. */
  async refresh(loop: LoopName): Promise<void> {
    await this.#run(`tell the kernel the partitions of ${devicePath(loop)}`, 'partx', [
      '--update',
      devicePath(loop),
    ]);
  }

  /** Takes them all away: what is left behind would be the next disk's. Fails while one is in use. */
  async forget(loop: LoopName): Promise<void> {
    if ((await known(loop)).length === 0) return;
    await this.#run(`remove the partitions of ${devicePath(loop)}`, 'partx', ['--delete', devicePath(loop)]);
  }

  /** `major:minor` of a loop device and all its partitions. */
  async devicesOf(loop: LoopName): Promise<readonly string[]> {
    const whole = await readSys(loop, 'dev');
    return [whole, ...(await known(loop)).map(({ device }) => device)];
  }
}

async function known(loop: LoopName): Promise<readonly KnownPartition[]> {
  const names = (await readdir(join('/sys/block', loop))).filter((name) => /^loop\d+p\d+$/.test(name));
  return Promise.all(
    names.map(async (name) => ({
      path: devicePath(name),
      device: await readSys(loop, name, 'dev'),
      firstLba: BigInt(await readSys(loop, name, 'start')),
      sectors: BigInt(await readSys(loop, name, 'size')),
    })),
  );
}

async function readSys(...path: readonly string[]): Promise<string> {
  return (await readFile(join('/sys/block', ...path), 'utf8')).trim();
}
