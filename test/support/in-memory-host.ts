import { absentGroups } from '../../src/core/absent-groups.ts';
import { MIB, PARTITION_OVERHEAD_BYTES } from '../../src/core/capacity.ts';
import { diskByPage83 } from '../../src/core/disk-by-page83.ts';
import { StorageError } from '../../src/core/errors.ts';
import { asDiskNumber, hostVolumeIdOf, type DiskNumber, type HostVolumeId } from '../../src/core/ids.ts';
import { HOST_PRESETS, isAbsent, type HostPreset } from './memory-host-presets.ts';
import type {
  DiskIds,
  HostCapabilities,
  HostDisks,
  HostFiles,
  HostStorage,
  HostVolumes,
} from '../../src/core/ports/host-storage.ts';

/** A disk as the tests see it: they plug it, unplug it, spoil it, and look at the data in it. */
export interface MemoryDisk {
  ids: DiskIds;
  number: number;
  capacityBytes: bigint;
  plugged: boolean;
  online: boolean;
  /** The partitions and what is in them; empty on a raw disk. */
  volumes: MemoryVolume[];
  /** How often anyone asked to format it. */
  formats: number;
  /** How often anyone asked to partition it while it was raw. */
  initialisations: number;
}

export interface MemoryVolume {
  readonly id: HostVolumeId;
  fileSystemBytes: bigint;
  formatted: boolean;
  data: Map<string, string>;
}

type PathEntry =
  | { readonly kind: 'folder' | 'file' }
  | { readonly kind: 'link'; readonly target: string }
  | { readonly kind: 'mount'; readonly volume: HostVolumeId };

/**
 * A Windows node in memory: fast enough for thousands of crash runs, strict like CSI Proxy. Mount points and links
 * are paths of their own, which dangle when their disk goes; nothing is idempotent that need not be.
 */
export class InMemoryHost implements HostStorage {
  readonly allDisks: MemoryDisk[] = [];
  readonly paths = new Map<string, PathEntry>();
  readonly disks: HostDisks;
  readonly volumes: HostVolumes;
  readonly files: HostFiles;
  /** May change at any time, as when CSI Proxy is replaced; a method that is not among them rejects. */
  features: HostCapabilities = HOST_PRESETS.v1;
  readonly smb = absentGroups('memory').smb;
  readonly iscsi = absentGroups('memory').iscsi;
  readonly system = absentGroups('memory').system;
  readonly maxVolumes = 7;
  #made = 0;

  constructor() {
    this.disks = this.#versioned(this.#diskGroup());
    this.volumes = this.#versioned(this.#volumeGroup());
    this.files = this.#fileGroup();
  }

  /** Another CSI Proxy answers from now on. */
  become(preset: HostPreset): void {
    this.features = HOST_PRESETS[preset];
  }

  capabilities(): Promise<HostCapabilities> {
    return Promise.resolve(this.features);
  }

  readiness(): Promise<{ readonly ready: true }> {
    return Promise.resolve({ ready: true });
  }

  /** Plugs in a blank disk: offline as on a server, online where nobody could take it online. */
  plug(ids: DiskIds, capacityBytes = 1024n * MIB): MemoryDisk {
    this.#made += 1;
    const disk = {
      ids,
      number: this.#made,
      capacityBytes,
      plugged: true,
      online: !this.features.diskState,
      volumes: [],
      formats: 0,
      initialisations: 0,
    };
    this.allDisks.push(disk);
    return disk;
  }

  /** Puts a volume on a disk, as another machine would have. */
  addVolume(disk: MemoryDisk, contents: Partial<MemoryVolume> = {}): MemoryVolume {
    this.#made += 1;
    const guid = `00000000-0000-4000-8000-${this.#made.toString(16).padStart(12, '0')}`;
    const fileSystemBytes = disk.capacityBytes - PARTITION_OVERHEAD_BYTES;
    const volume = {
      id: hostVolumeIdOf(guid),
      fileSystemBytes,
      formatted: false,
      data: new Map<string, string>(),
      ...contents,
    };
    disk.volumes.push(volume);
    return volume;
  }

  /** After a reboot disks have new numbers and are as they arrive; mount points and links are still in the file system. */
  reboot(): void {
    for (const disk of this.allDisks) {
      disk.online = !this.features.diskState;
      this.#made += 1;
      disk.number = this.#made;
    }
  }

  /** The volume a path leads to, through links; `undefined` when it leads nowhere or to a plain folder. */
  follow(path: string): MemoryVolume | undefined {
    const entry = this.paths.get(path);
    if (entry?.kind === 'link') return this.follow(entry.target);
    return entry?.kind === 'mount' ? this.#visible(entry.volume)?.volume : undefined;
  }

  /** The group as the CSI Proxy of this moment serves it. */
  #versioned<Group extends object>(group: Group): Group {
    return new Proxy(group, {
      get: (target, method): unknown =>
        typeof method === 'string' && isAbsent(method, this.features)
          ? () => Promise.reject(new StorageError('unimplemented', `this host has no ${method}`))
          : Reflect.get(target, method),
    });
  }

  #diskGroup(): HostDisks {
    const here = (): MemoryDisk[] => this.allDisks.filter((disk) => disk.plugged);
    return {
      listDiskLocations: () => Promise.resolve(new Map()),
      partitionDisk: async (number) => {
        await Promise.resolve();
        const disk = this.#disk(number);
        if (disk.volumes.length > 0) return;
        disk.initialisations += 1;
        this.addVolume(disk);
      },
      rescan: () => Promise.resolve(),
      listDiskIds: () =>
        Promise.resolve(new Map(here().map((disk) => [asDiskNumber(disk.number), disk.ids]))),
      getDiskNumberByPage83: async (page83) => {
        await Promise.resolve();
        return diskByPage83(new Map(here().map((disk) => [asDiskNumber(disk.number), disk.ids])), page83);
      },
      getDiskStats: async (number) => {
        await Promise.resolve();
        return { totalBytes: this.#disk(number).capacityBytes };
      },
      setDiskState: async (number, online) => {
        await Promise.resolve();
        this.#disk(number).online = online;
      },
      getDiskState: async (number) => {
        await Promise.resolve();
        return { online: this.#disk(number).online };
      },
    };
  }

  #volumeGroup(): HostVolumes {
    return {
      listVolumesOnDisk: async (number) => {
        await Promise.resolve();
        const disk = this.#disk(number);
        return disk.online ? disk.volumes.map((volume) => volume.id) : [];
      },
      isVolumeFormatted: async (id) => {
        await Promise.resolve();
        return this.#volume(id).volume.formatted;
      },
      formatVolume: async (id) => {
        await Promise.resolve();
        const { disk, volume } = this.#volume(id);
        disk.formats += 1;
        volume.formatted = true;
        volume.data = new Map();
        volume.fileSystemBytes = disk.capacityBytes - PARTITION_OVERHEAD_BYTES;
      },
      mountVolume: async (id, path) => {
        await Promise.resolve();
        if (!this.#volume(id).volume.formatted) throw failure(`${id} has no file system`);
        if (this.paths.get(path)?.kind !== 'folder') throw failure(`${path} is no folder`);
        if (this.#children(path).length > 0) throw failure(`${path} is not empty`);
        this.paths.set(path, { kind: 'mount', volume: id });
      },
      unmountVolume: async (id, path) => {
        await Promise.resolve();
        this.#volume(id);
        if (this.paths.get(path)?.kind !== 'mount') throw failure(`nothing is mounted at ${path}`);
        this.paths.set(path, { kind: 'folder' });
      },
      resizeVolume: async (id) => {
        await Promise.resolve();
        const { disk, volume } = this.#volume(id);
        const most = disk.capacityBytes - PARTITION_OVERHEAD_BYTES;
        if (most - volume.fileSystemBytes >= 100n * MIB) volume.fileSystemBytes = most;
      },
      getVolumeStats: async (id) => {
        await Promise.resolve();
        const { volume } = this.#volume(id);
        return { totalBytes: volume.fileSystemBytes, usedBytes: BigInt(volume.data.size) * MIB };
      },
      getDiskNumberFromVolumeId: async (id) => {
        await Promise.resolve();
        return asDiskNumber(this.#volume(id).disk.number);
      },
      getVolumeIdFromTargetPath: async (path) => this.#volumeAt(path),
      getClosestVolumeIdFromTargetPath: async (path) => this.#volumeAt(path),
      writeVolumeCache: () => Promise.resolve(),
    };
  }

  #fileGroup(): HostFiles {
    return {
      pathExists: (path) => Promise.resolve(this.paths.has(path)),
      mkdir: async (path) => {
        await Promise.resolve();
        const found = this.paths.get(path);
        if (found !== undefined && found.kind !== 'folder') throw failure(`${path} is a ${found.kind}`);
        for (const folder of ancestors(path))
          this.paths.set(folder, this.paths.get(folder) ?? { kind: 'folder' });
        this.paths.set(path, { kind: 'folder' });
      },
      rmdir: async (path, force) => {
        await Promise.resolve();
        const found = this.paths.get(path);
        if (found === undefined) throw failure(`${path} is missing`);
        if (force) {
          this.#wipe(path);
          this.paths.delete(path);
          return;
        }
        if (found.kind === 'file') throw failure(`${path} is a file`);
        if (this.#children(path).length > 0) throw failure(`${path} is not empty`);
        this.paths.delete(path);
      },
      rmdirContents: async (path) => {
        await Promise.resolve();
        this.#wipe(path);
      },
      createSymlink: async (target, path) => {
        await Promise.resolve();
        if (this.paths.has(path)) throw failure(`${path} is there already`);
        if (this.paths.get(ancestors(path).at(-1) ?? '/')?.kind !== 'folder')
          throw failure(`no folder for ${path}`);
        this.paths.set(path, { kind: 'link', target });
      },
      isSymlink: async (path) => {
        await Promise.resolve();
        const found = this.paths.get(path);
        if (found === undefined) throw failure(`${path} is missing`);
        if (found.kind === 'mount') return this.#visible(found.volume) !== undefined;
        return found.kind === 'link' && this.#leadsSomewhere(found.target);
      },
    };
  }

  /** Nobody has a reason to empty a folder. Who does it all the same loses what is below, and through mount points. */
  #wipe(path: string): void {
    this.follow(path)?.data.clear();
    for (const below of this.#children(path)) {
      this.follow(below)?.data.clear();
      this.paths.delete(below);
    }
  }

  #leadsSomewhere(path: string): boolean {
    const found = this.paths.get(path);
    if (found?.kind === 'mount') return this.#visible(found.volume) !== undefined;
    return found !== undefined;
  }

  async #volumeAt(path: string): Promise<HostVolumeId> {
    await Promise.resolve();
    const volume = this.follow(path);
    if (volume === undefined) throw failure(`${path} is not a mounted folder`);
    return volume.id;
  }

  #visible(id: HostVolumeId): { disk: MemoryDisk; volume: MemoryVolume } | undefined {
    for (const disk of this.allDisks) {
      const volume = disk.volumes.find((candidate) => candidate.id === id);
      if (volume !== undefined) return disk.plugged && disk.online ? { disk, volume } : undefined;
    }
    return undefined;
  }

  #volume(id: HostVolumeId): { disk: MemoryDisk; volume: MemoryVolume } {
    const found = this.#visible(id);
    if (found === undefined) throw failure(`there is no volume ${id}`);
    return found;
  }

  #disk(number: DiskNumber): MemoryDisk {
    const disk = this.allDisks.find((candidate) => candidate.plugged && candidate.number === number);
    if (disk === undefined) throw failure(`there is no disk ${number}`);
    return disk;
  }

  #children(path: string): string[] {
    return [...this.paths.keys()].filter((candidate) => candidate.startsWith(`${path}/`));
  }
}

/** The folders above an absolute path, outermost first. */
function ancestors(path: string): string[] {
  const names = path.split('/').slice(1, -1);
  return names.map((_, index) => `/${names.slice(0, index + 1).join('/')}`);
}

/** As through CSI Proxy, every failure looks alike (law 5). */
function failure(detail: string): StorageError {
  return new StorageError('internal', `the host failed: ${detail}`);
}
