import { StorageError } from '../../core/errors.ts';
import { asDiskNumber, asHostVolumeId, type DiskNumber, type HostVolumeId } from '../../core/ids.ts';

/*
 * Values that look different on the wire. Both directions refuse what has no meaning: protobuf would cut a number
 * that does not fit to another one, and the wrong disk with it (law 2).
 */

const UINT32_MAX = 0xffff_ffff;
const INT64_MAX = 2n ** 63n - 1n;

const refuse = (what: string, found: unknown, wanted: string): never => {
  throw new StorageError('invalid-argument', `${what} is ${JSON.stringify(found)}, not ${wanted}`);
};

/** A whole number, the same on both sides; a uint32 unless `max` says less. */
export function wholeNumber(value: number, what: string, max = UINT32_MAX): number {
  const fits = Number.isInteger(value) && value >= 0 && value <= max;
  return fits ? value : refuse(what, value, `a whole number from 0 to ${max}`);
}

export const diskNumber = (value: number): DiskNumber => asDiskNumber(wholeNumber(value, 'the disk number'));

/** A disk number as versions before v1beta3 have it. */
export const diskNumberText = (disk: DiskNumber): string => String(diskNumber(disk));

/** Reads one: decimal digits, no sign, no blanks, no leading zeros, so that no disk has two names. */
export const parseDiskNumber = (text: string): DiskNumber =>
  /^(0|[1-9]\d{0,9})$/.test(text)
    ? diskNumber(Number(text))
    : refuse('the disk number', text, 'a decimal number from 0 to 4294967295');

/** A number of bytes as int64, which gRPC gives as decimal text. */
export function int64Text(bytes: bigint, what: string): string {
  return bytes >= 0n && bytes <= INT64_MAX
    ? String(bytes)
    : refuse(what, String(bytes), 'a number of bytes from 0 to 2^63-1');
}

export function parseInt64(text: string, what: string): bigint {
  return /^\d{1,19}$/.test(text) ? BigInt(text) : refuse(what, text, 'a number of bytes');
}

const VOLUME_ID = /^\\\\\?\\Volume\{[\w-]+\}\\$/i;

/**
 * The volume ids of an answer. Servers up to 1.2 answer `['']` for a disk without volumes, and the lines of an error
 * text for a disk that is not there: what is no volume id is no volume.
 */
export const volumeIds = (answered: readonly string[]): readonly HostVolumeId[] =>
  answered.filter((text) => VOLUME_ID.test(text)).map(asHostVolumeId);

/** The volume id of an answer that has to hold one. */
export const volumeId = (answered: string): HostVolumeId =>
  VOLUME_ID.test(answered)
    ? asHostVolumeId(answered)
    : refuse('the volume id in the answer', answered, 'a \\\\?\\Volume{…}\\');

/** A table by disk number: a map of the wire has texts for keys, whatever their type there. */
export const encodeByDisk = <Value, Wire>(
  table: ReadonlyMap<DiskNumber, Value>,
  encode: (value: Value) => Wire,
): Record<string, Wire> =>
  Object.fromEntries([...table].map(([disk, value]) => [diskNumberText(disk), encode(value)]));

export const decodeByDisk = <Value, Wire>(
  table: Readonly<Record<string, Wire>>,
  decode: (wire: Wire) => Value,
): ReadonlyMap<DiskNumber, Value> =>
  new Map(Object.entries(table).map(([disk, wire]) => [parseDiskNumber(disk), decode(wire)]));

/** Both directions between words of the port and names of an enum. */
export function enumWords<Word extends string, Name extends string>(
  what: string,
  names: Readonly<Record<Word, Name>>,
): { toWire(word: Word): Name; fromWire(name: Name): Word } {
  const words = new Map(Object.entries<Name>(names).map(([word, name]) => [name, word as Word]));
  return {
    toWire: (word) => names[word],
    fromWire: (name) => words.get(name) ?? refuse(what, name, `one of ${[...words.keys()].join(', ')}`),
  };
}
