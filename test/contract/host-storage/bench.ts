import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import type { AttachedDisk } from '../../../src/core/attach-folder.ts';
import { GIB, MIB } from '../../../src/core/capacity.ts';
import type { DiskNumber, HostVolumeId } from '../../../src/core/ids.ts';
import type { HostStorage } from '../../../src/core/ports/host-storage.ts';
import type { DiskOptions } from '../../support/local-disks.ts';

/** A host, and the hands that plug and unplug its disks. */
export interface HostUnderTest {
  readonly host: HostStorage;
  plugDisk(sizeBytes: bigint, options?: DiskOptions): Promise<AttachedDisk>;
  unplugDisk(disk: AttachedDisk): Promise<void>;
  /** Plugs in again what was unplugged. */
  replugDisk(disk: AttachedDisk): Promise<void>;
  growDisk(disk: AttachedDisk, sizeBytes: bigint): Promise<void>;
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

  async numberOf(disk: AttachedDisk): Promise<DiskNumber> {
    const number = await this.findDisk(disk);
    if (number === undefined) throw new Error(`the host does not list disk ${disk.serialNumber}`);
    return number;
  }

  async findDisk(disk: AttachedDisk): Promise<DiskNumber | undefined> {
    const ids = await this.host.disks.listDiskIds(SIGNAL);
    return [...ids].find(([, { serialNumber }]) => serialNumber === disk.serialNumber)?.[0];
  }

  async onlineDisk(sizeBytes = SMALL_DISK_BYTES): Promise<{ disk: AttachedDisk; number: DiskNumber }> {
    const disk = await this.hands.plugDisk(sizeBytes);
    const number = await this.numberOf(disk);
    await this.host.disks.setDiskState(number, true, SIGNAL);
    return { disk, number };
  }

  async rawVolume(sizeBytes = SMALL_DISK_BYTES): Promise<TestVolume> {
    const { disk, number } = await this.onlineDisk(sizeBytes);
    await this.host.disks.partitionDisk(number, SIGNAL);
    return { disk, number, volume: await this.onlyVolumeOf(number) };
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

  async totalBytes(volume: HostVolumeId): Promise<bigint> {
    return (await this.host.volumes.getVolumeStats(volume, SIGNAL)).totalBytes;
  }
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
