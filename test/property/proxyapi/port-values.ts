import fc from 'fast-check';
import { asDiskNumber, asHostVolumeId, type DiskNumber, type HostVolumeId } from '../../../src/core/ids.ts';
import type {
  HostService,
  IscsiAuthentication,
  IscsiPortal,
  SmbMapping,
} from '../../../src/core/ports/host-storage.ts';
import type { ApiGroup } from '../../../src/proxyapi/api-versions.ts';
import type { ArgsOf, GroupPorts, ResultOf } from '../../../src/proxyapi/rpc-codec.ts';

/** Anything that a method of a port can be called with, and anything it can answer. */
interface MethodValues<Method> {
  readonly args: fc.Arbitrary<ArgsOf<Method>>;
  readonly result: fc.Arbitrary<ResultOf<Method>>;
}

const record = <Fields>(fields: {
  [Field in keyof Fields]: fc.Arbitrary<Fields[Field]>;
}): fc.Arbitrary<Fields> => fc.record(fields, { noNullPrototype: true });
const text = fc.string({ unit: 'grapheme', maxLength: 40 });
const path = fc.oneof(
  text,
  fc.constantFrom('C:\\var\\lib\\kubelet\\pods\\a\\mount', 'c:/var/lib/kubelet/plugins/x'),
);
const bool = fc.boolean();
const nothing = fc.constant(undefined);
const disk: fc.Arbitrary<DiskNumber> = fc
  .oneof(fc.nat(40), fc.integer({ min: 0, max: 2 ** 32 - 1 }), fc.constantFrom(0, 2 ** 31, 2 ** 32 - 1))
  .map(asDiskNumber);
const bytes = fc.oneof(
  fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }),
  fc.constantFrom(0n, 2n ** 53n + 1n, 2n ** 63n - 1n),
);
/** Requests take any text for a volume: a server says itself what it thinks of it. */
const anyVolume: fc.Arbitrary<HostVolumeId> = text.map(asHostVolumeId);
const volume: fc.Arbitrary<HostVolumeId> = fc
  .uuid()
  .map((guid) => asHostVolumeId(`\\\\?\\Volume{${guid}}\\`));
const byDisk = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<ReadonlyMap<DiskNumber, Value>> =>
  fc.array(fc.tuple(disk, value), { maxLength: 4 }).map((entries) => new Map(entries));
const portal: fc.Arbitrary<IscsiPortal> = record({ address: text, port: fc.constantFrom(0, 3260, 65535) });
const authentication: fc.Arbitrary<IscsiAuthentication> = fc.oneof(
  fc.constant({ type: 'none' } as const),
  record({ type: fc.constantFrom('one-way-chap', 'mutual-chap'), username: text, secret: text }),
);
const mapping: fc.Arbitrary<SmbMapping> = record({
  remotePath: text,
  localPath: text,
  username: text,
  password: text,
});
const service: fc.Arbitrary<HostService> = record({
  displayName: text,
  startType: fc.constantFrom('boot', 'system', 'automatic', 'manual', 'disabled'),
  status: fc.constantFrom(
    ...(['unknown', 'stopped', 'start-pending', 'stop-pending'] as const),
    ...(['running', 'continue-pending', 'pause-pending', 'paused'] as const),
  ),
});

export const portValues: {
  readonly [Group in ApiGroup]: {
    readonly [Method in keyof GroupPorts[Group]]: MethodValues<GroupPorts[Group][Method]>;
  };
} = {
  disk: {
    listDiskLocations: {
      args: fc.tuple(),
      result: byDisk(record({ adapter: text, bus: text, target: text, lun: text })),
    },
    partitionDisk: { args: fc.tuple(disk), result: nothing },
    rescan: { args: fc.tuple(), result: nothing },
    listDiskIds: { args: fc.tuple(), result: byDisk(record({ page83: text, serialNumber: text })) },
    getDiskNumberByPage83: { args: fc.tuple(text), result: disk },
    getDiskStats: { args: fc.tuple(disk), result: record({ totalBytes: bytes }) },
    setDiskState: { args: fc.tuple(disk, bool), result: nothing },
    getDiskState: { args: fc.tuple(disk), result: record({ online: bool }) },
  },
  volume: {
    listVolumesOnDisk: {
      args: fc.tuple(disk, fc.oneof(fc.constant(0), fc.nat(128))),
      result: fc.array(volume, { maxLength: 3 }),
    },
    isVolumeFormatted: { args: fc.tuple(anyVolume), result: bool },
    formatVolume: { args: fc.tuple(anyVolume), result: nothing },
    mountVolume: { args: fc.tuple(anyVolume, path), result: nothing },
    unmountVolume: { args: fc.tuple(anyVolume, path), result: nothing },
    resizeVolume: { args: fc.tuple(anyVolume, bytes), result: nothing },
    getVolumeStats: { args: fc.tuple(anyVolume), result: record({ totalBytes: bytes, usedBytes: bytes }) },
    getDiskNumberFromVolumeId: { args: fc.tuple(anyVolume), result: disk },
    getVolumeIdFromTargetPath: { args: fc.tuple(path), result: volume },
    getClosestVolumeIdFromTargetPath: { args: fc.tuple(path), result: volume },
    writeVolumeCache: { args: fc.tuple(anyVolume), result: nothing },
  },
  filesystem: {
    pathExists: { args: fc.tuple(path), result: bool },
    mkdir: { args: fc.tuple(path), result: nothing },
    rmdir: { args: fc.tuple(path, bool), result: nothing },
    rmdirContents: { args: fc.tuple(path), result: nothing },
    createSymlink: { args: fc.tuple(path, path), result: nothing },
    isSymlink: { args: fc.tuple(path), result: bool },
  },
  smb: {
    newSmbGlobalMapping: { args: fc.tuple(mapping), result: nothing },
    removeSmbGlobalMapping: { args: fc.tuple(text), result: nothing },
  },
  iscsi: {
    addTargetPortal: { args: fc.tuple(portal), result: nothing },
    discoverTargetPortal: { args: fc.tuple(portal), result: fc.array(text, { maxLength: 3 }) },
    removeTargetPortal: { args: fc.tuple(portal), result: nothing },
    listTargetPortals: { args: fc.tuple(), result: fc.array(portal, { maxLength: 3 }) },
    connectTarget: { args: fc.tuple(portal, text, authentication), result: nothing },
    disconnectTarget: { args: fc.tuple(portal, text), result: nothing },
    getTargetDisks: { args: fc.tuple(portal, text), result: fc.array(disk, { maxLength: 3 }) },
    setMutualChapSecret: { args: fc.tuple(text), result: nothing },
  },
  system: {
    getBiosSerialNumber: { args: fc.tuple(), result: text },
    getService: { args: fc.tuple(text), result: service },
    startService: { args: fc.tuple(text), result: nothing },
    stopService: { args: fc.tuple(text, bool), result: nothing },
  },
};
