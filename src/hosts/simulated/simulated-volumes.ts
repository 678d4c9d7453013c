import { lstat, readdir, realpath } from 'node:fs/promises';
import { sep } from 'node:path';
import { StorageError, throwIfAborted } from '../../core/errors.ts';
import type { DiskNumber, HostVolumeId } from '../../core/ids.ts';
import { hostVolumeIdOf } from '../../core/ids.ts';
import { attempt } from '../../core/platform-errors.ts';
import type { HostVolumes, VolumeStats } from '../../core/ports/host-storage.ts';
import { weigh } from './archive.ts';
import { isFile, usedBytes } from './catalog.ts';
import { CLUSTER_BYTES } from './free-space.ts';
import type { Machine, MachineRoom } from './machine.ts';
import { volumesOn, withImage } from './simulated-volume.ts';
import type { SimulatedVolume } from './simulated-volume.ts';
import { FIRST_BODY_OFFSET } from './volume-image.ts';
import { growVolume } from './volume-growth.ts';

/** Volumes of the simulated machine: see `VolumeImage` for what is in them and `LiveData` for their files in use. */
export class SimulatedVolumes implements HostVolumes {
  readonly #room: MachineRoom;

  constructor(room: MachineRoom) {
    this.#room = room;
  }

  async listVolumesOnDisk(
    number: DiskNumber,
    partition: number,
    _signal: AbortSignal,
  ): Promise<readonly HostVolumeId[]> {
    return attempt(`list the volumes of disk ${number}`, () =>
      this.#room.withDisk(number, async (disk) =>
        (await volumesOn(disk))
          .filter((volume) => partition === 0 || volume.gpt.partitions[partition - 1] === volume.partition)
          .map(({ id }) => id),
      ),
    );
  }

  async isVolumeFormatted(id: HostVolumeId, _signal: AbortSignal): Promise<boolean> {
    return attempt(`look whether ${id} is formatted`, () =>
      this.#room.withVolume(id, async (volume) => {
        const bytes = await withImage(volume, (image) => image.fileSystemBytes());
        return bytes !== undefined;
      }),
    );
  }

  async formatVolume(id: HostVolumeId, signal: AbortSignal): Promise<void> {
    await this.#change(id, `format ${id}`, signal, async (volume, { live }) => {
      const inUse = live.has(volume.guid);
      await withImage(volume, (image) => image.format());
      await live.discard(volume.guid);
      if (inUse) await withImage(volume, (image) => live.bring(volume.guid, volume.disk.key, image));
    });
  }

  async mountVolume(id: HostVolumeId, targetPath: string, signal: AbortSignal): Promise<void> {
    await this.#change(id, `mount ${id} at ${targetPath}`, signal, async (volume, { live, mounts }) => {
      const there = await mounts.mountedAt(targetPath);
      if (there !== volume.guid) await requireEmptyDirectory(targetPath);
      await withImage(volume, (image) => live.bring(volume.guid, volume.disk.key, image));
      if (there !== volume.guid) await mounts.mount(targetPath, volume.guid);
    });
  }

  async unmountVolume(id: HostVolumeId, targetPath: string, signal: AbortSignal): Promise<void> {
    await this.#change(id, `unmount ${id} from ${targetPath}`, signal, async (volume, { live, mounts }) => {
      if ((await mounts.mountedAt(targetPath)) !== volume.guid) {
        throw new StorageError('failed-precondition', `${id} is not mounted at ${targetPath}`);
      }
      await withImage(volume, (image) => live.flush(volume.guid, image));
      await mounts.unmount(targetPath);
      if (!(await mounts.isMounted(volume.guid))) await live.discard(volume.guid);
    });
  }

  async resizeVolume(id: HostVolumeId, sizeBytes: bigint, signal: AbortSignal): Promise<void> {
    await this.#change(id, `resize ${id} to ${sizeBytes} bytes`, signal, (volume) =>
      growVolume(volume, sizeBytes),
    );
  }

  async writeVolumeCache(id: HostVolumeId, signal: AbortSignal): Promise<void> {
    await this.#change(id, `flush ${id}`, signal, (volume, { live }) =>
      withImage(volume, (image) => live.flush(volume.guid, image)),
    );
  }

  async getVolumeStats(id: HostVolumeId, _signal: AbortSignal): Promise<VolumeStats> {
    return attempt(`read the size of ${id}`, () => this.#room.withVolume(id, statsOf));
  }

  async getDiskNumberFromVolumeId(id: HostVolumeId, _signal: AbortSignal): Promise<DiskNumber> {
    return attempt(`find the disk of ${id}`, () =>
      this.#room.withVolume(id, ({ disk }) => Promise.resolve(disk.number)),
    );
  }

  async getVolumeIdFromTargetPath(targetPath: string, _signal: AbortSignal): Promise<HostVolumeId> {
    return attempt(`find the volume at ${targetPath}`, async () => {
      const { live, mounts } = await this.#room.enter();
      const guid = await mounts.volumeAt(targetPath);
      if (guid !== undefined && live.has(guid)) return hostVolumeIdOf(guid);
      const found = guid === undefined ? 'it is no mount point' : `its volume ${guid} is gone`;
      throw new StorageError('not-found', `there is no volume at ${targetPath}: ${found}`);
    });
  }

  async getClosestVolumeIdFromTargetPath(targetPath: string, _signal: AbortSignal): Promise<HostVolumeId> {
    return attempt(`find the volume that ${targetPath} is on`, async () => {
      const { live } = await this.#room.enter();
      const data = (await realpath(live.folder)) + sep;
      const path = await realpath(targetPath);
      const guid = path.startsWith(data) ? (path.slice(data.length).split(sep)[0] ?? '') : '';
      if (live.has(guid)) return hostVolumeIdOf(guid);
      throw new StorageError('not-found', `${targetPath} is on no volume of this machine`);
    });
  }

  async #change(
    id: HostVolumeId,
    doing: string,
    signal: AbortSignal,
    steps: (volume: SimulatedVolume, machine: Machine) => Promise<void>,
  ): Promise<void> {
    await attempt(doing, () =>
      this.#room.withVolume(id, async (volume, machine) => {
        throwIfAborted(signal, doing);
        await steps(volume, machine);
      }),
    );
  }
}

async function statsOf(volume: SimulatedVolume, { live }: Machine): Promise<VolumeStats> {
  return withImage(volume, async (image) => {
    const total = await image.fileSystemBytes();
    if (total === undefined) return { totalBytes: 0n, usedBytes: 0n };
    const things = live.has(volume.guid)
      ? await weigh(live.pathOf(volume.guid))
      : (await image.content()).catalog.entries.map((entry) => (isFile(entry) ? { bytes: entry.bytes } : {}));
    const totalBytes = total - (total % BigInt(CLUSTER_BYTES));
    const usedBytesNow = BigInt(FIRST_BODY_OFFSET + CLUSTER_BYTES + usedBytes(things));
    return { totalBytes, usedBytes: usedBytesNow < totalBytes ? usedBytesNow : totalBytes };
  });
}

async function requireEmptyDirectory(path: string): Promise<void> {
  if (!(await lstat(path)).isDirectory()) {
    throw new StorageError(
      'failed-precondition',
      `${path} is not a directory: a volume is mounted at an empty directory`,
    );
  }
  if ((await readdir(path)).length === 0) return;
  throw new StorageError('failed-precondition', `${path} is not empty: look at what is in it and remove it`);
}
