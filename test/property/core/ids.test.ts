import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isMadeId, snapshotIdFor, volumeIdFor } from '../../../src/core/ids.ts';

/** CSI names: any text of up to 128 characters. */
const csiName = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 128 });

describe.each([
  ['volumeIdFor', volumeIdFor],
  ['snapshotIdFor', snapshotIdFor],
])('%s, for any name', (_name, idFor) => {
  it('is url-safe, at most 36 bytes, and one we say we made', () => {
    fc.assert(
      fc.property(csiName, (name) => {
        const id = idFor(name);
        expect(encodeURIComponent(id)).toBe(id);
        expect(Buffer.byteLength(id)).toBeLessThanOrEqual(36);
        expect(isMadeId(id)).toBe(true);
      }),
    );
  });

  it('law 3: is the same each time, and another for another name', () => {
    fc.assert(
      fc.property(csiName, csiName, (one, other) => {
        expect(idFor(one)).toBe(idFor(one));
        expect(idFor(one) === idFor(other)).toBe(one === other);
      }),
    );
  });
});

it('a volume and a snapshot of one name have different ids', () => {
  fc.assert(
    fc.property(csiName, (name) => {
      expect(String(volumeIdFor(name))).not.toBe(String(snapshotIdFor(name)));
    }),
  );
});

it('what holds a separator, a dot or a space is no id of ours', () => {
  const unsafe = fc.constantFrom('/', '\\', '.', ' ', ':', '%', '\0', '\n');
  fc.assert(
    fc.property(csiName, unsafe, csiName, (before, separator, after) => {
      expect(isMadeId(`${before}${separator}${after}`)).toBe(false);
    }),
  );
});
