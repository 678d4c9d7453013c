import type { DiskIds, DiskLocation, HostDisks } from '../../core/ports/host-storage.ts';
import type { DiskIDs, DiskLocation as WireLocation, Rpcs } from '../../gen/csi-proxy/disk/v1.ts';
import { noAnswer, noArguments, type VersionCodec } from './version-codec.ts';
import { decodeByDisk, diskNumber, encodeByDisk, int64Text, parseInt64 } from './wire-values.ts';

/** Disk `v1` and `v1beta3`. */
export const diskV1: VersionCodec<HostDisks, Rpcs> = {
  listDiskLocations: {
    rpc: 'ListDiskLocations',
    ...noArguments,
    encodeResponse: (locations) => ({ disk_locations: encodeByDisk(locations, encodeLocation) }),
    decodeResponse: ({ disk_locations }) => decodeByDisk(disk_locations, decodeLocation),
  },
  partitionDisk: {
    rpc: 'PartitionDisk',
    encodeRequest: ([disk]) => ({ disk_number: diskNumber(disk) }),
    decodeRequest: ({ disk_number }) => [diskNumber(disk_number)],
    ...noAnswer,
  },
  rescan: { rpc: 'Rescan', ...noArguments, ...noAnswer },
  listDiskIds: {
    rpc: 'ListDiskIDs',
    ...noArguments,
    encodeResponse: (ids) => ({ diskIDs: encodeByDisk(ids, encodeIds) }),
    decodeResponse: ({ diskIDs }) => decodeByDisk(diskIDs, decodeIds),
  },
  getDiskStats: {
    rpc: 'GetDiskStats',
    encodeRequest: ([disk]) => ({ disk_number: diskNumber(disk) }),
    decodeRequest: ({ disk_number }) => [diskNumber(disk_number)],
    encodeResponse: ({ totalBytes }) => ({ total_bytes: int64Text(totalBytes, 'the size of the disk') }),
    decodeResponse: ({ total_bytes }) => ({ totalBytes: parseInt64(total_bytes, 'the size of the disk') }),
  },
  setDiskState: {
    rpc: 'SetDiskState',
    encodeRequest: ([disk, online]) => ({ disk_number: diskNumber(disk), is_online: online }),
    decodeRequest: ({ disk_number, is_online }) => [diskNumber(disk_number), is_online],
    ...noAnswer,
  },
  getDiskState: {
    rpc: 'GetDiskState',
    encodeRequest: ([disk]) => ({ disk_number: diskNumber(disk) }),
    decodeRequest: ({ disk_number }) => [diskNumber(disk_number)],
    encodeResponse: ({ online }) => ({ is_online: online }),
    decodeResponse: ({ is_online }) => ({ online: is_online }),
  },
};

/** The same in every version. */
export const encodeLocation = ({ adapter, bus, target, lun }: DiskLocation): WireLocation => ({
  Adapter: adapter,
  Bus: bus,
  Target: target,
  LUNID: lun,
});
export const decodeLocation = ({ Adapter, Bus, Target, LUNID }: WireLocation): DiskLocation => ({
  adapter: Adapter,
  bus: Bus,
  target: Target,
  lun: LUNID,
});

const encodeIds = ({ page83, serialNumber }: DiskIds): DiskIDs => ({ page83, serial_number: serialNumber });
const decodeIds = ({ page83, serial_number }: DiskIDs): DiskIds => ({ page83, serialNumber: serial_number });
