import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { asHostVolumeId, asVolumeId } from '../../../src/core/ids.ts';
import { decodeJournalRecord, encodeJournalRecord } from '../../../src/node/journal-codec.ts';
import type { JournalRecord } from '../../../src/node/journal.ts';

const text = fc.string({ minLength: 1, maxLength: 40 });

const record: fc.Arbitrary<JournalRecord> = fc.record(
  {
    volumeId: text.map(asVolumeId),
    phase: fc.constantFrom('formatting', 'staged', 'unstaging', 'unstaged'),
    disk: fc.record({ serialNumber: text, page83: text }),
    hostVolumeId: text.map(asHostVolumeId),
    holdsFileSystem: fc.boolean(),
    grownToBytes: fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }),
    stagingPath: text,
    targets: fc.array(
      fc.record({
        path: text,
        state: fc.constantFrom('creating', 'published'),
        accessMode: fc.constantFrom(
          'SINGLE_NODE_WRITER',
          'SINGLE_NODE_SINGLE_WRITER',
          'SINGLE_NODE_MULTI_WRITER',
        ),
      }),
      { maxLength: 3 },
    ),
    updatedAt: fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('9999-01-01') }),
  },
  {
    requiredKeys: [
      'volumeId',
      'phase',
      'disk',
      'hostVolumeId',
      'holdsFileSystem',
      'grownToBytes',
      'targets',
      'updatedAt',
    ],
  },
);

describe('records of the node journal', () => {
  it('are read back as they were written', () => {
    fc.assert(
      fc.property(record, (original) => {
        const written = JSON.stringify(encodeJournalRecord(original));
        expect(decodeJournalRecord(JSON.parse(written))).toEqual(original);
      }),
    );
  });

  it('law 8: are never read when they are cut short at any byte', () => {
    fc.assert(
      fc.property(record, fc.nat(), (original, cut) => {
        const written = JSON.stringify(encodeJournalRecord(original));
        expect(() => decodeJournalRecord(JSON.parse(written.slice(0, cut % written.length)))).toThrow();
      }),
    );
  });

  it('law 8: are never read from anything else', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(() => decodeJournalRecord(value)).toThrow(/not a record of the node journal/);
      }),
    );
  });
});
