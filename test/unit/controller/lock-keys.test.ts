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

  it.each([{ snapshot: { snapshot_id: 'snap-1' } }, { volume: { volume_id: 'vol-1' } }])(
    'CreateVolume from %j: not its source, which many may copy at a time',
    (volume_content_source) => {
      const keys = keysOf('CreateVolume', { name: 'data', volume_content_source });
      expect(keys).toStrictEqual([`controller/${volumeIdFor('data')}`]);
    },
  );

  it.each([
    'DeleteVolume',
    'ControllerPublishVolume',
    'ControllerUnpublishVolume',
    'ControllerExpandVolume',
  ] as const)('%s: its volume', (name) => {
    expect(keysOf(name, { volume_id: 'vol-1' })).toStrictEqual(['controller/vol-1']);
  });

  it('CreateSnapshot: the snapshot its name makes, and not its source', () => {
    expect(keysOf('CreateSnapshot', { name: 'nightly', source_volume_id: 'vol-1' })).toStrictEqual([
      `controller/${snapshotIdFor('nightly')}`,
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
});
