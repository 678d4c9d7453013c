import { join } from 'node:path';
import { decodeAttachedDisk } from '../../core/attach-folder.ts';
import type { AttachedDisk } from '../../core/attach-folder.ts';
import { messageOf, StorageError } from '../../core/errors.ts';
import type { IscsiPortal } from '../../core/ports/host-storage.ts';
import type { Logger } from '../../core/ports/logger.ts';
import { listRecordFolder, readRecord } from '../../util/record-file.ts';

/** A target in the network of the simulated machine: a file, whoever wrote it. */
export interface IscsiTarget {
  readonly iqn: string;
  readonly portals: readonly IscsiPortal[];
  readonly disk: AttachedDisk;
  /** What an initiator must know to log in. */
  readonly chap?: { readonly username: string; readonly secret: string };
  /** With which the target proves itself to an initiator that asks for it. */
  readonly mutualSecret?: string;
}

const SUFFIX = '.json';
const DEFAULT_PORT = 3260;
const HIGHEST_PORT = 65_535;

/** A portal as it is known by: with its port, and a host name in lower case. */
export function normalPortal({ address, port }: IscsiPortal): IscsiPortal {
  if (address.trim() === '' || !Number.isInteger(port) || port < 0 || port > HIGHEST_PORT) {
    throw new StorageError(
      'invalid-argument',
      `${JSON.stringify(address)} port ${port} is no iSCSI portal: expected a host name or address and a port, 0 for ${DEFAULT_PORT}`,
    );
  }
  return { address: address.trim().toLowerCase(), port: port === 0 ? DEFAULT_PORT : port };
}

export const isSamePortal = (one: IscsiPortal, other: IscsiPortal): boolean =>
  one.address === other.address && one.port === other.port;

export const portalText = ({ address, port }: IscsiPortal): string => `${address}:${port}`;

/** The targets that the definitions in a folder make, by the files' names. */
export class IscsiTargets {
  readonly #folder: string;
  readonly #log: Logger;

  constructor(folder: string, log: Logger) {
    this.#folder = folder;
    this.#log = log;
  }

  /** Those behind a portal; one whose definition cannot be read is reported and left out. */
  async at(portal: IscsiPortal): Promise<readonly IscsiTarget[]> {
    const names = (await listRecordFolder(this.#folder)).filter((name) => name.endsWith(SUFFIX)).sort();
    const targets = await Promise.all(names.map((name) => this.#read(name)));
    return targets
      .filter((target) => target !== undefined)
      .filter(({ portals }) => portals.some((one) => isSamePortal(normalPortal(one), portal)));
  }

  async find(portal: IscsiPortal, iqn: string): Promise<IscsiTarget | undefined> {
    return (await this.at(portal)).find((target) => target.iqn.toLowerCase() === iqn.toLowerCase());
  }

  async #read(name: string): Promise<IscsiTarget | undefined> {
    const path = join(this.#folder, name);
    try {
      const record = (await readRecord(path)) as (IscsiTarget & { readonly disk: unknown }) | undefined;
      return record === undefined ? undefined : { ...record, disk: decodeAttachedDisk(record.disk) };
    } catch (error) {
      this.#log.error({ path, reason: messageOf(error) }, 'cannot read the definition of an iSCSI target');
      return undefined;
    }
  }
}
