import { describe, expect, it } from '@jest/globals';
import {
  decodeAttachedDisk,
  decodeKnownPool,
  decodeNodeRecord,
  encodeAttachedDisk,
  encodeKnownPool,
  encodeNodeRecord,
  nodeFolderName,
} from '../../../src/core/attach-folder.ts';

const DISK = {
  volumeId: 'vol-1',
  imagePath: '/pool/vol-1/disk.img',
  serialNumber: '5f2c',
  page83: 'naa.6001',
};
const NODE = { nodeId: 'node-a', maxVolumes: 16 };
const onDisk = (record: unknown): unknown => JSON.parse(JSON.stringify(record));

describe('records of an attach folder', () => {
  it('survive being written and read', () => {
    expect(decodeAttachedDisk(onDisk(encodeAttachedDisk(DISK)))).toStrictEqual(DISK);
    expect(decodeNodeRecord(onDisk(encodeNodeRecord(NODE)))).toStrictEqual(NODE);
    expect(decodeKnownPool(onDisk(encodeKnownPool({ poolId: 'p' })))).toStrictEqual({ poolId: 'p' });
  });

  it.each([
    ['nothing', undefined, 'not an object'],
    ['null', null, 'not an object'],
    ['a text', 'disk', 'not an object'],
    ['another schema', { ...DISK, schema: 2 }, 'schema is 2'],
    ['no schema', DISK, 'schema is undefined'],
    ['no serial', { ...DISK, schema: 1, serialNumber: undefined }, 'serialNumber is missing'],
    ['an empty path', { ...DISK, schema: 1, imagePath: '' }, 'imagePath is missing'],
    ['a volume id that is a number', { ...DISK, schema: 1, volumeId: 7 }, 'volumeId is missing'],
  ])('law 8: a disk record that is %s is reported, never guessed', (_what, record, says) => {
    expect(() => decodeAttachedDisk(record)).toThrow(
      expect.objectContaining({ code: 'data-loss', message: expect.stringContaining(says) }),
    );
  });

  it.each([
    ['without a node id', { ...NODE, schema: 1, nodeId: '' }, 'nodeId is missing'],
    ['with a limit in words', { ...NODE, schema: 1, maxVolumes: 'many' }, 'maxVolumes is not a number'],
    ['of another schema', { ...NODE, schema: 0 }, 'schema is 0'],
  ])('law 8: a node record %s is reported, never guessed', (_what, record, says) => {
    expect(() => decodeNodeRecord(record)).toThrow(
      expect.objectContaining({ code: 'data-loss', message: expect.stringContaining(says) }),
    );
  });
});

describe('nodeFolderName', () => {
  it.each(['node-a', 'win-7.example.org', 'a', '10.0.0.1'])('is the node id %s itself', (nodeId) => {
    expect(nodeFolderName(nodeId)).toBe(nodeId);
  });

  it.each([
    '..',
    '.',
    '../../etc',
    'a/b',
    'a\\b',
    'C:',
    'Node-A',
    'ö',
    'node.',
    ' ',
    'x'.repeat(64),
    'a\0b',
    'pool.json',
  ])('is a hash for %j, which is no safe name or taken', (nodeId) => {
    expect(nodeFolderName(nodeId)).toMatch(/^node-[0-9a-f]{32}$/);
  });

  it('differs for ids that differ only in case', () => {
    expect(nodeFolderName('Node-A')).not.toBe(nodeFolderName('node-a'));
  });
});
