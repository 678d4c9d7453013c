import { StorageError } from '../../core/errors.ts';

/** Version of the records on disk. A release reads its own and says so of others; it never guesses (law 8). */
export const RECORD_SCHEMA = 1;

/** The fields of a record read from disk, each checked as it is taken. Everything wrong is `data-loss`. */
export class RecordFields {
  readonly #fields: Readonly<Record<string, unknown>>;

  constructor(value: unknown) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw unreadable('it is not an object');
    }
    this.#fields = value as Record<string, unknown>;
    const schema = this.#fields['schema'];
    if (schema !== RECORD_SCHEMA) {
      throw unreadable(`its schema is ${JSON.stringify(schema)}, this release reads ${RECORD_SCHEMA}`);
    }
  }

  text(key: string): string {
    const value = this.#fields[key];
    if (typeof value !== 'string' || value === '') throw unreadable(`${key} is not a text`);
    return value;
  }

  bytes(key: string): bigint {
    const value = this.text(key);
    if (!/^\d{1,19}$/.test(value)) throw unreadable(`${key} is not a number of bytes`);
    return BigInt(value);
  }

  time(key: string): Date {
    const value = new Date(this.text(key));
    if (Number.isNaN(value.getTime())) throw unreadable(`${key} is not a time`);
    return value;
  }

  texts(key: string): Readonly<Record<string, string>> {
    const value = this.#fields[key];
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw unreadable(`${key} is not an object`);
    }
    const entries = Object.entries(value as Record<string, unknown>);
    if (!entries.every((entry): entry is [string, string] => typeof entry[1] === 'string')) {
      throw unreadable(`${key} holds something that is not a text`);
    }
    return Object.fromEntries(entries);
  }

  /** The fields of an object inside the record; `undefined` when there is none. */
  optional(key: string): RecordFields | undefined {
    const value = this.#fields[key];
    return value === undefined
      ? undefined
      : new RecordFields({ schema: RECORD_SCHEMA, ...asObject(value, key) });
  }
}

function asObject(value: unknown, key: string): object {
  if (typeof value !== 'object' || value === null) throw unreadable(`${key} is not an object`);
  return value;
}

export const unreadable = (why: string): StorageError =>
  new StorageError('data-loss', `the record cannot be read: ${why}`);
