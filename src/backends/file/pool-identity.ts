import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { messageOf, StorageError } from '../../core/errors.ts';
import { readRecord } from '../../util/record-file.ts';
import type { PoolFiles } from './pool-files.ts';
import { RECORD_SCHEMA, RecordFields } from './record-fields.ts';

/** Which pool should be there, and where that is written. */
export interface ExpectedPool {
  readonly id: string;
  /** Path of the record that says so. */
  readonly rememberedIn: string;
}

const IDENTITY_NAME = 'pool.json';

/**
 * The id of the pool in a folder; `undefined` for a folder that has none. `failed-precondition` when it is not the
 * expected one: the mount point of a pool whose file system is not mounted looks like a new pool, and would hand out
 * blank disks under the ids of volumes that have their data elsewhere (law 2). Changes nothing.
 */
export async function findPoolId(poolDir: string, expected?: ExpectedPool): Promise<string | undefined> {
  const found = await readId(join(poolDir, IDENTITY_NAME));
  if (expected === undefined || found === expected.id) return found;
  throw new StorageError(
    'failed-precondition',
    `the pool folder ${poolDir} holds ${found === undefined ? 'no pool' : `pool ${found}`}, and ` +
      `${expected.rememberedIn} says that pool ${expected.id} belongs there: mount the file system that holds it and ` +
      `start again; or, if the pool was replaced on purpose, remove ${expected.rememberedIn}`,
  );
}

/** Gives an id to a pool that has none: a new one, or one of a release that gave none. */
export async function givePoolId(files: PoolFiles, poolDir: string): Promise<string> {
  const id = randomUUID();
  const record = { schema: RECORD_SCHEMA, id, createdAt: new Date().toISOString() };
  await files.writeRecord(join(poolDir, IDENTITY_NAME), record);
  return id;
}

async function readId(path: string): Promise<string | undefined> {
  try {
    const record = await readRecord(path);
    if (record === undefined) return undefined;
    const fields = new RecordFields(record);
    fields.time('createdAt');
    return fields.text('id');
  } catch (error) {
    throw new StorageError(
      'failed-precondition',
      `${path} cannot be read, so that nobody knows which pool this is (${messageOf(error)}): restore it from a backup, ` +
        'or, if this surely is the right file system, remove it and the pool.json in the attach folder',
      { cause: error },
    );
  }
}
