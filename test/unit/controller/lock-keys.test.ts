import { describe, expect, it } from '@jest/globals';
import { snapshotIdFor, volumeIdFor } from '../../../src/core/ids.ts';
import type { ControllerDefinition } from '../../../src/gen/csi/csi/v1/Controller.ts';
import { loadCsiApi } from '../../../src/rpc/csi-api.ts';
import type { RpcOf } from '../../../src/rpc/csi-client.ts';
import { controllerWorld } from '../../support/controller-world.ts';
import { type RequestOf, wireRequest } from '../../support/wire-caller.ts';

const api = loadCsiApi();
const { service } = controllerWorld(api);

function keysOf<Name extends RpcOf<ControllerDefinition>>(
  name: Name,
  request: RequestOf<ControllerDefinition[Name]>,
): readonly string[] | undefined {
  return service.lockKeys[name]?.(wireRequest(api, 'Controller', name, request));
}

describe('law 6: what a controller call locks', () => {
  it('CreateVolume: the volume its name makes', () => {
    expect(keysOf('CreateVolume', { name: 'data' })).toStrictEqual([`controller/${volumeIdFor('data')}`]);
  });

  it('CreateVolume from a source: the source too', () => {
    const ours = `controller/${volumeIdFor('data')}`;
    const snapshot = { snapshot: { snapshot_id: 'snap-1' } };
    const volume = { volume: { volume_id: 'vol-1' } };
    expect(keysOf('CreateVolume', { name: 'data', volume_content_source: snapshot })).toStrictEqual([
      ours,
      'controller/snap-1',
    ]);
    expect(keysOf('CreateVolume', { name: 'data', volume_content_source: volume })).toStrictEqual([
      ours,
      'controller/vol-1',
    ]);
  });

  it.each([
    'DeleteVolume',
    'ControllerPublishVolume',
    'ControllerUnpublishVolume',
    'ControllerExpandVolume',
  ] as const)('%s: its volume', (name) => {
    expect(keysOf(name, { volume_id: 'vol-1' })).toStrictEqual(['controller/vol-1']);
  });

  it('CreateSnapshot: the snapshot its name makes, and the source', () => {
    expect(keysOf('CreateSnapshot', { name: 'nightly', source_volume_id: 'vol-1' })).toStrictEqual([
      `controller/${snapshotIdFor('nightly')}`,
      'controller/vol-1',
    ]);
  });

  it('DeleteSnapshot: its snapshot', () => {
    expect(keysOf('DeleteSnapshot', { snapshot_id: 'snap-1' })).toStrictEqual(['controller/snap-1']);
  });

  it.each([
    'ListVolumes',
    'ListSnapshots',
    'ControllerGetVolume',
    'GetSnapshot',
    'GetCapacity',
    'ValidateVolumeCapabilities',
    'ControllerGetCapabilities',
  ] as const)('%s reads and locks nothing', (name) => {
    expect(keysOf(name, {})).toBeUndefined();
  });

  it.each(['CreateVolume', 'CreateSnapshot', 'DeleteVolume', 'DeleteSnapshot'] as const)(
    '%s without its fields locks nothing',
    (name) => {
      expect(keysOf(name, {})).toStrictEqual([]);
    },
  );
});
