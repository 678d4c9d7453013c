import { symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { StorageError, throwIfAborted } from '../../core/errors.ts';
import { attempt } from '../../core/platform-errors.ts';
import type { HostSmb, SmbMapping } from '../../core/ports/host-storage.ts';
import type { Logger } from '../../core/ports/logger.ts';
import { sha256Hex } from '../../util/digest.ts';
import { makeRecordFolder, readRecord, removeRecord, writeRecord } from '../../util/record-file.ts';
import { Turns } from '../../util/turns.ts';
import { OWN_SCHEMA, readOwnRecord, textOf } from '../own-record.ts';
import { parseSmbPath } from './smb-path.ts';
import type { SmbPath } from './smb-path.ts';

/** `share.json` of a share: who may map it; without a name, anybody. Its files are in the folder `files` beside it. */
interface ShareDefinition {
  readonly username?: string;
  readonly password?: string;
}

/**
 * The SMB client of the simulated machine. The servers of its network are folders: `smb-shares/<host>/<share>/` in the
 * state folder is a share when `share.json` is in it. What is mapped is a record, which has no password in it (law 9),
 * and survives a boot.
 */
export class SimulatedSmb implements HostSmb {
  readonly #shares: string;
  readonly #mappings: string;
  readonly #log: Logger;
  readonly #turns = new Turns();

  constructor(stateDir: string, log: Logger) {
    this.#shares = resolve(stateDir, 'smb-shares');
    this.#mappings = resolve(stateDir, 'smb-mappings');
    this.#log = log;
  }

  /** As Windows: a mapping that works is not asked for its credentials again, one whose share is gone is made anew. */
  async newSmbGlobalMapping(mapping: SmbMapping, signal: AbortSignal): Promise<void> {
    const path = parseSmbPath(mapping.remotePath);
    const doing = `map the share ${path.key}`;
    await this.#turns.take(path.key, async () => {
      throwIfAborted(signal, doing);
      await attempt(doing, async () => {
        if (!(await this.#isMapped(path.key)) || (await this.#shareAt(path)) === undefined)
          await this.#map(path, mapping);
        if (mapping.localPath === '') return;
        await symlink(join(this.#folderOf(path), 'files', ...path.below), mapping.localPath, 'dir');
      });
    });
  }

  async removeSmbGlobalMapping(remotePath: string, signal: AbortSignal): Promise<void> {
    const { key } = parseSmbPath(remotePath);
    const doing = `remove the mapping of the share ${key}`;
    await this.#turns.take(key, async () => {
      throwIfAborted(signal, doing);
      await attempt(doing, async () => {
        if (!(await this.#isMapped(key))) {
          throw new StorageError('not-found', `cannot ${doing}: it is not mapped`);
        }
        await removeRecord(this.#recordOf(key));
      });
    });
  }

  async #map(path: SmbPath, { username, password }: SmbMapping): Promise<void> {
    await makeRecordFolder(this.#mappings);
    await removeRecord(this.#recordOf(path.key));
    const share = await this.#shareAt(path);
    if (share === undefined) {
      throw new StorageError('not-found', `cannot map ${path.key}: there is no such share`);
    }
    if (!admits(share, username, password)) {
      throw new StorageError(
        'failed-precondition',
        `cannot map ${path.key} as ${JSON.stringify(username)}: the server refuses the user name or the password`,
      );
    }
    await writeRecord(this.#recordOf(path.key), { schema: OWN_SCHEMA, remotePath: path.key, username });
  }

  async #isMapped(key: string): Promise<boolean> {
    const read = (record: Record<string, unknown>): string => textOf(record, 'remotePath');
    return (await readOwnRecord(this.#recordOf(key), read, this.#log)) === key;
  }

  async #shareAt(path: SmbPath): Promise<ShareDefinition | undefined> {
    return (await readRecord(join(this.#folderOf(path), 'share.json'))) as ShareDefinition | undefined;
  }

  #folderOf({ host, share }: SmbPath): string {
    return join(this.#shares, host, share);
  }

  #recordOf(key: string): string {
    return join(this.#mappings, `${sha256Hex(key, 32)}.json`);
  }
}

function admits(share: ShareDefinition, username: string, password: string): boolean {
  if (share.username === undefined) return true;
  return accountOf(share.username) === accountOf(username) && share.password === password;
}

/** `DOMAIN\user` is `user`: there is one domain in the simulated network. */
const accountOf = (username: string): string => (username.split('\\').at(-1) ?? '').toLowerCase();
