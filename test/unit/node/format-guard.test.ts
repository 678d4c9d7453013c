import { describe, expect, it } from '@jest/globals';
import type { ContentState } from '../../../src/core/content-state.ts';
import { formatHistory, reasonNotToFormat, type FormatHistory } from '../../../src/node/format-guard.ts';

const STATES: readonly ContentState[] = ['blank', 'ntfs', 'foreign'];
const HISTORIES: readonly FormatHistory[] = [
  { kind: 'never' },
  { kind: 'begun' },
  { kind: 'finished' },
  { kind: 'unknown', reason: 'its record is torn' },
];

describe('the format guard', () => {
  it('law 1: allows only a blank disk that no finished format and no unreadable record speaks of', () => {
    const allowed = STATES.flatMap((state) =>
      HISTORIES.filter(
        (history) =>
          reasonNotToFormat({ state, found: 'something', fileSystemBytes: 0n }, history) === undefined,
      ).map(({ kind }) => `${state}, ${kind}`),
    );
    expect(allowed).toEqual(['blank, never', 'blank, begun']);
  });

  it('law 1: says what was found', () => {
    const foreign = { state: 'foreign', found: 'an XFS file system', fileSystemBytes: 0n } as const;
    expect(reasonNotToFormat(foreign, { kind: 'never' })).toContain('an XFS file system');
    const blank = { state: 'blank', found: '', fileSystemBytes: 0n } as const;
    expect(reasonNotToFormat(blank, { kind: 'unknown', reason: 'its record is torn' })).toContain(
      'its record is torn',
    );
  });

  it.each([
    ['before the disk was looked at', '2026-01-01', 'never'],
    ['when the disk was looked at', '2026-01-02', 'never'],
    ['after the disk was looked at', '2026-01-03', 'unknown'],
  ])('law 1: an empty journal begun %s makes the history %s: %s', (_when, begunAt, kind) => {
    const disk = { serialNumber: '5f2c', page83: '', examinedAt: new Date('2026-01-02') };
    expect(formatHistory({ kind: 'none' }, disk, new Date(begunAt)).kind).toBe(kind);
  });
});
