import { asHostVolumeId, type HostVolumeId } from '../../core/ids.ts';
import type { HostVolumes } from '../../core/ports/host-storage.ts';
import type { Rpcs } from '../../gen/csi-proxy/volume/v1.ts';
import type { Rpcs as ExtendedRpcs } from '../../gen/csi-proxy/volume/v2alpha1.ts';
import { type AnswerHalf, noAnswer, type RequestHalf, type VersionCodec } from './version-codec.ts';
import { diskNumber, int64Text, parseInt64, volumeId, volumeIds, wholeNumber } from './wire-values.ts';

interface WireVolume {
  readonly volume_id: string;
}

/** Halves that are the same in every version: requests that name only a volume, answers that do. */
export const ofVolume: RequestHalf<[HostVolumeId], WireVolume> = {
  encodeRequest: ([volume]) => ({ volume_id: volume }),
  decodeRequest: ({ volume_id }) => [asHostVolumeId(volume_id)],
};
export const answersVolume: AnswerHalf<HostVolumeId, WireVolume> = {
  encodeResponse: (volume) => ({ volume_id: volume }),
  decodeResponse: ({ volume_id }) => volumeId(volume_id),
};
export const answersVolumes: AnswerHalf<readonly HostVolumeId[], { readonly volume_ids: readonly string[] }> =
  {
    encodeResponse: (volumes) => ({ volume_ids: volumes }),
    decodeResponse: ({ volume_ids }) => volumeIds(volume_ids),
  };
export const answersFormatted: AnswerHalf<boolean, { readonly formatted: boolean }> = {
  encodeResponse: (formatted) => ({ formatted }),
  decodeResponse: ({ formatted }) => formatted,
};

interface WireTargetPath {
  readonly target_path: string;
}

const ofTargetPath: RequestHalf<[string], WireTargetPath> = {
  encodeRequest: ([targetPath]) => ({ target_path: targetPath }),
  decodeRequest: ({ target_path }) => [target_path],
};

const ofVolumeAndTargetPath: RequestHalf<[HostVolumeId, string], WireVolume & WireTargetPath> = {
  encodeRequest: ([volume, targetPath]) => ({ volume_id: volume, target_path: targetPath }),
  decodeRequest: ({ volume_id, target_path }) => [asHostVolumeId(volume_id), target_path],
};

/** Volume `v1` and `v1beta3`. */
export const volumeV1 = {
  listVolumesOnDisk: {
    rpc: 'ListVolumesOnDisk',
    encodeRequest: ([disk, partition]) => ({
      disk_number: diskNumber(disk),
      partition_number: wholeNumber(partition, 'the partition number'),
    }),
    decodeRequest: ({ disk_number, partition_number }) => [diskNumber(disk_number), partition_number],
    ...answersVolumes,
  },
  isVolumeFormatted: { rpc: 'IsVolumeFormatted', ...ofVolume, ...answersFormatted },
  formatVolume: { rpc: 'FormatVolume', ...ofVolume, ...noAnswer },
  mountVolume: { rpc: 'MountVolume', ...ofVolumeAndTargetPath, ...noAnswer },
  unmountVolume: { rpc: 'UnmountVolume', ...ofVolumeAndTargetPath, ...noAnswer },
  resizeVolume: {
    rpc: 'ResizeVolume',
    encodeRequest: ([volume, sizeBytes]) => ({
      volume_id: volume,
      size_bytes: int64Text(sizeBytes, 'the new size of the volume'),
    }),
    decodeRequest: ({ volume_id, size_bytes }) => [
      asHostVolumeId(volume_id),
      parseInt64(size_bytes, 'the new size of the volume'),
    ],
    ...noAnswer,
  },
  getVolumeStats: {
    rpc: 'GetVolumeStats',
    ...ofVolume,
    encodeResponse: ({ totalBytes, usedBytes }) => ({
      total_bytes: int64Text(totalBytes, 'the size of the volume'),
      used_bytes: int64Text(usedBytes, 'the used part of the volume'),
    }),
    decodeResponse: ({ total_bytes, used_bytes }) => ({
      totalBytes: parseInt64(total_bytes, 'the size of the volume'),
      usedBytes: parseInt64(used_bytes, 'the used part of the volume'),
    }),
  },
  getDiskNumberFromVolumeId: {
    rpc: 'GetDiskNumberFromVolumeID',
    ...ofVolume,
    encodeResponse: (disk) => ({ disk_number: diskNumber(disk) }),
    decodeResponse: ({ disk_number }) => diskNumber(disk_number),
  },
  getVolumeIdFromTargetPath: { rpc: 'GetVolumeIDFromTargetPath', ...ofTargetPath, ...answersVolume },
  writeVolumeCache: { rpc: 'WriteVolumeCache', ...ofVolume, ...noAnswer },
} as const satisfies VersionCodec<HostVolumes, Rpcs>;

/** Volume `v2alpha1`. */
export const volumeV2alpha1: VersionCodec<HostVolumes, ExtendedRpcs> = {
  ...volumeV1,
  getClosestVolumeIdFromTargetPath: {
    rpc: 'GetClosestVolumeIDFromTargetPath',
    ...ofTargetPath,
    ...answersVolume,
  },
};
