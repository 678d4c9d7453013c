import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, open, rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { type AttachedDisk, DISK_RECORD_SUFFIX, encodeAttachedDisk } from '../../src/core/attach-folder.ts';
import { windowsLayout } from '../../src/core/gpt.ts';
import type { DiskNumber } from '../../src/core/ids.ts';
import type { HostStorage } from '../../src/core/ports/host-storage.ts';
import { writeTable } from '../../src/hosts/partition-table.ts';
import { removeRecord, writeRecord } from '../../src/util/record-file.ts';
import { DiskDialect } from './disk-dialect.ts';
import type { DiskHands, HandDisk } from './hands.ts';
import type { Wire } from './wire.ts';

export interface OurDisksOptions {
  /** The node's own attach folder. */
  readonly attachDir: string;
  /** Where the images are made. */
  readonly imageDir: string;
}

const SIGNAL = new AbortController().signal;
const WITH_IDS = ['v1', 'v1beta3', 'v1beta2', 'v1beta1'];

/**
 * Disks for a server of ours: images plugged in through its attach folder, as a hypervisor does. `openHost` opens the
 * same machine a second time, past the server, to see and change what an administrator would.
 */
export class OurDisks implements DiskHands {
  readonly #wire: Wire;
  readonly #openHost: () => HostStorage;
  readonly #options: OurDisksOptions;

  constructor(wire: Wire, openHost: () => HostStorage, options: OurDisksOptions) {
    this.#wire = wire;
    this.#openHost = openHost;
    this.#options = options;
  }

  async make(sizeBytes: bigint, prepared: 'raw' | 'partitioned'): Promise<HandDisk> {
    const { attachDir, imageDir } = this.#options;
    const volumeId = `disk-${randomUUID()}`;
    const disk: AttachedDisk = {
      volumeId,
      imagePath: join(imageDir, `${volumeId}.img`),
      serialNumber: randomUUID(),
      page83: `naa.6${randomBytes(16).toString('hex').slice(1)}`,
    };
    await mkdir(imageDir, { recursive: true });
    await makeImage(disk.imagePath, sizeBytes, prepared);
    const record = join(attachDir, `${volumeId}${DISK_RECORD_SUFFIX}`);
    await writeRecord(record, encodeAttachedDisk(disk));
    return {
      number: await this.#numberOf(disk),
      ids: { page83: disk.page83, serialNumber: disk.serialNumber },
      resize: async (bytes) => {
        await truncate(disk.imagePath, Number(bytes));
        await this.#rescan(); // Hyper-V tells the machine that a disk of it has grown; an attach folder does not.
      },
      setOnline: (online) => this.#seenByHost(disk, (host, n) => host.disks.setDiskState(n, online, SIGNAL)),
      isOnline: () =>
        this.#seenByHost(disk, async (host, n) => (await host.disks.getDiskState(n, SIGNAL)).online),
      remove: async () => {
        await removeRecord(record);
        await this.#rescan();
        await rm(disk.imagePath, { force: true });
      },
    };
  }

  /** The server's number of a disk: numbers are of a process, so only the server knows it. */
  async #numberOf({ page83, serialNumber }: AttachedDisk): Promise<number> {
    const version = WITH_IDS.find((one) => this.#wire.offers('disk', one));
    if (version === undefined) return new DiskDialect(this.#wire, 'v1alpha1').numberByName(page83);
    const ids = await new DiskDialect(this.#wire, version).ids();
    const found = [...ids].find(([, one]) => one.serialNumber === serialNumber);
    if (found === undefined) throw new Error(`the server does not list the disk ${serialNumber}`);
    return found[0];
  }

  async #seenByHost<Result>(
    { serialNumber }: AttachedDisk,
    look: (host: HostStorage, disk: DiskNumber) => Promise<Result>,
  ): Promise<Result> {
    const host = this.#openHost();
    const ids = await host.disks.listDiskIds(SIGNAL);
    const found = [...ids].find(([, one]) => one.serialNumber === serialNumber);
    if (found === undefined) throw new Error(`the machine has no disk ${serialNumber}`);
    return look(host, found[0]);
  }

  async #rescan(): Promise<void> {
    const version = [...WITH_IDS, 'v1alpha1'].find((one) => this.#wire.offers('disk', one)) ?? 'v1';
    await new DiskDialect(this.#wire, version).rescan();
  }
}

async function makeImage(path: string, sizeBytes: bigint, prepared: 'raw' | 'partitioned'): Promise<void> {
  const image = await open(path, 'wx');
  try {
    await image.truncate(Number(sizeBytes));
  } finally {
    await image.close();
  }
  if (prepared === 'partitioned') {
    await writeTable(path, windowsLayout(sizeBytes, randomUUID), sizeBytes);
  }
}
