import { beforeEach, describe, expect, it } from '@jest/globals';
import { StorageError, type StorageErrorCode } from '../../../src/core/errors.ts';
import { snapshotIdFor, volumeIdFor } from '../../../src/core/ids.ts';
import type { ControllerDefinition } from '../../../src/gen/csi/csi/v1/Controller.ts';
import type { VolumeCapability } from '../../../src/gen/csi/csi/v1/VolumeCapability.ts';
import { loadCsiApi } from '../../../src/rpc/csi-api.ts';
import type { RpcOf } from '../../../src/rpc/csi-client.ts';
import {
  controllerWorld,
  type ControllerWorld,
  createRequest,
  makeSnapshot,
  makeVolume,
  MOUNT,
  NODE_A,
  NODE_B,
  stateOf,
} from '../../support/controller-world.ts';
import type { RequestOf } from '../../support/wire-caller.ts';

const api = loadCsiApi();

const MIB = 1024 ** 2;
/** Detached, 1 GiB. */
const FREE = volumeIdFor('free');
/** Attached to node-a. */
const ATTACHED = volumeIdFor('attached');
const SNAPSHOT = snapshotIdFor('snapshot-of-free');
/** Well-formed, of nothing. */
const GONE_VOLUME = volumeIdFor('gone');
const GONE_SNAPSHOT = snapshotIdFor('gone');

const BLOCK: VolumeCapability = { block: {}, access_mode: { mode: 'SINGLE_NODE_WRITER' } };
const EXT4: VolumeCapability = { mount: { fs_type: 'ext4' }, access_mode: { mode: 'SINGLE_NODE_WRITER' } };
const NO_ACCESS_TYPE: VolumeCapability = { access_mode: { mode: 'SINGLE_NODE_WRITER' } };
const FLAGS: VolumeCapability = {
  mount: { mount_flags: ['noatime'] },
  access_mode: { mode: 'SINGLE_NODE_WRITER' },
};
const GROUP: VolumeCapability = {
  mount: { volume_mount_group: '1000' },
  access_mode: { mode: 'SINGLE_NODE_WRITER' },
};
const MANY_NODES: VolumeCapability = { mount: {}, access_mode: { mode: 'MULTI_NODE_MULTI_WRITER' } };
const NO_MODE: VolumeCapability = { mount: {} };

type Rpc = RpcOf<ControllerDefinition>;
interface Row<Name extends Rpc = Rpc> {
  readonly id: string;
  readonly rpc: Name;
  readonly request: RequestOf<ControllerDefinition[Name]>;
  readonly code: StorageErrorCode;
  readonly says: string;
}

/** The rows of one RPC, with requests of its type. */
const rows = <Name extends Rpc>(
  rpc: Name,
  list: Readonly<
    Record<string, readonly [RequestOf<ControllerDefinition[Name]>, StorageErrorCode, says: string]>
  >,
): Row[] =>
  Object.entries(list).map(([id, [request, code, says]]) => ({
    id: `${rpc}: ${id}`,
    rpc,
    request,
    code,
    says,
  }));

const sized = (required_bytes: number | string, limit_bytes: number | string) => ({
  capacity_range: { required_bytes, limit_bytes },
});
const capable = (capability: VolumeCapability) => ({ volume_capabilities: [capability] });
const from = (volume_content_source: object) => ({ volume_content_source });

const createVolume = rows('CreateVolume', {
  'no name': [createRequest(''), 'invalid-argument', 'name is missing'],
  'no capabilities': [
    createRequest('new', { volume_capabilities: [] }),
    'invalid-argument',
    'volume_capabilities is missing',
  ],
  'law 11: block access': [
    createRequest('new', capable(BLOCK)),
    'invalid-argument',
    'volumeMode: Filesystem',
  ],
  'law 11: ext4': [createRequest('new', capable(EXT4)), 'invalid-argument', 'only ntfs'],
  'no access type': [
    createRequest('new', capable(NO_ACCESS_TYPE)),
    'invalid-argument',
    'access_type is missing',
  ],
  'no access mode': [createRequest('new', capable(NO_MODE)), 'invalid-argument', 'access_mode is missing'],
  'law 11: mount flags': [createRequest('new', capable(FLAGS)), 'invalid-argument', 'noatime'],
  'law 11: mount group': [createRequest('new', capable(GROUP)), 'invalid-argument', 'volume_mount_group'],
  'law 11: many nodes': [createRequest('new', capable(MANY_NODES)), 'invalid-argument', 'ReadWriteOnce'],
  'one bad capability among good ones': [
    createRequest('new', { volume_capabilities: [MOUNT, BLOCK] }),
    'invalid-argument',
    'block access',
  ],
  'law 11: unknown parameter': [
    createRequest('new', { parameters: { compression: 'lz4' } }),
    'invalid-argument',
    'unknown parameter "compression" (known: csi.storage.k8s.io/fstype)',
  ],
  'law 11: parameter fstype ext4': [
    createRequest('new', { parameters: { 'csi.storage.k8s.io/fstype': 'ext4' } }),
    'invalid-argument',
    'csi.storage.k8s.io/fstype is "ext4"',
  ],
  'law 11: mutable parameters': [
    createRequest('new', { mutable_parameters: { iops: '100' } }),
    'invalid-argument',
    'iops',
  ],
  'negative size': [createRequest('new', sized(-1, 0)), 'invalid-argument', 'negative'],
  'limit below required': [
    createRequest('new', sized(100 * MIB, 99 * MIB)),
    'invalid-argument',
    'above limit_bytes',
  ],
  'limit below minimum': [createRequest('new', sized(0, 10 * MIB)), 'out-of-range', 'minimum'],
  'no multiple of the step in range': [
    createRequest('new', sized(100 * MIB + 1, 100 * MIB + 2)),
    'out-of-range',
    'steps of 1048576',
  ],
  'larger than int64 after rounding': [
    createRequest('new', sized('9223372036854775807', 0)),
    'out-of-range',
    'correct capacity_range',
  ],
  'larger than the pool': [
    createRequest('new', sized('1152921504606846976', 0)),
    'resource-exhausted',
    'available',
  ],
  'source without type': [createRequest('new', from({})), 'invalid-argument', 'volume_content_source.type'],
  'source snapshot without id': [
    createRequest('new', from({ snapshot: {} })),
    'invalid-argument',
    'snapshot_id is missing',
  ],
  'source volume without id': [
    createRequest('new', from({ volume: {} })),
    'invalid-argument',
    'volume_id is missing',
  ],
  'source snapshot unknown': [
    createRequest('new', from({ snapshot: { snapshot_id: GONE_SNAPSHOT } })),
    'not-found',
    GONE_SNAPSHOT,
  ],
  'source snapshot of another kind of id': [
    createRequest('new', from({ snapshot: { snapshot_id: '../../etc/passwd' } })),
    'not-found',
    '../../etc/passwd',
  ],
  'source volume unknown': [
    createRequest('new', from({ volume: { volume_id: GONE_VOLUME } })),
    'not-found',
    GONE_VOLUME,
  ],
  'source volume is a path': [
    createRequest('new', from({ volume: { volume_id: '../free' } })),
    'not-found',
    '../free',
  ],
  'limit below the source': [
    createRequest('new', { ...from({ volume: { volume_id: FREE } }), ...sized(0, 512 * MIB) }),
    'out-of-range',
    'source',
  ],
  'place that is not ours': [
    createRequest('new', {
      accessibility_requirements: { requisite: [{ segments: { 'topology.ntfs.csi.io/zone': 'mars' } }] },
    }),
    'resource-exhausted',
    'topology.ntfs.csi.io/zone=mars',
  ],
  'name taken by another size': [
    createRequest('free', sized(2048 * MIB, 2048 * MIB)),
    'already-exists',
    `exists with ${1024 * MIB} bytes`,
  ],
  'name taken by another source': [
    createRequest('free', from({ snapshot: { snapshot_id: SNAPSHOT } })),
    'already-exists',
    'content source is none',
  ],
});

const publish = (differently: RequestOf<ControllerDefinition['ControllerPublishVolume']>) => ({
  volume_id: FREE,
  node_id: NODE_B,
  volume_capability: MOUNT,
  ...differently,
});

const publishing = [
  ...rows('ControllerPublishVolume', {
    'no volume id': [publish({ volume_id: '' }), 'invalid-argument', 'volume_id is missing'],
    'no node id': [publish({ node_id: '' }), 'invalid-argument', 'node_id is missing'],
    'no capability': [
      publish({ volume_capability: null }),
      'invalid-argument',
      'volume_capability is missing',
    ],
    'a missing field comes before an unknown volume': [
      publish({ volume_id: GONE_VOLUME, volume_capability: null }),
      'invalid-argument',
      'volume_capability is missing',
    ],
    'law 11: block access': [publish({ volume_capability: BLOCK }), 'invalid-argument', 'block access'],
    'law 11: many nodes': [publish({ volume_capability: MANY_NODES }), 'invalid-argument', 'ReadWriteOnce'],
    'law 11: read-only is refused': [publish({ readonly: true }), 'invalid-argument', 'read-only'],
    'unknown volume': [publish({ volume_id: GONE_VOLUME }), 'not-found', GONE_VOLUME],
    'volume id is a path': [publish({ volume_id: '../../etc' }), 'not-found', '../../etc'],
    'unknown node': [publish({ node_id: 'node-z' }), 'not-found', 'node-z'],
    'node id is a path': [publish({ node_id: '../node-a' }), 'not-found', '../node-a'],
    'attached to another node': [publish({ volume_id: ATTACHED }), 'failed-precondition', NODE_A],
  }),
  ...rows('ControllerUnpublishVolume', {
    'no volume id': [{ node_id: NODE_A }, 'invalid-argument', 'volume_id is missing'],
  }),
];

const expand = (differently: RequestOf<ControllerDefinition['ControllerExpandVolume']>) => ({
  volume_id: FREE,
  ...sized(2048 * MIB, 0),
  ...differently,
});

const changing = [
  ...rows('DeleteVolume', {
    'no volume id': [{}, 'invalid-argument', 'volume_id is missing'],
    attached: [{ volume_id: ATTACHED }, 'failed-precondition', NODE_A],
  }),
  ...rows('ControllerExpandVolume', {
    'no volume id': [expand({ volume_id: '' }), 'invalid-argument', 'volume_id is missing'],
    'no range': [expand({ capacity_range: null }), 'invalid-argument', 'capacity_range is missing'],
    'empty range': [expand(sized(0, 0)), 'invalid-argument', 'limit_bytes is missing'],
    'limit below required': [expand(sized(2048 * MIB, 2047 * MIB)), 'invalid-argument', 'above limit_bytes'],
    'law 11: block access': [expand({ volume_capability: BLOCK }), 'invalid-argument', 'block access'],
    'unknown volume': [expand({ volume_id: GONE_VOLUME }), 'not-found', GONE_VOLUME],
    'limit below the present size': [expand(sized(0, 512 * MIB)), 'out-of-range', 'present size'],
    'no multiple of the step in range': [
      expand(sized(2048 * MIB + 1, 2048 * MIB + 2)),
      'out-of-range',
      'steps of',
    ],
    'larger than the pool': [expand(sized('1152921504606846976', 0)), 'resource-exhausted', 'available'],
  }),
  ...rows('CreateSnapshot', {
    'no name': [{ source_volume_id: FREE }, 'invalid-argument', 'name is missing'],
    'no source': [{ name: 'new' }, 'invalid-argument', 'source_volume_id is missing'],
    'unknown source': [{ name: 'new', source_volume_id: GONE_VOLUME }, 'not-found', GONE_VOLUME],
    'source is a path': [{ name: 'new', source_volume_id: '../free' }, 'not-found', '../free'],
    'law 11: unknown parameter': [
      { name: 'new', source_volume_id: FREE, parameters: { tier: 'cold' } },
      'invalid-argument',
      'unknown parameter "tier" (known: none): remove it from the VolumeSnapshotClass',
    ],
    'name taken by another source': [
      { name: 'snapshot-of-free', source_volume_id: ATTACHED },
      'already-exists',
      'source volume',
    ],
  }),
  ...rows('DeleteSnapshot', { 'no snapshot id': [{}, 'invalid-argument', 'snapshot_id is missing'] }),
];

const reading = [
  ...rows('ValidateVolumeCapabilities', {
    'no volume id': [capable(MOUNT), 'invalid-argument', 'volume_id is missing'],
    'no capabilities': [{ volume_id: FREE }, 'invalid-argument', 'volume_capabilities is missing'],
    'unknown volume': [{ volume_id: GONE_VOLUME, ...capable(MOUNT) }, 'not-found', GONE_VOLUME],
  }),
  ...rows('ListVolumes', {
    'negative max_entries': [{ max_entries: -1 }, 'invalid-argument', 'max_entries is -1'],
    'token from nowhere': [{ starting_token: 'invalid-token' }, 'aborted', 'start again without a token'],
    'token is an id': [{ starting_token: FREE }, 'aborted', 'start again'],
  }),
  ...rows('ListSnapshots', {
    'negative max_entries': [{ max_entries: -1 }, 'invalid-argument', 'max_entries is -1'],
    'token from nowhere': [{ starting_token: 'invalid-token' }, 'aborted', 'listing of snapshots'],
  }),
  ...rows('GetCapacity', {
    'law 11: unknown parameter': [
      { parameters: { tier: 'cold' } },
      'invalid-argument',
      'unknown parameter "tier"',
    ],
  }),
  ...rows('ControllerGetVolume', {
    'no volume id': [{}, 'invalid-argument', 'volume_id is missing'],
    'unknown volume': [{ volume_id: GONE_VOLUME }, 'not-found', GONE_VOLUME],
    'volume id is a path': [{ volume_id: '../..' }, 'not-found', '../..'],
  }),
  ...rows('GetSnapshot', {
    'no snapshot id': [{}, 'invalid-argument', 'snapshot_id is missing'],
    'unknown snapshot': [{ snapshot_id: GONE_SNAPSHOT }, 'not-found', GONE_SNAPSHOT],
    'snapshot id is a path': [{ snapshot_id: '/etc' }, 'not-found', '/etc'],
  }),
];

const table: Row[] = [...createVolume, ...publishing, ...changing, ...reading];

describe('bad input', () => {
  let world: ControllerWorld;

  beforeEach(async () => {
    world = controllerWorld(api);
    await makeVolume(world, 'free');
    await makeVolume(world, 'attached');
    await world.call('ControllerPublishVolume', publish({ volume_id: ATTACHED, node_id: NODE_A }));
    await makeSnapshot(world, 'snapshot-of-free', FREE);
  });

  it.each(table)('$id → $code', async ({ rpc, request, code, says }) => {
    const before = await stateOf(world);
    const error = await world.call(rpc, request).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(StorageError);
    expect(error).toMatchObject({ code, message: expect.stringContaining(says) });
    expect(await stateOf(world)).toStrictEqual(before);
  });

  it('has rows for every RPC that takes a field', () => {
    const served = Object.keys(world.service.methods).filter((name) => name !== 'ControllerGetCapabilities');
    expect([...new Set<string>(table.map(({ rpc }) => rpc))].sort()).toStrictEqual(served.sort());
  });
});
