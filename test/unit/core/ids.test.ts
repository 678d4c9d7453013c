import { describe, expect, it } from '@jest/globals';
import { hostVolumeIdOf, isMadeId, snapshotIdFor, volumeIdFor } from '../../../src/core/ids.ts';

describe('ids of volumes and snapshots', () => {
  it('never change between releases: records on disk carry them', () => {
    expect(volumeIdFor('pvc-1')).toBe('vol-f2868e1aa7cab669517cd9f5ab1b7957');
    expect(snapshotIdFor('pvc-1')).toBe('snap-f2868e1aa7cab669517cd9f5ab1b79');
  });

  it.each(['', 'VOL-1', 'a/b', '..', '../x', '-x', 'a b', 'x'.repeat(37), 'vol-ü', 'a\n', 'a.json', 'C:'])(
    'we never made %j',
    (id) => {
      expect(isMadeId(id)).toBe(false);
    },
  );
});

it('a partition GUID is named as Windows names its volume', () => {
  expect(hostVolumeIdOf('AABBCCDD-0000-0000-0000-000000000001')).toBe(
    '\\\\?\\Volume{aabbccdd-0000-0000-0000-000000000001}\\',
  );
});
