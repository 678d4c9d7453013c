import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import type { AttachedDisk } from '../../../src/core/attach-folder.ts';
import { GIB, MIB } from '../../../src/core/capacity.ts';
import type { DiskNumber, HostVolumeId } from '../../../src/core/ids.ts';
import type {
  HostDisks,
  HostFiles,
  HostIscsi,
  HostStorage,
  HostVolumes,
} from '../../../src/core/ports/host-storage.ts';
import type { SanPolicy } from '../../../src/hosts/san-policy.ts';
import type { DiskOptions } from '../../support/local-disks.ts';
import type { TargetOptions, TestTarget } from '../../support/simulated-iscsi-target.ts';
import type { ShareOptions, TestShare } from '../../support/simulated-smb-share.ts';

/**
 * What a host may be unable to do, as hosts behind an old or a small CSI Proxy are: a method; the volumes of one
 * partition (`partitions`); a whole group. It refuses that as `unimplemented`.
 */
export type Lack =
  | keyof HostDisks
  | keyof HostVolumes
  | keyof HostFiles
  | keyof HostIscsi
  | 'partitions'
  | 'smb'
  | 'iscsi'
  | 'system';

/** A host, and the hands that plug and unplug its disks. */
export interface HostUnderTest {
  readonly host: HostStorage;
  /** How its new disks arrive. */
  readonly sanPolicy: SanPolicy;
  /** All it cannot do. The suite makes sure that it is refused, and that all the rest works. */
  readonly lacks: readonly Lack[];
  /**
   * Paths on none of its disks are on the volume of its system drive: never, when it is asked for the closest volume,
   * or also when it follows a link to a plain directory.
   */
  readonly systemVolume: 'none' | 'closest' | 'closest-and-links';
  plugDisk(sizeBytes: bigint, options?: DiskOptions): Promise<AttachedDisk>;
  unplugDisk(disk: AttachedDisk): Promise<void>;
  /** Plugs in again what was unplugged. */
  replugDisk(disk: AttachedDisk): Promise<void>;
  growDisk(disk: AttachedDisk, sizeBytes: bigint): Promise<void>;
  /** The size of the NTFS file system on a disk, by the bytes of its image. */
  fileSystemBytes(disk: AttachedDisk): Promise<bigint>;
  /** Makes an SMB share that the host can reach; on hosts with SMB. */
  readonly createShare?: ((options?: ShareOptions) => Promise<TestShare>) | undefined;
  /** Makes an iSCSI target that the host can reach; on hosts with iSCSI. */
  readonly createTarget?: ((options?: TargetOptions) => Promise<TestTarget>) | undefined;
  /** A new instance over the same state, as after `kill -9` of the process. The old one is not used again. */
  restart(): Promise<HostStorage>;
  /** An empty folder, in the host's own form of paths. */
  tempPath(): Promise<string>;
  /** Unmounts and removes everything, also after a failed test. */
  cleanup(): Promise<void>;
}

export const SIGNAL = new AbortController().signal;
export const SMALL_DISK_BYTES = 64n * MIB;
export const DISK_BYTES = GIB;
/** What partition tables and file system may take off a disk. */
const OVERHEAD_BYTES = 20n * MIB;

export interface TestVolume {
  readonly disk: AttachedDisk;
  readonly number: DiskNumber;
  readonly volume: HostVolumeId;
}

export interface MountedVolume extends TestVolume {
  readonly path: string;
}

/** The steps every test begins with, over the host under test. */
export class Bench {
  host: HostStorage;
  readonly hands: HostUnderTest;
  /** Of the volumes that were made here. */
  readonly #disks = new Map<HostVolumeId, AttachedDisk>();

  constructor(hands: HostUnderTest) {
    this.host = hands.host;
    this.hands = hands;
  }

  async restart(): Promise<void> {
    this.host = await this.hands.restart();
  }

  async cleanup(): Promise<void> {
    await this.hands.cleanup();
  }

  /** An empty directory to mount at, in a folder of its own. */
  async stagingPath(): Promise<string> {
    const path = join(await this.hands.tempPath(), 'globalmount');
    await mkdir(path);
    return path;
  }

  lacks(what: Lack): boolean {
    return this.hands.lacks.includes(what);
  }

  /**
   * For a test whose subject some hosts lack: true on those, when they have refused it as they must. On all others
   * nothing is called.
   */
  async refuses(what: Lack, call: (host: HostStorage) => Promise<unknown>): Promise<boolean> {
    if (!this.lacks(what)) return false;
    await expect(call(this.host)).rejects.toMatchObject({ code: 'unimplemented' });
    return true;
  }

  async numberOf(disk: AttachedDisk): Promise<DiskNumber> {
    const number = await this.findDisk(disk);
    if (number === undefined) throw new Error(`the host does not list disk ${disk.serialNumber}`);
    return number;
  }

  async findDisk(disk: AttachedDisk): Promise<DiskNumber | undefined> {
    const { disks } = this.host;
    if (this.lacks('listDiskIds')) {
      return disks.getDiskNumberByPage83(disk.page83, SIGNAL).catch(() => undefined);
    }
    const ids = await disks.listDiskIds(SIGNAL);
    return [...ids].find(([, { serialNumber }]) => serialNumber === disk.serialNumber)?.[0];
  }

  async onlineDisk(sizeBytes = SMALL_DISK_BYTES): Promise<{ disk: AttachedDisk; number: DiskNumber }> {
    const disk = await this.hands.plugDisk(sizeBytes);
    return { disk, number: await this.takeOnline(disk) };
  }

  /** A disk that has just been plugged in. Where nobody can take it online, it has come online by itself. */
  async takeOnline(disk: AttachedDisk): Promise<DiskNumber> {
    const number = await this.numberOf(disk);
    if (!this.lacks('setDiskState')) await this.host.disks.setDiskState(number, true, SIGNAL);
    return number;
  }

  /** Unplugs a disk, whose volumes are not mounted, while something is done to its image; gives its new number. */
  async whileUnplugged(disk: AttachedDisk, work: () => Promise<unknown>): Promise<DiskNumber> {
    await this.hands.unplugDisk(disk);
    await this.host.disks.rescan(SIGNAL);
    await work();
    await this.hands.replugDisk(disk);
    return this.takeOnline(disk);
  }

  async rawVolume(sizeBytes = SMALL_DISK_BYTES): Promise<TestVolume> {
    const { disk, number } = await this.onlineDisk(sizeBytes);
    await this.host.disks.partitionDisk(number, SIGNAL);
    const volume = await this.onlyVolumeOf(number);
    this.#disks.set(volume, disk);
    return { disk, number, volume };
  }

  async formattedVolume(sizeBytes = SMALL_DISK_BYTES): Promise<TestVolume> {
    const made = await this.rawVolume(sizeBytes);
    await this.host.volumes.formatVolume(made.volume, SIGNAL);
    return made;
  }

  async mountedVolume(sizeBytes = SMALL_DISK_BYTES): Promise<MountedVolume> {
    const made = await this.formattedVolume(sizeBytes);
    return { ...made, path: await this.mount(made.volume) };
  }

  /** Mounts at a new staging path. */
  async mount(volume: HostVolumeId): Promise<string> {
    const path = await this.stagingPath();
    await this.host.volumes.mountVolume(volume, path, SIGNAL);
    return path;
  }

  async onlyVolumeOf(number: DiskNumber): Promise<HostVolumeId> {
    const volumes = await this.host.volumes.listVolumesOnDisk(number, 0, SIGNAL);
    const [volume] = volumes;
    if (volume === undefined || volumes.length > 1) {
      throw new Error(`disk ${number} has ${volumes.length} volumes, expected one`);
    }
    return volume;
  }

  /** The size of a volume that was made here; from its disk when the host cannot tell. */
  async totalBytes(volume: HostVolumeId): Promise<bigint> {
    if (!this.lacks('getVolumeStats')) {
      return (await this.host.volumes.getVolumeStats(volume, SIGNAL)).totalBytes;
    }
    const disk = this.#disks.get(volume);
    if (disk === undefined) throw new Error(`the disk of ${volume} was not made here`);
    return this.hands.fileSystemBytes(disk);
  }
}

/** Which volume is at a path; where the host cannot tell, that it says so. */
export async function expectVolumeAt(bench: Bench, path: string, volume: HostVolumeId): Promise<void> {
  const look = ({ volumes }: HostStorage): Promise<HostVolumeId> =>
    volumes.getVolumeIdFromTargetPath(path, SIGNAL);
  if (await bench.refuses('getVolumeIdFromTargetPath', look)) return;
  await expect(look(bench.host)).resolves.toBe(volume);
}

/** Which disk a volume is on; where the host cannot tell, that it says so. */
export async function expectDiskOf(bench: Bench, volume: HostVolumeId, number: DiskNumber): Promise<void> {
  const look = ({ volumes }: HostStorage): Promise<DiskNumber> =>
    volumes.getDiskNumberFromVolumeId(volume, SIGNAL);
  if (await bench.refuses('getDiskNumberFromVolumeId', look)) return;
  await expect(look(bench.host)).resolves.toBe(number);
}

/** Whether a disk is online; where the host cannot tell, that it says so. */
export async function expectState(bench: Bench, number: DiskNumber, online: boolean): Promise<void> {
  const look = ({ disks }: HostStorage): Promise<unknown> => disks.getDiskState(number, SIGNAL);
  if (await bench.refuses('getDiskState', look)) return;
  await expect(look(bench.host)).resolves.toEqual({ online });
}

export const MARKER = 'marker.txt';

export async function writeMarker(folder: string, text = 'kept'): Promise<void> {
  await writeFile(join(folder, MARKER), text);
}

export async function readMarker(folder: string): Promise<string> {
  return readFile(join(folder, MARKER), 'utf8');
}

export function expectAbout(actual: bigint, expected: bigint): void {
  expect(actual).toBeLessThanOrEqual(expected);
  expect(actual).toBeGreaterThanOrEqual(expected - OVERHEAD_BYTES);
}

/** For what may succeed or fail: only the state after it counts. */
export async function either(call: Promise<unknown>): Promise<void> {
  await call.catch(() => undefined);
}
