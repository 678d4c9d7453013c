import type { AskedCapability } from '../../core/volume-capability.ts';
import type { VolumeCapability__Output } from '../../gen/csi/csi/v1/VolumeCapability.ts';

/** CSI's VolumeCapability in the driver's words; `undefined` when the field is not set. */
export function askedCapability(wire: VolumeCapability__Output | null): AskedCapability | undefined {
  if (wire === null) return undefined;
  return {
    access: wire.access_type ?? 'missing',
    fsType: wire.mount?.fs_type ?? '',
    mountFlags: wire.mount?.mount_flags ?? [],
    volumeMountGroup: wire.mount?.volume_mount_group ?? '',
    accessMode: wire.access_mode?.mode ?? 'UNKNOWN',
  };
}
