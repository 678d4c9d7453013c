import { isAbsolute } from 'node:path';
import { pipesOf } from '../proxyapi/releases.ts';

/** Parsers of flag values. Each throws an Error that says what it accepts; the CLI adds the flag's name. */

export const text = (value: string): string => value;

/** An absolute path: a relative one would depend on where the process was started. */
export function path(value: string): string {
  if (!isAbsolute(value)) throw new Error(`expected an absolute path, got "${value}"`);
  return value;
}

/**
 * CSI spec, GetPluginInfoResponse.name, and Topology: `topology.<name>` is the prefix of our topology key, which
 * has at most 63 lower-case characters.
 */
export function driverName(value: string): string {
  if (!/^[a-z0-9](?:[a-z0-9.-]{0,52}[a-z0-9])?$/.test(value)) {
    throw new Error(
      `expected at most 54 of a-z 0-9 . - that begin and end with a letter or digit, got "${value}"`,
    );
  }
  return value;
}

/** CSI spec, Topology: the value of a segment. */
export function zone(value: string): string {
  if (!/^[a-zA-Z0-9](?:[a-zA-Z0-9._-]{0,61}[a-zA-Z0-9])?$/.test(value)) {
    throw new Error(
      `expected at most 63 of a-z A-Z 0-9 . _ - that begin and end with a letter or digit, got "${value}"`,
    );
  }
  return value;
}

/** CSI spec, NodeGetInfoResponse.node_id. */
export function nodeId(value: string): string {
  const bytes = Buffer.byteLength(value);
  if (bytes === 0 || bytes > 256) throw new Error(`expected 1 to 256 bytes, got ${bytes}`);
  return value;
}

/** A positive number of seconds, fractions allowed, at most a day. */
export function duration(value: string): number {
  const seconds = numberIn(value);
  if (!(seconds > 0 && seconds <= 86_400)) {
    throw new Error(`expected seconds above 0 and at most 86400, got "${value}"`);
  }
  return seconds;
}

/** A number from 0.01 to 1000. */
export function ratio(value: string): number {
  const number = numberIn(value);
  if (!(number >= 0.01 && number <= 1000)) {
    throw new Error(`expected a ratio from 0.01 to 1000, got "${value}"`);
  }
  return number;
}

export function wholeNumber(value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw new Error(`expected a whole number, got "${value}"`);
  return Number(value);
}

/** A whole number above zero. */
export function count(value: string): number {
  if (!/^[1-9]\d{0,8}$/.test(value)) throw new Error(`expected a whole number of 1 or more, got "${value}"`);
  return Number(value);
}

/** An absolute path as Windows names it; the machine that takes the flag may be another. */
export function windowsPath(value: string): string {
  if (!/^[A-Za-z]:\\/.test(value)) {
    throw new Error(String.raw`expected an absolute Windows path such as C:\var\lib\kubelet, got "${value}"`);
  }
  return value;
}

/** Any number of them, with semicolons between, as in Windows' own PATH. */
export const windowsPaths = (value: string): readonly string[] =>
  value
    .split(';')
    .filter((each) => each !== '')
    .map(windowsPath);

/** Releases of CSI Proxy and versions of its API; a CSI Proxy reads them as `pipesOf` does. */
export function apiVersions(value: string): string {
  pipesOf(value);
  return value;
}

export const yesOrNo = (value: string): boolean => choice('yes', 'no')(value) === 'yes';

/** One of the given words. */
export function choice<const Word extends string>(...words: readonly Word[]): (value: string) => Word {
  return (value) => {
    const found = words.find((word) => word === value);
    if (found === undefined) throw new Error(`expected one of ${words.join(', ')}, got "${value}"`);
    return found;
  };
}

function numberIn(value: string): number {
  return /^\d+(\.\d+)?$/.test(value) ? Number(value) : Number.NaN;
}
