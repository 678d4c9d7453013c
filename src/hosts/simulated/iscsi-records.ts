import { join } from 'node:path';
import { decodeAttachedDisk, encodeAttachedDisk } from '../../core/attach-folder.ts';
import type { AttachedDisk } from '../../core/attach-folder.ts';
import type { IscsiPortal } from '../../core/ports/host-storage.ts';
import type { Logger } from '../../core/ports/logger.ts';
import { sha256Hex } from '../../util/digest.ts';
import { listRecordFolder, makeRecordFolder, removeRecord, writeRecord } from '../../util/record-file.ts';
import { OWN_SCHEMA, readOwnRecord, textOf } from '../own-record.ts';
import type { SecretHash } from './secret-hash.ts';

/** A login, and the disk that came with it. */
export interface IscsiSession {
  readonly iqn: string;
  readonly portal: IscsiPortal;
  readonly disk: AttachedDisk;
}

const SUFFIX = '.json';

/**
 * What the simulated initiator remembers. Portals and its own secret are for good; sessions survive this process, and
 * end with the machine: they are not persistent logins.
 */
export class IscsiRecords {
  readonly #folder: string;
  readonly #sessions: string;
  readonly #bootId: () => Promise<string>;
  readonly #log: Logger;

  constructor(folder: string, bootId: () => Promise<string>, log: Logger) {
    this.#folder = folder;
    this.#sessions = join(folder, 'sessions');
    this.#bootId = bootId;
    this.#log = log;
  }

  async portals(): Promise<readonly IscsiPortal[]> {
    const decode = ({ portals }: Record<string, unknown>): readonly IscsiPortal[] => {
      if (!Array.isArray(portals)) throw new Error('portals is not a list');
      return portals.map(portalOf);
    };
    return (await readOwnRecord(join(this.#folder, 'portals.json'), decode, this.#log)) ?? [];
  }

  async setPortals(portals: readonly IscsiPortal[]): Promise<void> {
    await makeRecordFolder(this.#folder);
    await writeRecord(join(this.#folder, 'portals.json'), { schema: OWN_SCHEMA, portals });
  }

  async ownSecret(): Promise<SecretHash | undefined> {
    const decode = (record: Record<string, unknown>): SecretHash => ({
      salt: textOf(record, 'salt'),
      hash: textOf(record, 'hash'),
    });
    return readOwnRecord(join(this.#folder, 'own-secret.json'), decode, this.#log);
  }

  async setOwnSecret(secret: SecretHash): Promise<void> {
    await makeRecordFolder(this.#folder);
    await writeRecord(join(this.#folder, 'own-secret.json'), { schema: OWN_SCHEMA, ...secret });
  }

  /** Of this boot. */
  async sessions(): Promise<readonly IscsiSession[]> {
    const names = (await listRecordFolder(this.#sessions)).filter((name) => name.endsWith(SUFFIX)).sort();
    if (names.length === 0) return [];
    const boot = await this.#bootId();
    const decode = (record: Record<string, unknown>): IscsiSession | undefined =>
      textOf(record, 'boot') === boot ? sessionOf(record) : undefined;
    const read = await Promise.all(
      names.map((name) => readOwnRecord(join(this.#sessions, name), decode, this.#log)),
    );
    return read.filter((session) => session !== undefined);
  }

  async addSession(session: IscsiSession): Promise<void> {
    await makeRecordFolder(this.#sessions);
    await writeRecord(this.#sessionAt(session.iqn), {
      schema: OWN_SCHEMA,
      boot: await this.#bootId(),
      ...session,
      disk: encodeAttachedDisk(session.disk),
    });
  }

  async removeSession(iqn: string): Promise<void> {
    await makeRecordFolder(this.#sessions);
    await removeRecord(this.#sessionAt(iqn));
  }

  #sessionAt(iqn: string): string {
    return join(this.#sessions, `${sha256Hex(iqn.toLowerCase(), 32)}${SUFFIX}`);
  }
}

function sessionOf(record: Record<string, unknown>): IscsiSession {
  return {
    iqn: textOf(record, 'iqn'),
    portal: portalOf(record['portal']),
    disk: decodeAttachedDisk(record['disk']),
  };
}

function portalOf(value: unknown): IscsiPortal {
  const { address, port } = value as { address?: unknown; port?: unknown };
  if (typeof address !== 'string' || typeof port !== 'number') throw new Error('a portal is not whole');
  return { address, port };
}
