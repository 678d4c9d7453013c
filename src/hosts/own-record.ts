import { messageOf } from '../core/errors.ts';
import type { Logger } from '../core/ports/logger.ts';
import { readRecord, setAsideRecord } from '../util/record-file.ts';

/**
 * A record that only this host writes; `undefined` when there is none. What cannot be read, or `decode` throws at, is
 * set aside and reported, and counts as none (law 8).
 */
export async function readOwnRecord<Result>(
  path: string,
  decode: (value: Record<string, unknown>) => Result,
  log: Logger,
): Promise<Result | undefined> {
  try {
    const value = await readRecord(path);
    if (value === undefined) return undefined;
    if (typeof value !== 'object' || value === null) throw new Error('it is not an object');
    const record = value as Record<string, unknown>;
    if (record['schema'] !== OWN_SCHEMA) throw new Error(`its schema is not ${OWN_SCHEMA}`);
    return decode(record);
  } catch (error) {
    const aside = await setAsideRecord(path);
    log.error({ path, aside, reason: messageOf(error) }, 'set aside a record that cannot be read');
    return undefined;
  }
}

export const OWN_SCHEMA = 1;

/** A field of a record that must be a text. */
export function textOf(record: Record<string, unknown>, key: string): string {
  const value = record[key];
  if (typeof value !== 'string') throw new Error(`${key} is not a text`);
  return value;
}
