import { StorageError } from '../../core/errors.ts';
import { asHostVolumeId, type DiskNumber, type HostVolumeId } from '../../core/ids.ts';
import type { HostVolumes } from '../../core/ports/host-storage.ts';
import type { Rpcs as RpcsAlpha1 } from '../../gen/csi-proxy/volume/v1alpha1.ts';
import type { Rpcs as RpcsBeta1 } from '../../gen/csi-proxy/volume/v1beta1.ts';
import type { Rpcs } from '../../gen/csi-proxy/volume/v1beta2.ts';
import { noAnswer, type RequestHalf, type VersionCodec } from './version-codec.ts';
import { answersFormatted, answersVolume, answersVolumes, ofVolume } from './volume-v1.ts';
import { diskNumberText, int64Text, parseDiskNumber, parseInt64 } from './wire-values.ts';

const ofVolumeAndPath: RequestHalf<
  [HostVolumeId, string],
  { readonly volume_id: string; readonly path: string }
> = {
  encodeRequest: ([volume, path]) => ({ volume_id: volume, path }),
  decodeRequest: ({ volume_id, path }) => [asHostVolumeId(volume_id), path],
};

/** Volume `v1alpha1`. */
export const volumeV1alpha1 = {
  listVolumesOnDisk: {
    rpc: 'ListVolumesOnDisk',
    encodeRequest: ([disk, partition]) => ({ disk_id: diskOfAllPartitions(disk, partition) }),
    decodeRequest: ({ disk_id }) => [parseDiskNumber(disk_id), 0],
    ...answersVolumes,
  },
  isVolumeFormatted: { rpc: 'IsVolumeFormatted', ...ofVolume, ...answersFormatted },
  formatVolume: { rpc: 'FormatVolume', ...ofVolume, ...noAnswer },
  mountVolume: { rpc: 'MountVolume', ...ofVolumeAndPath, ...noAnswer },
  unmountVolume: { rpc: 'DismountVolume', ...ofVolumeAndPath, ...noAnswer },
  resizeVolume: {
    rpc: 'ResizeVolume',
    encodeRequest: ([volume, sizeBytes]) => ({
      volume_id: volume,
      size: int64Text(sizeBytes, 'the new size of the volume'),
    }),
    decodeRequest: ({ volume_id, size }) => [
      asHostVolumeId(volume_id),
      parseInt64(size, 'the new size of the volume'),
    ],
    ...noAnswer,
  },
} as const satisfies VersionCodec<HostVolumes, RpcsAlpha1>;

/** Volume `v1beta1`. */
export const volumeV1beta1 = {
  ...volumeV1alpha1,
  getVolumeStats: {
    rpc: 'VolumeStats',
    ...ofVolume,
    encodeResponse: ({ totalBytes, usedBytes }) => ({
      volumeSize: int64Text(totalBytes, 'the size of the volume'),
      volumeUsedSize: int64Text(usedBytes, 'the used part of the volume'),
    }),
    decodeResponse: ({ volumeSize, volumeUsedSize }) => ({
      totalBytes: parseInt64(volumeSize, 'the size of the volume'),
      usedBytes: parseInt64(volumeUsedSize, 'the used part of the volume'),
    }),
  },
  getDiskNumberFromVolumeId: {
    rpc: 'GetVolumeDiskNumber',
    ...ofVolume,
    encodeResponse: (disk) => ({ diskNumber: diskNumberText(disk) }),
    decodeResponse: ({ diskNumber }) => parseDiskNumber(diskNumber),
  },
  getVolumeIdFromTargetPath: {
    rpc: 'GetVolumeIDFromMount',
    encodeRequest: ([targetPath]) => ({ mount: targetPath }),
    decodeRequest: ({ mount }) => [mount],
    ...answersVolume,
  },
} as const satisfies VersionCodec<HostVolumes, RpcsBeta1>;

/** Volume `v1beta2`. */
export const volumeV1beta2: VersionCodec<HostVolumes, Rpcs> = {
  ...volumeV1beta1,
  writeVolumeCache: { rpc: 'WriteVolumeCache', ...ofVolume, ...noAnswer },
};

function diskOfAllPartitions(disk: DiskNumber, partition: number): string {
  if (partition === 0) return diskNumberText(disk);
  throw new StorageError(
    'unimplemented',
    `cannot list the volumes of partition ${partition} of disk ${disk}: CSI Proxy before volume v1beta3 lists only whole disks`,
  );
}
