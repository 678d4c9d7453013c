import { expect, it } from '@jest/globals';
import { type AskedCapability, unsupportedReason } from '../../../src/core/volume-capability.ts';

const GOOD: AskedCapability = {
  access: 'mount',
  fsType: 'ntfs',
  mountFlags: [],
  volumeMountGroup: '',
  accessMode: 'SINGLE_NODE_WRITER',
};

it.each<[string, Partial<AskedCapability>]>([
  ['as it is', {}],
  ['no file system named', { fsType: '' }],
  ['NTFS in capitals', { fsType: 'NTFS' }],
  ['single writer', { accessMode: 'SINGLE_NODE_SINGLE_WRITER' }],
  ['many writers on one node', { accessMode: 'SINGLE_NODE_MULTI_WRITER' }],
])('can be honoured: %s', (_what, differently) => {
  expect(unsupportedReason({ ...GOOD, ...differently })).toBeUndefined();
});

it.each<[Partial<AskedCapability>, string]>([
  [{ access: 'missing' }, 'no access type'],
  [{ access: 'block' }, 'volumeMode: Filesystem'],
  [{ fsType: 'ext4' }, 'fs_type "ext4"'],
  [{ fsType: 'refs' }, 'fs_type "refs"'],
  [{ mountFlags: ['ro', 'noatime'] }, 'ro noatime'],
  [{ volumeMountGroup: '1000' }, 'volume_mount_group'],
  [{ accessMode: 'UNKNOWN' }, 'access mode UNKNOWN'],
  [{ accessMode: 'SINGLE_NODE_READER_ONLY' }, 'SINGLE_NODE_READER_ONLY'],
  [{ accessMode: 'MULTI_NODE_READER_ONLY' }, 'MULTI_NODE_READER_ONLY'],
  [{ accessMode: 'MULTI_NODE_SINGLE_WRITER' }, 'MULTI_NODE_SINGLE_WRITER'],
  [{ accessMode: 'MULTI_NODE_MULTI_WRITER' }, 'ReadWriteOnce'],
])('law 11: %o is refused with what to do', (differently, says) => {
  expect(unsupportedReason({ ...GOOD, ...differently })).toContain(says);
});
