import { sha256Hex } from '../util/digest.ts';
import { StorageError } from './errors.ts';
import { isMadeId } from './ids.ts';

/**
 * Where a listing goes on: after the last id of the page before. Because the place is an id and not a count, it
 * holds while entries come and go, even when that very entry is deleted. `list` names the listing with its
 * filter (`volumes`, `snapshots of vol-…`); the checksum binds the token to it.
 */
export function encodePageToken(list: string, after: string): string {
  return `${after}.${checksum(list, after)}`;
}

/** The id to go on after. CSI spec, ListVolumes and ListSnapshots: `aborted` for a token this listing never gave. */
export function decodePageToken(list: string, token: string): string {
  const dot = token.lastIndexOf('.');
  const after = token.slice(0, Math.max(dot, 0));
  if (!isMadeId(after) || token.slice(dot + 1) !== checksum(list, after)) {
    throw new StorageError(
      'aborted',
      `starting_token is not one that a listing of ${list} returned: start again without a token`,
    );
  }
  return after;
}

function checksum(list: string, after: string): string {
  return sha256Hex(`page of ${list} after ${after}`, 16);
}
