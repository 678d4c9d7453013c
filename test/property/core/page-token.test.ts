import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { StorageError } from '../../../src/core/errors.ts';
import { volumeIdFor } from '../../../src/core/ids.ts';
import { decodePageToken, encodePageToken } from '../../../src/core/page-token.ts';

const id = fc.string({ minLength: 1 }).map((name): string => volumeIdFor(name));
const list = fc.constantFrom('volumes', 'snapshots', 'snapshots of volume vol-1');

/** What a token reads as; undefined when it is aborted. Anything else it may do is a crash. */
function read(listing: string, token: string): string | undefined {
  try {
    return decodePageToken(listing, token);
  } catch (error) {
    expect(StorageError.is(error, 'aborted')).toBe(true);
    return undefined;
  }
}

describe('page tokens', () => {
  it('round trip', () => {
    fc.assert(
      fc.property(list, id, (listing, after) => {
        expect(decodePageToken(listing, encodePageToken(listing, after))).toBe(after);
      }),
    );
  });

  it('are aborted in every listing but their own', () => {
    fc.assert(
      fc.property(list, list, id, (one, other, after) => {
        expect(read(other, encodePageToken(one, after))).toBe(one === other ? after : undefined);
      }),
    );
  });

  it('are aborted when any character is replaced, removed or added', () => {
    const change = fc.record({ at: fc.nat(), remove: fc.nat(1), insert: fc.string({ maxLength: 3 }) });
    fc.assert(
      fc.property(list, id, change, (listing, after, { at, remove, insert }) => {
        const token = encodePageToken(listing, after);
        const place = at % token.length;
        const changed = token.slice(0, place) + insert + token.slice(place + remove);
        expect(read(listing, changed)).toBe(changed === token ? after : undefined);
      }),
    );
  });

  it('are aborted when they are any text', () => {
    fc.assert(
      fc.property(list, fc.string({ unit: 'binary', maxLength: 200 }), (listing, token) => {
        expect(read(listing, token)).toBeUndefined();
      }),
    );
  });
});
