import type { HostDisks } from '../../core/ports/host-storage.ts';
import type { Rpcs } from '../../gen/csi-proxy/disk/v1alpha1.ts';
import { decodeLocation, encodeLocation } from './disk-v1.ts';
import { noAnswer, noArguments, type VersionCodec } from './version-codec.ts';
import { decodeByDisk, diskNumberText, encodeByDisk, parseDiskNumber } from './wire-values.ts';

/** What disk `v1alpha1`, `v1beta1` and `v1beta2` have in common: disks are decimal text. */
export const oldestDiskRpcs = {
  listDiskLocations: {
    rpc: 'ListDiskLocations',
    ...noArguments,
    encodeResponse: (locations) => ({ disk_locations: encodeByDisk(locations, encodeLocation) }),
    decodeResponse: ({ disk_locations }) => decodeByDisk(disk_locations, decodeLocation),
  },
  partitionDisk: {
    rpc: 'PartitionDisk',
    encodeRequest: ([disk]) => ({ diskID: diskNumberText(disk) }),
    decodeRequest: ({ diskID }) => [parseDiskNumber(diskID)],
    ...noAnswer,
  },
  rescan: { rpc: 'Rescan', ...noArguments, ...noAnswer },
} as const satisfies VersionCodec<HostDisks, Pick<Rpcs, 'ListDiskLocations' | 'PartitionDisk' | 'Rescan'>>;

/** Disk `v1alpha1`. */
export const diskV1alpha1: VersionCodec<HostDisks, Rpcs> = {
  ...oldestDiskRpcs,
  getDiskNumberByPage83: {
    rpc: 'GetDiskNumberByName',
    encodeRequest: ([page83]) => ({ disk_name: page83 }),
    decodeRequest: ({ disk_name }) => [disk_name],
    encodeResponse: (disk) => ({ disk_number: diskNumberText(disk) }),
    decodeResponse: ({ disk_number }) => parseDiskNumber(disk_number),
  },
};
