import { join } from 'node:path';
import { decodeKnownPool, encodeKnownPool, KNOWN_POOL_NAME } from '../../core/attach-folder.ts';
import { messageOf, StorageError } from '../../core/errors.ts';
import { attempt } from '../../core/platform-errors.ts';
import {
  isTemporaryRecord,
  listRecordFolder,
  readRecord,
  removeRecord,
  writeRecord,
} from '../../util/record-file.ts';

/** Which pool the disks of an attach folder come from: it is there when the pool's file system is not. */
export class KnownPool {
  readonly path: string;
  readonly #attachDir: string;

  constructor(attachDir: string) {
    this.#attachDir = attachDir;
    this.path = join(attachDir, KNOWN_POOL_NAME);
  }

  /** Its id; `undefined` when none is known yet. `failed-precondition` when it cannot be read: never guessed (law 8). */
  async read(): Promise<string | undefined> {
    try {
      const record = await readRecord(this.path);
      return record === undefined ? undefined : decodeKnownPool(record).poolId;
    } catch (error) {
      throw new StorageError(
        'failed-precondition',
        `${this.path} cannot be read, so that nobody knows which pool belongs here (${messageOf(error)}): see that the ` +
          "pool's file system is mounted, remove this file, and start again",
        { cause: error },
      );
    }
  }

  async remember(poolId: string): Promise<void> {
    await attempt(`write ${this.path}`, async () => {
      const leftovers = (await listRecordFolder(this.#attachDir)).filter(
        (name) => isTemporaryRecord(name) && name.startsWith(`.${KNOWN_POOL_NAME}.`),
      );
      for (const name of leftovers) await removeRecord(join(this.#attachDir, name));
      await writeRecord(this.path, encodeKnownPool({ poolId }));
    });
  }
}
