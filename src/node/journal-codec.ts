import { StorageError } from '../core/errors.ts';
import { asHostVolumeId, asVolumeId } from '../core/ids.ts';
import type { AccessMode } from '../core/volume-capability.ts';
import type { JournalPhase, JournalRecord, PublishTarget } from './journal.ts';

const SCHEMA = 1;
const PHASES = ['formatting', 'staged', 'unstaging', 'unstaged'] as const satisfies JournalPhase[];
const TARGET_STATES = ['creating', 'published'] as const satisfies PublishTarget['state'][];
const ACCESS_MODES = [
  'SINGLE_NODE_WRITER',
  'SINGLE_NODE_SINGLE_WRITER',
  'SINGLE_NODE_MULTI_WRITER',
] as const satisfies AccessMode[];

/** A record as it is written; JSON knows no bigint and no date, so those are texts. */
export function encodeJournalRecord(record: JournalRecord): unknown {
  return {
    schema: SCHEMA,
    volumeId: record.volumeId,
    phase: record.phase,
    serialNumber: record.disk.serialNumber,
    page83: record.disk.page83,
    hostVolumeId: record.hostVolumeId,
    holdsFileSystem: record.holdsFileSystem,
    grownToBytes: record.grownToBytes.toString(),
    ...(record.stagingPath === undefined ? {} : { stagingPath: record.stagingPath }),
    targets: record.targets,
    updatedAt: record.updatedAt.toISOString(),
  };
}

/** Reads a record back; throws `data-loss` on anything that is not exactly one (law 8: never guessed). */
export function decodeJournalRecord(value: unknown): JournalRecord {
  const fields = object(value, 'the record');
  if (fields['schema'] !== SCHEMA) {
    throw unreadable(`schema is ${JSON.stringify(fields['schema'])}, this release reads ${SCHEMA}`);
  }
  const stagingPath = fields['stagingPath'];
  return {
    volumeId: asVolumeId(text(fields, 'volumeId')),
    phase: oneOf(fields, 'phase', PHASES),
    disk: { serialNumber: text(fields, 'serialNumber'), page83: text(fields, 'page83') },
    hostVolumeId: asHostVolumeId(text(fields, 'hostVolumeId')),
    holdsFileSystem: flag(fields, 'holdsFileSystem'),
    grownToBytes: bytes(fields, 'grownToBytes'),
    ...(stagingPath === undefined ? {} : { stagingPath: text(fields, 'stagingPath') }),
    targets: targets(fields['targets']),
    updatedAt: date(fields, 'updatedAt'),
  };
}

/** When a journal was begun, as it is written. */
export const encodeBirth = (begunAt: Date): unknown => ({ schema: SCHEMA, begunAt: begunAt.toISOString() });

/** Reads it back; throws `data-loss` on anything else. */
export const decodeBirth = (value: unknown): Date =>
  date(object(value, 'the birth of the journal'), 'begunAt');

type Fields = Readonly<Record<string, unknown>>;

function targets(value: unknown): readonly PublishTarget[] {
  if (!Array.isArray(value)) throw unreadable('targets is not a list');
  return value.map((entry: unknown) => {
    const fields = object(entry, 'a target');
    return {
      path: text(fields, 'path'),
      state: oneOf(fields, 'state', TARGET_STATES),
      accessMode: oneOf(fields, 'accessMode', ACCESS_MODES),
    };
  });
}

function object(value: unknown, what: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw unreadable(`${what} is not an object`);
  }
  return value as Fields;
}

function text(fields: Fields, key: string): string {
  const value = fields[key];
  if (typeof value !== 'string' || value === '') throw unreadable(`${key} is missing`);
  return value;
}

function flag(fields: Fields, key: string): boolean {
  const value = fields[key];
  if (typeof value !== 'boolean') throw unreadable(`${key} is neither true nor false`);
  return value;
}

function oneOf<Value extends string>(fields: Fields, key: string, allowed: readonly Value[]): Value {
  const value = allowed.find((candidate) => candidate === fields[key]);
  if (value === undefined) throw unreadable(`${key} is none of ${allowed.join(', ')}`);
  return value;
}

function bytes(fields: Fields, key: string): bigint {
  const value = text(fields, key);
  if (!/^\d{1,19}$/.test(value)) throw unreadable(`${key} is not a number of bytes`);
  return BigInt(value);
}

function date(fields: Fields, key: string): Date {
  const value = new Date(text(fields, key));
  if (Number.isNaN(value.getTime())) throw unreadable(`${key} is not a time`);
  return value;
}

function unreadable(why: string): StorageError {
  return new StorageError('data-loss', `not a record of the node journal: ${why}`);
}
