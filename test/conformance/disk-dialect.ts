import { bytesOf } from './bench.ts';
import type { Caller, Fields } from './wire.ts';

export interface DiskIds {
  readonly page83: string;
  readonly serialNumber: string;
}

/** The disk group in the words of one version. */
export class DiskDialect {
  readonly #caller: Caller;
  readonly #version: string;

  constructor(caller: Caller, version: string) {
    this.#caller = caller;
    this.#version = version;
  }

  get #hasNumbers(): boolean {
    return ['v1', 'v1beta3'].includes(this.#version);
  }

  /** The request's field that says which disk: a number, and text before v1beta3. */
  which(disk: number): Fields {
    return this.#hasNumbers ? { disk_number: disk } : { diskID: `${disk}` };
  }

  async locations(): Promise<ReadonlyMap<number, Fields>> {
    const { disk_locations } = await this.#call('ListDiskLocations');
    return byNumber(disk_locations, (location) => location);
  }

  async ids(): Promise<ReadonlyMap<number, DiskIds>> {
    const { diskIDs } = await this.#call('ListDiskIDs');
    return byNumber(diskIDs, (ids) => {
      const { page83, serial_number } = ids;
      if (this.#hasNumbers) return { page83: String(page83), serialNumber: String(serial_number) };
      const identifiers = ids['identifiers'] as Readonly<Record<string, string>>;
      return { page83: identifiers['page83'] ?? '', serialNumber: identifiers['serialNumber'] ?? '' };
    });
  }

  async numberByName(page83: string): Promise<number> {
    return Number((await this.#call('GetDiskNumberByName', { disk_name: page83 }))['disk_number']);
  }

  async sizeBytes(disk: number): Promise<bigint> {
    const answer = await this.#call(this.#hasNumbers ? 'GetDiskStats' : 'DiskStats', this.which(disk));
    return bytesOf(this.#hasNumbers ? answer['total_bytes'] : answer['diskSize']);
  }

  async isOnline(disk: number): Promise<boolean> {
    const answer = await this.#call(this.#hasNumbers ? 'GetDiskState' : 'GetAttachState', this.which(disk));
    return Boolean(this.#hasNumbers ? answer['is_online'] : answer['isOnline']);
  }

  async setOnline(disk: number, online: boolean): Promise<void> {
    if (this.#hasNumbers) await this.#call('SetDiskState', { ...this.which(disk), is_online: online });
    else await this.#call('SetAttachState', { ...this.which(disk), isOnline: online });
  }

  async partition(disk: number): Promise<void> {
    await this.#call('PartitionDisk', this.which(disk));
  }

  async rescan(): Promise<void> {
    await this.#call('Rescan');
  }

  #call(rpc: string, request: Fields = {}): Promise<Fields> {
    return this.#caller.call('disk', this.#version, rpc, request);
  }
}

function byNumber<Value>(map: unknown, read: (entry: Fields) => Value): ReadonlyMap<number, Value> {
  const entries = Object.entries((map ?? {}) as Readonly<Record<string, Fields>>);
  return new Map(entries.map(([number, entry]) => [Number(number), read(entry)]));
}
