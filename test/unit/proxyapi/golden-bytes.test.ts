import { describe, expect, it } from '@jest/globals';
import { asDiskNumber, asHostVolumeId } from '../../../src/core/ids.ts';
import { ALL_PIPES, type ApiGroup } from '../../../src/proxyapi/api-versions.ts';
import { methodsOf, type WireMethod } from '../../support/proxy-codecs.ts';

/**
 * Messages as the original client and server put them on the wire, written by hand from the numbers of their fields
 * and not with our descriptors. `70` is the letter p, `43 3a 5c 61` is C:\a. The original leaves out a field with its
 * zero value, our encoder writes it; readers take both for the same, so `ours` is given where it differs.
 */
interface Golden {
  readonly group: ApiGroup;
  readonly versions: readonly string[];
  readonly method: string;
  readonly value: unknown;
  readonly bytes: string;
  readonly ours?: string;
}

const C_A = 'C:\\a';
const POD = 'C:\\var\\lib\\kubelet\\pods';
const POD_BYTES = '43 3a 5c 76 61 72 5c 6c 69 62 5c 6b 75 62 65 6c 65 74 5c 70 6f 64 73';
const disk7 = asDiskNumber(7);
const volume = asHostVolumeId('v');
const NEW_FILES = ['v2alpha1', 'v1', 'v1beta2'];
const OLD_FILES = ['v1beta1', 'v1alpha1'];
const NEW_DISKS = ['v1', 'v1beta3'];
const NEW_VOLUMES = ['v2alpha1', 'v1', 'v1beta3'];
const OLD_VOLUMES = ['v1beta2', 'v1beta1', 'v1alpha1'];

const requests: readonly Golden[] = [
  // force is field 2, and was 3 behind the context
  {
    group: 'filesystem',
    versions: NEW_FILES,
    method: 'rmdir',
    value: [C_A, true],
    bytes: '0a 04 43 3a 5c 61 10 01',
  },
  {
    group: 'filesystem',
    versions: OLD_FILES,
    method: 'rmdir',
    value: [C_A, true],
    bytes: '0a 04 43 3a 5c 61 18 01',
    ours: '0a 04 43 3a 5c 61 10 00 18 01',
  },
  {
    group: 'filesystem',
    versions: OLD_FILES,
    method: 'rmdir',
    value: [POD, true],
    bytes: `0a 17 ${POD_BYTES} 10 01 18 01`,
  },
  {
    group: 'filesystem',
    versions: OLD_FILES,
    method: 'mkdir',
    value: [POD],
    bytes: `0a 17 ${POD_BYTES} 10 01`,
  },
  {
    group: 'filesystem',
    versions: [...NEW_FILES, ...OLD_FILES],
    method: 'createSymlink',
    value: ['s', 't'],
    bytes: '0a 01 73 12 01 74',
  },
  // a disk is a varint, and was text
  { group: 'disk', versions: NEW_DISKS, method: 'partitionDisk', value: [disk7], bytes: '08 07' },
  {
    group: 'disk',
    versions: ['v1beta2', 'v1beta1', 'v1alpha1'],
    method: 'partitionDisk',
    value: [disk7],
    bytes: '0a 01 37',
  },
  { group: 'disk', versions: NEW_DISKS, method: 'setDiskState', value: [disk7, true], bytes: '08 07 10 01' },
  {
    group: 'disk',
    versions: ['v1beta2'],
    method: 'setDiskState',
    value: [disk7, true],
    bytes: '0a 01 37 10 01',
  },
  { group: 'disk', versions: ['v1alpha1'], method: 'getDiskNumberByPage83', value: ['p'], bytes: '0a 01 70' },
  {
    group: 'volume',
    versions: NEW_VOLUMES,
    method: 'listVolumesOnDisk',
    value: [disk7, 2],
    bytes: '08 07 10 02',
  },
  {
    group: 'volume',
    versions: OLD_VOLUMES,
    method: 'listVolumesOnDisk',
    value: [disk7, 0],
    bytes: '0a 01 37',
  },
  {
    group: 'volume',
    versions: [...NEW_VOLUMES, ...OLD_VOLUMES],
    method: 'unmountVolume',
    value: [volume, 't'],
    bytes: '0a 01 76 12 01 74',
  },
  {
    group: 'volume',
    versions: [...NEW_VOLUMES, ...OLD_VOLUMES],
    method: 'resizeVolume',
    value: [volume, 300n],
    bytes: '0a 01 76 10 ac 02',
  },
  {
    group: 'iscsi',
    versions: ['v1alpha2', 'v1alpha1'],
    method: 'connectTarget',
    value: [{ address: 'a', port: 3260 }, 'q', { type: 'mutual-chap', username: 'u', secret: 's' }],
    bytes: '0a 06 0a 01 61 10 bc 19 12 01 71 18 02 22 01 75 2a 01 73',
  },
  { group: 'iscsi', versions: ['v1alpha2'], method: 'setMutualChapSecret', value: ['s'], bytes: '0a 01 73' },
];

const VOLUME_ID = '\\\\?\\Volume{1}\\';
const VOLUME_ID_BYTES = '5c 5c 3f 5c 56 6f 6c 75 6d 65 7b 31 7d 5c';

const responses: readonly Golden[] = [
  // exists and is_symlink are field 1, and were 2 behind the error
  { group: 'filesystem', versions: NEW_FILES, method: 'pathExists', value: true, bytes: '08 01' },
  {
    group: 'filesystem',
    versions: OLD_FILES,
    method: 'pathExists',
    value: true,
    bytes: '10 01',
    ours: '0a 00 10 01',
  },
  {
    group: 'filesystem',
    versions: OLD_FILES,
    method: 'pathExists',
    value: false,
    bytes: '',
    ours: '0a 00 10 00',
  },
  { group: 'filesystem', versions: NEW_FILES, method: 'isSymlink', value: true, bytes: '08 01' },
  {
    group: 'filesystem',
    versions: OLD_FILES,
    method: 'isSymlink',
    value: true,
    bytes: '10 01',
    ours: '0a 00 10 01',
  },
  {
    group: 'disk',
    versions: NEW_DISKS,
    method: 'listDiskIds',
    value: new Map([[disk7, { page83: 'p', serialNumber: 's' }]]),
    bytes: '0a 0a 08 07 12 06 0a 01 70 12 01 73',
  },
  {
    group: 'disk',
    versions: ['v1beta2', 'v1beta1'],
    method: 'listDiskIds',
    value: new Map([[disk7, { page83: 'p', serialNumber: 's' }]]),
    bytes:
      '0a 25 0a 01 37 12 20 0a 0b 0a 06 70 61 67 65 38 33 12 01 70 0a 11 0a 0c 73 65 72 69 61 6c 4e 75 6d 62 65 72 12 01 73',
  },
  {
    group: 'disk',
    versions: ['v1beta2', 'v1beta1', 'v1alpha1'],
    method: 'listDiskLocations',
    value: new Map([[disk7, { adapter: '0', bus: '1', target: '2', lun: '3' }]]),
    bytes: '0a 11 0a 01 37 12 0c 0a 01 30 12 01 31 1a 01 32 22 01 33',
  },
  {
    group: 'disk',
    versions: ['v1', 'v1beta3', 'v1beta2', 'v1beta1'],
    method: 'getDiskStats',
    value: { totalBytes: 1n << 40n },
    bytes: '08 80 80 80 80 80 20',
  },
  {
    group: 'disk',
    versions: ['v1', 'v1beta3', 'v1beta2'],
    method: 'getDiskState',
    value: { online: true },
    bytes: '08 01',
  },
  { group: 'disk', versions: ['v1alpha1'], method: 'getDiskNumberByPage83', value: disk7, bytes: '0a 01 37' },
  {
    group: 'volume',
    versions: [...NEW_VOLUMES, 'v1beta2', 'v1beta1'],
    method: 'getVolumeStats',
    value: { totalBytes: 300n, usedBytes: 1n },
    bytes: '08 ac 02 10 01',
  },
  {
    group: 'volume',
    versions: [...NEW_VOLUMES, 'v1beta2', 'v1beta1'],
    method: 'getDiskNumberFromVolumeId',
    value: disk7,
    bytes: '08 07',
  },
  {
    group: 'volume',
    versions: [...NEW_VOLUMES, ...OLD_VOLUMES],
    method: 'listVolumesOnDisk',
    value: [asHostVolumeId(VOLUME_ID)],
    bytes: `0a 0e ${VOLUME_ID_BYTES}`,
  },
  {
    group: 'system',
    versions: ['v1alpha1'],
    method: 'getService',
    value: { displayName: 'p', startType: 'manual', status: 'running' },
    bytes: '0a 01 70 10 03 18 04',
  },
];

interface Row extends WireMethod {
  readonly title: string;
  readonly value: unknown;
  readonly golden: Buffer;
  readonly ours: Buffer;
}

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

const rowsOf = (goldens: readonly Golden[]): Row[] =>
  goldens.flatMap(({ group, versions, method, value, bytes, ours = bytes }) =>
    versions.map((version) => {
      const pipe = ALL_PIPES.find((known) => known.group === group && known.version === version);
      const found = pipe && methodsOf(pipe).find((candidate) => candidate.method === method);
      if (found === undefined) throw new Error(`${group} ${version} cannot ${method}`);
      return {
        ...found,
        title: `${group} ${version} ${found.codec.rpc}: ${bytes}`,
        value,
        golden: hex(bytes),
        ours: hex(ours),
      };
    }),
  );

describe('requests', () => {
  it.each(rowsOf(requests))('$title', ({ codec, wire, value, golden, ours }) => {
    expect(codec.decodeRequest(wire.requestDeserialize(golden) as object)).toEqual(value);
    expect(wire.requestSerialize(codec.encodeRequest(value as unknown[]))).toEqual(ours);
  });
});

describe('responses', () => {
  it.each(rowsOf(responses))('$title', ({ codec, wire, value, golden, ours }) => {
    expect(codec.decodeResponse(wire.responseDeserialize(golden) as object)).toEqual(value);
    expect(wire.responseSerialize(codec.encodeResponse(value))).toEqual(ours);
  });
});
