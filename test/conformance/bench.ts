import assert from 'node:assert/strict';
import type { DiskHands, HandDisk, Hands } from './hands.ts';
import type { Era } from './sequence.ts';
import { type Caller, type Fields, type Group, type Wire, WireError } from './wire.ts';

export const MIB = 1024n ** 2n;
export const GIB = 1024n ** 3n;
/** What partition tables and file system may take off a size. */
const TOLERANCE_BYTES = 20n * MIB;
const UNKNOWN = 2;

export interface BenchOptions {
  /** `C:\var\lib\kubelet` */
  readonly kubeletPath: string;
  /** How the server is known to behave; `undefined` when nobody said. */
  readonly era: Era | undefined;
}

/** A server, the hands on its machine, and what a sequence made there and must not leave. */
export class Bench implements Caller {
  readonly wire: Wire;
  readonly hands: Hands;
  readonly options: BenchOptions;
  readonly #undo: (() => Promise<unknown>)[] = [];
  static #made = 0;

  constructor(wire: Wire, hands: Hands, options: BenchOptions) {
    this.wire = wire;
    this.hands = hands;
    this.options = options;
  }

  call(group: Group, version: string, rpc: string, request: Fields = {}): Promise<Fields> {
    return this.wire.call(group, version, rpc, request);
  }

  /** A call that must not succeed. Real servers have one status for every failure. */
  async fails(group: Group, version: string, rpc: string, request: Fields): Promise<WireError> {
    const outcome = await this.call(group, version, rpc, request).catch((error: unknown) => error);
    if (!(outcome instanceof WireError)) {
      throw new assert.AssertionError({
        message: `${group} ${version} ${rpc} ${JSON.stringify(request)} must fail, and answered ${JSON.stringify(outcome)}`,
      });
    }
    assert.equal(outcome.code, UNKNOWN, `${outcome.message}: the status must be UNKNOWN`);
    assert.notEqual(outcome.details, '', `${rpc} failed without a word`);
    return outcome;
  }

  /** Runs at the end, also of a sequence that failed; last first. */
  later(undo: () => Promise<unknown>): void {
    this.#undo.push(undo);
  }

  /** Everything is undone, whatever of it fails. */
  async cleanUp(): Promise<void> {
    const failures: unknown[] = [];
    for (const undo of this.#undo.splice(0).reverse()) {
      await undo().catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw new Error(`cannot clean up: ${failures.map(String).join('; ')}`);
  }

  /** The hands that the sequence has said it needs. */
  get disks(): DiskHands {
    return required(this.hands.disks);
  }

  /** A disk of 1 GiB. */
  async disk(prepared: 'raw' | 'partitioned', sizeBytes = GIB): Promise<HandDisk> {
    const disk = await this.disks.make(sizeBytes, prepared);
    this.later(() => disk.remove());
    return disk;
  }

  /** A path of ours below the kubelet's folder; nothing is there, its parent neither. Removed at the end. */
  path(...parts: readonly string[]): string {
    Bench.#made += 1;
    const own = `${this.options.kubeletPath}\\${parts[0] ?? 'plugins'}\\testplugin-${process.pid}-${Bench.#made}.csi.io`;
    this.later(() => this.hands.files.remove(own));
    return [own, ...parts.slice(1)].join('\\');
  }

  /** An empty folder to mount at. What a failed sequence left mounted there is detached, its files stay. */
  async mountPoint(): Promise<string> {
    const path = this.path('plugins', 'mount');
    await this.hands.files.mkdir(path);
    if (this.wire.offers('filesystem', 'v1')) {
      this.later(() => this.call('filesystem', 'v1', 'Rmdir', { path, force: true }));
    }
    return path;
  }
}

export function required<Hand>(hand: Hand | undefined): Hand {
  assert.ok(hand !== undefined, 'a sequence uses a hand that it has not said it needs');
  return hand;
}

export function assertAbout(actual: bigint, expected: bigint, what: string): void {
  assert.ok(
    actual <= expected && actual >= expected - TOLERANCE_BYTES,
    `${what} is ${actual} bytes, expected ${expected}, or up to 20 MiB less`,
  );
}

export const bytesOf = (field: unknown): bigint => BigInt(String(field));
