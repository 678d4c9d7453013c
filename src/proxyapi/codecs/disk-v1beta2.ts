import type { DiskIds, HostDisks } from '../../core/ports/host-storage.ts';
import type { Rpcs as RpcsBeta1 } from '../../gen/csi-proxy/disk/v1beta1.ts';
import type { DiskIDs, Rpcs } from '../../gen/csi-proxy/disk/v1beta2.ts';
import { oldestDiskRpcs } from './disk-v1alpha1.ts';
import { noAnswer, noArguments, type VersionCodec } from './version-codec.ts';
import {
  decodeByDisk,
  diskNumberText,
  encodeByDisk,
  int64Text,
  parseDiskNumber,
  parseInt64,
} from './wire-values.ts';

/** Disk `v1beta1`. */
export const diskV1beta1 = {
  ...oldestDiskRpcs,
  listDiskIds: {
    rpc: 'ListDiskIDs',
    ...noArguments,
    encodeResponse: (ids) => ({ diskIDs: encodeByDisk(ids, encodeIds) }),
    decodeResponse: ({ diskIDs }) => decodeByDisk(diskIDs, decodeIds),
  },
  getDiskStats: {
    rpc: 'DiskStats',
    encodeRequest: ([disk]) => ({ diskID: diskNumberText(disk) }),
    decodeRequest: ({ diskID }) => [parseDiskNumber(diskID)],
    encodeResponse: ({ totalBytes }) => ({ diskSize: int64Text(totalBytes, 'the size of the disk') }),
    decodeResponse: ({ diskSize }) => ({ totalBytes: parseInt64(diskSize, 'the size of the disk') }),
  },
} as const satisfies VersionCodec<HostDisks, RpcsBeta1>;

/** Disk `v1beta2`. */
export const diskV1beta2: VersionCodec<HostDisks, Rpcs> = {
  ...diskV1beta1,
  setDiskState: {
    rpc: 'SetAttachState',
    encodeRequest: ([disk, online]) => ({ diskID: diskNumberText(disk), isOnline: online }),
    decodeRequest: ({ diskID, isOnline }) => [parseDiskNumber(diskID), isOnline],
    ...noAnswer,
  },
  getDiskState: {
    rpc: 'GetAttachState',
    encodeRequest: ([disk]) => ({ diskID: diskNumberText(disk) }),
    decodeRequest: ({ diskID }) => [parseDiskNumber(diskID)],
    encodeResponse: ({ online }) => ({ isOnline: online }),
    decodeResponse: ({ isOnline }) => ({ online: isOnline }),
  },
};

/** Both keys are always there, as the original server has it; a reader takes a missing one for an empty one. */
const encodeIds = ({ page83, serialNumber }: DiskIds): DiskIDs => ({ identifiers: { page83, serialNumber } });
const decodeIds = ({ identifiers }: DiskIDs): DiskIds => ({
  page83: identifiers['page83'] ?? '',
  serialNumber: identifiers['serialNumber'] ?? '',
});
