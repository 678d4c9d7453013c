import { bytesOf } from './bench.ts';
import type { Caller, Fields } from './wire.ts';

/** Old name, new name and the names of the fields that changed with it. */
const RENAMES = {
  unmount: ['DismountVolume', 'UnmountVolume'],
  stats: ['VolumeStats', 'GetVolumeStats'],
  disk: ['GetVolumeDiskNumber', 'GetDiskNumberFromVolumeID'],
  volumeOf: ['GetVolumeIDFromMount', 'GetVolumeIDFromTargetPath'],
} as const;

/** The volume group in the words of one version. */
export class VolumeDialect {
  readonly #caller: Caller;
  readonly #version: string;

  constructor(caller: Caller, version: string) {
    this.#caller = caller;
    this.#version = version;
  }

  get #isNew(): boolean {
    return ['v1', 'v1beta3', 'v2alpha1'].includes(this.#version);
  }

  name(rpc: keyof typeof RENAMES): string {
    return RENAMES[rpc][this.#isNew ? 1 : 0];
  }

  at(volume: string, path: string): Fields {
    return { volume_id: volume, ...(this.#isNew ? { target_path: path } : { path }) };
  }

  to(volume: string, sizeBytes: bigint): Fields {
    const size = `${sizeBytes}`;
    return { volume_id: volume, ...(this.#isNew ? { size_bytes: size } : { size }) };
  }

  /** As the server answers: 1.2 says `['']` for none. */
  async volumesOn(disk: number): Promise<readonly string[]> {
    const request = this.#isNew ? { disk_number: disk } : { disk_id: `${disk}` };
    return (await this.#call('ListVolumesOnDisk', request))['volume_ids'] as readonly string[];
  }

  async isFormatted(volume: string): Promise<boolean> {
    return (await this.#call('IsVolumeFormatted', { volume_id: volume }))['formatted'] === true;
  }

  async format(volume: string): Promise<void> {
    await this.#call('FormatVolume', { volume_id: volume });
  }

  async resize(volume: string, sizeBytes: bigint): Promise<void> {
    await this.#call('ResizeVolume', this.to(volume, sizeBytes));
  }

  async stats(volume: string): Promise<{ readonly totalBytes: bigint; readonly usedBytes: bigint }> {
    const answer = await this.#call(this.name('stats'), { volume_id: volume });
    const [total, used] = this.#isNew
      ? [answer['total_bytes'], answer['used_bytes']]
      : [answer['volumeSize'], answer['volumeUsedSize']];
    return { totalBytes: bytesOf(total), usedBytes: bytesOf(used) };
  }

  async diskOf(volume: string): Promise<number> {
    const answer = await this.#call(this.name('disk'), { volume_id: volume });
    return Number(this.#isNew ? answer['disk_number'] : answer['diskNumber']);
  }

  async volumeOf(path: string): Promise<string> {
    const request = this.#isNew ? { target_path: path } : { mount: path };
    return String((await this.#call(this.name('volumeOf'), request))['volume_id']);
  }

  /** Only in v2alpha1. */
  async closestTo(path: string): Promise<string> {
    return String((await this.#call('GetClosestVolumeIDFromTargetPath', { target_path: path }))['volume_id']);
  }

  async mount(volume: string, path: string): Promise<void> {
    await this.#call('MountVolume', this.at(volume, path));
  }

  async unmount(volume: string, path: string): Promise<void> {
    await this.#call(this.name('unmount'), this.at(volume, path));
  }

  #call(rpc: string, request: Fields): Promise<Fields> {
    return this.#caller.call('volume', this.#version, rpc, request);
  }
}
