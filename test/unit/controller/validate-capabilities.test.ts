import { beforeEach, describe, expect, it } from '@jest/globals';
import { volumeIdFor } from '../../../src/core/ids.ts';
import type { ValidateVolumeCapabilitiesRequest } from '../../../src/gen/csi/csi/v1/ValidateVolumeCapabilitiesRequest.ts';
import { loadCsiApi } from '../../../src/rpc/csi-api.ts';
import { controllerWorld, type ControllerWorld, makeVolume, MOUNT } from '../../support/controller-world.ts';

const api = loadCsiApi();

describe('ValidateVolumeCapabilities', () => {
  let world: ControllerWorld;
  beforeEach(async () => {
    world = controllerWorld(api);
    await makeVolume(world, 'data', { parameters: { 'csi.storage.k8s.io/fstype': 'ntfs' } });
  });

  const validate = (differently: ValidateVolumeCapabilitiesRequest) =>
    world.call('ValidateVolumeCapabilities', {
      volume_id: volumeIdFor('data'),
      volume_capabilities: [MOUNT],
      ...differently,
    });

  it('confirms what was asked, all of it', async () => {
    const volume_context = { 'storage.kubernetes.io/csiProvisionerIdentity': '1-ntfs.csi.io' };
    const parameters = { 'csi.storage.k8s.io/fstype': 'ntfs' };
    const { confirmed, message } = await validate({ volume_context, parameters });
    expect(message).toBe('');
    expect(confirmed).toMatchObject({ volume_context, parameters, volume_capabilities: [MOUNT] });
  });

  it.each<[string, ValidateVolumeCapabilitiesRequest, string]>([
    ['block access', { volume_capabilities: [MOUNT, { ...MOUNT, mount: null, block: {} }] }, 'block access'],
    ['another context', { volume_context: { lun: '7' } }, 'volume_context has the key "lun"'],
    ['an unknown parameter', { parameters: { tier: 'cold' } }, 'unknown parameter "tier"'],
    ['mutable parameters', { mutable_parameters: { iops: '1' } }, 'mutable parameter "iops"'],
  ])('confirms nothing and says why: %s', async (_what, differently, says) => {
    const { confirmed, message } = await validate(differently);
    expect(confirmed).toBeNull();
    expect(message).toContain(says);
  });
});
