import { StorageError } from '../../core/errors.ts';
import { unsupportedReason, type AskedCapability } from '../../core/volume-capability.ts';
import type { VolumeCapability__Output } from '../../gen/csi/csi/v1/VolumeCapability.ts';

/** CSI's VolumeCapability in the driver's words; one that is not set asks for no access at all. */
function askedCapability(wire: VolumeCapability__Output | null): AskedCapability {
  return {
    access: wire?.access_type ?? 'missing',
    fsType: wire?.mount?.fs_type ?? '',
    mountFlags: wire?.mount?.mount_flags ?? [],
    volumeMountGroup: wire?.mount?.volume_mount_group ?? '',
    accessMode: wire?.access_mode?.mode ?? 'UNKNOWN',
  };
}

/** The capability of a request; `invalid-argument` when it cannot be honoured (law 11). */
export function requireSupportedCapability(wire: VolumeCapability__Output | null): AskedCapability {
  const asked = askedCapability(wire);
  const reason = unsupportedReason(asked);
  if (reason !== undefined) throw new StorageError('invalid-argument', reason);
  return asked;
}

/** The same for several. */
export function requireSupportedCapabilities(wire: readonly VolumeCapability__Output[]): void {
  for (const capability of wire) requireSupportedCapability(capability);
}

/** Why the first capability that cannot be honoured cannot; `undefined` when all can. */
export function firstUnsupported(wire: readonly VolumeCapability__Output[]): string | undefined {
  for (const capability of wire) {
    const reason = unsupportedReason(askedCapability(capability));
    if (reason !== undefined) return reason;
  }
  return undefined;
}
