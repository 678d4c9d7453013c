import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { StorageError } from '../../../src/core/errors.ts';
import type { DiskAttachment } from '../../../src/core/ports/disk-backend.ts';
import { decodePublishContext, encodePublishContext } from '../../../src/core/publish-context.ts';

/** As object literals are, so that toStrictEqual compares only what is in them. */
const PLAIN = { noNullPrototype: true } as const;
const bytes = fc.bigInt(0n, 2n ** 63n - 1n);
const attachment: fc.Arbitrary<DiskAttachment> = fc.record(
  {
    transport: fc.constant('local'),
    serialNumber: fc.string({ minLength: 1 }),
    page83: fc.string({ minLength: 1 }),
    capacityBytes: bytes,
    content: fc.record(
      { state: fc.constantFrom('blank', 'ntfs', 'foreign'), found: fc.string(), fileSystemBytes: bytes },
      PLAIN,
    ),
    examinedAt: fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('9999-12-31') }),
  },
  PLAIN,
);

const EXAMPLE: DiskAttachment = {
  transport: 'local',
  serialNumber: '5f2c',
  page83: 'naa.6001',
  capacityBytes: 1n,
  content: { state: 'ntfs', found: '', fileSystemBytes: 1n },
  examinedAt: new Date(0),
};

it('a publish_context says to the node what the backend said to the controller', () => {
  fc.assert(
    fc.property(attachment, (given) => {
      expect(decodePublishContext(encodePublishContext(given))).toStrictEqual(given);
    }),
  );
});

/** What a context reads as: a content state, or the code it is refused with. */
function readState(context: Readonly<Record<string, string>>): string {
  try {
    return decodePublishContext(context).content.state;
  } catch (error) {
    if (error instanceof StorageError) return error.code;
    throw error;
  }
}

it('law 1: whatever key of a publish_context is damaged, a disk with data never becomes blank', () => {
  const notBlank = attachment.filter(({ content }) => content.state !== 'blank');
  const key = fc.constantFrom(...Object.keys(encodePublishContext(EXAMPLE)));
  const damage = fc.string().filter((text) => text !== 'blank');
  fc.assert(
    fc.property(notBlank, key, damage, (given, damaged, text) => {
      const state = readState({ ...encodePublishContext(given), [damaged]: text });
      expect(['ntfs', 'foreign', 'invalid-argument']).toContain(state);
    }),
  );
});
