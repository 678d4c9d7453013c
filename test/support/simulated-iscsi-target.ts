import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { encodeAttachedDisk } from '../../src/core/attach-folder.ts';
import type { AttachedDisk } from '../../src/core/attach-folder.ts';
import { MIB } from '../../src/core/capacity.ts';
import type { IscsiPortal } from '../../src/core/ports/host-storage.ts';
import { makeRecordFolder, writeRecord } from '../../src/util/record-file.ts';
import type { LocalDisks } from './local-disks.ts';

export interface TargetOptions {
  /** 64 MiB by default. */
  readonly sizeBytes?: bigint;
  /** What an initiator must know to log in; nothing by default. */
  readonly chap?: { readonly username: string; readonly secret: string };
  /** What the target knows as the initiator's own secret. */
  readonly mutualSecret?: string;
  /** Of the simulated host; that of the disks by default. */
  readonly stateDir?: string;
}

/** A target with one raw disk, in the network of a simulated host. */
export interface TestTarget {
  /** With its port, 3260. */
  readonly portal: IscsiPortal;
  readonly iqn: string;
  readonly disk: AttachedDisk;
  /** Removes target and disk. Log out before. */
  remove(): Promise<void>;
}

/** Makes a target behind a portal of its own. */
export async function createTarget(disks: LocalDisks, options: TargetOptions = {}): Promise<TestTarget> {
  const { sizeBytes = 64n * MIB, chap, mutualSecret, stateDir = disks.stateDir } = options;
  const disk = await disks.make(sizeBytes);
  const iqn = `iqn.2024-01.io.csi.ntfs:${disk.volumeId}`;
  const portal = { address: `${disk.volumeId}.storage.test`, port: 3260 };
  const definition = join(stateDir, 'iscsi-targets', `${disk.volumeId}.json`);
  await makeRecordFolder(join(stateDir, 'iscsi-targets'));
  const target = { iqn, portals: [portal], disk: encodeAttachedDisk(disk), chap, mutualSecret };
  await writeRecord(definition, target);
  return {
    portal,
    iqn,
    disk,
    remove: async () => {
      await rm(definition, { force: true });
      await rm(disk.imagePath, { force: true });
    },
  };
}
