import type { HostCapabilities } from '../../src/core/ports/host-storage.ts';

const ALL: HostCapabilities = {
  kind: 'memory',
  diskIds: true,
  diskState: true,
  volumeStats: true,
  targetPathLookup: true,
  localStat: false,
};

const OLD_DISK = { diskIds: false, diskState: false };
const OLD_VOLUME = { volumeStats: false, targetPathLookup: false };

/** What a host can do behind a CSI Proxy with these versions. Each group is negotiated on its own, so they mix. */
export const HOST_PRESETS = {
  v1: ALL,
  v1beta2: ALL,
  v1beta1: { ...ALL, diskState: false },
  v1alpha1: { ...ALL, ...OLD_DISK, ...OLD_VOLUME },
  'disk v1, volume v1alpha1': { ...ALL, ...OLD_VOLUME },
  'disk v1alpha1, volume v1': { ...ALL, ...OLD_DISK },
} as const satisfies Readonly<Record<string, HostCapabilities>>;

export type HostPreset = keyof typeof HOST_PRESETS;
export const PRESET_NAMES = Object.keys(HOST_PRESETS) as readonly HostPreset[];

/** For each thing a host may not be able to do, the methods that are then not there. */
const METHODS = {
  diskIds: ['listDiskIds', 'getDiskStats'],
  diskState: ['setDiskState', 'getDiskState'],
  volumeStats: ['getVolumeStats'],
  targetPathLookup: [
    'getVolumeIdFromTargetPath',
    'getClosestVolumeIdFromTargetPath',
    'getDiskNumberFromVolumeId',
  ],
} as const satisfies Partial<Record<keyof HostCapabilities, readonly string[]>>;

/** Whether a host that can do just this lacks a method. */
export function isAbsent(method: string, features: HostCapabilities): boolean {
  return (Object.keys(METHODS) as (keyof typeof METHODS)[]).some(
    (capability) => !features[capability] && METHODS[capability].some((name) => name === method),
  );
}
