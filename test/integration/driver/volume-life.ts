import { createHash, randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { type MortalDriver, NODE_ID } from './mortal-driver.ts';

const MIB = 1024n ** 2n;
const CAPABILITY = {
  mount: { fs_type: 'ntfs' },
  access_mode: { mode: 'SINGLE_NODE_WRITER' },
} as const;

/** About how long a call takes: the moments at which it is worth killing its process. */
const SHORT_MS = 40;
const LONG_MS = 350;

/** A volume as its pod knows it. */
export class VolumeLife {
  readonly id: string;
  readonly #driver: MortalDriver;
  readonly #name: string;
  #context: Record<string, string> = {};
  /** Digests of its files by name. */
  readonly files: Map<string, string>;

  private constructor(driver: MortalDriver, name: string, id: string, files: ReadonlyMap<string, string>) {
    this.#driver = driver;
    this.#name = name;
    this.id = id;
    this.files = new Map(files);
  }

  /** `source`: a snapshot, and the files it was taken of. */
  static async create(
    driver: MortalDriver,
    name: string,
    mib: number,
    source?: { readonly snapshotId: string; readonly files: ReadonlyMap<string, string> },
  ): Promise<VolumeLife> {
    const { volume } = await driver.call('controller', `CreateVolume ${name}`, SHORT_MS, ({ controller }) =>
      controller.createVolume({
        name,
        capacity_range: { required_bytes: (BigInt(mib) * MIB).toString() },
        volume_capabilities: [CAPABILITY],
        ...(source === undefined
          ? {}
          : { volume_content_source: { snapshot: { snapshot_id: source.snapshotId } } }),
      }),
    );
    return new VolumeLife(driver, name, volume?.volume_id ?? '', source?.files ?? new Map<string, string>());
  }

  get #stagingPath(): string {
    return join(this.#driver.folder, 'kubelet/plugins', this.#name, 'globalmount');
  }

  get podPath(): string {
    return join(this.#driver.folder, 'kubelet/pods/one/volumes', this.#name);
  }

  async up(): Promise<void> {
    const { publish_context } = await this.#controller(
      'ControllerPublishVolume',
      SHORT_MS,
      ({ controller }) =>
        controller.controllerPublishVolume({
          volume_id: this.id,
          node_id: NODE_ID,
          volume_capability: CAPABILITY,
        }),
    );
    this.#context = publish_context;
    await this.stage();
    await this.#node('NodePublishVolume', SHORT_MS, ({ node }) =>
      node.nodePublishVolume({
        volume_id: this.id,
        staging_target_path: this.#stagingPath,
        target_path: this.podPath,
        volume_capability: CAPABILITY,
        publish_context: this.#context,
      }),
    );
  }

  async stage(): Promise<void> {
    await mkdir(this.#stagingPath, { recursive: true });
    await this.#node('NodeStageVolume', LONG_MS, ({ node }) =>
      node.nodeStageVolume({
        volume_id: this.id,
        staging_target_path: this.#stagingPath,
        volume_capability: CAPABILITY,
        publish_context: this.#context,
      }),
    );
  }

  async down(): Promise<void> {
    await this.#node('NodeUnpublishVolume', SHORT_MS, ({ node }) =>
      node.nodeUnpublishVolume({ volume_id: this.id, target_path: this.podPath }),
    );
    await this.#node('NodeUnstageVolume', LONG_MS, ({ node }) =>
      node.nodeUnstageVolume({ volume_id: this.id, staging_target_path: this.#stagingPath }),
    );
    await this.#controller('ControllerUnpublishVolume', SHORT_MS, ({ controller }) =>
      controller.controllerUnpublishVolume({ volume_id: this.id, node_id: NODE_ID }),
    );
  }

  async snapshot(name: string): Promise<string> {
    const { snapshot } = await this.#controller('CreateSnapshot', SHORT_MS, ({ controller }) =>
      controller.createSnapshot({ name, source_volume_id: this.id }),
    );
    return snapshot?.snapshot_id ?? '';
  }

  async deleteSnapshot(snapshot_id: string): Promise<void> {
    await this.#controller('DeleteSnapshot', SHORT_MS, ({ controller }) =>
      controller.deleteSnapshot({ snapshot_id }),
    );
  }

  async expand(mib: number): Promise<void> {
    const capacity_range = { required_bytes: (BigInt(mib) * MIB).toString() };
    await this.#controller('ControllerExpandVolume', SHORT_MS, ({ controller }) =>
      controller.controllerExpandVolume({ volume_id: this.id, capacity_range }),
    );
    await this.#node('NodeExpandVolume', LONG_MS, ({ node }) =>
      node.nodeExpandVolume({
        volume_id: this.id,
        volume_path: this.podPath,
        staging_target_path: this.#stagingPath,
        capacity_range,
      }),
    );
  }

  async delete(): Promise<void> {
    await this.#controller('DeleteVolume', SHORT_MS, ({ controller }) =>
      controller.deleteVolume({ volume_id: this.id }),
    );
  }

  /** What a pod does that means it: the file is on the disk when this ends. */
  async write(name: string, bytes: number): Promise<void> {
    const content = randomBytes(bytes);
    const file = await open(join(this.podPath, name), 'w');
    await file.writeFile(content);
    await file.sync();
    await file.close();
    this.files.set(name, digestOf(content));
  }

  /** Every file is there with every byte, and nothing else. */
  async expectIntact(): Promise<void> {
    const found = new Map<string, string>();
    for (const name of (await readdir(this.podPath)).sort()) {
      found.set(name, digestOf(await readFile(join(this.podPath, name))));
    }
    expect(found).toEqual(new Map([...this.files].sort()));
  }

  #controller: MortalCall = (what, ms, rpc) =>
    this.#driver.call('controller', `${what} ${this.#name}`, ms, rpc);
  #node: MortalCall = (what, ms, rpc) => this.#driver.call('node', `${what} ${this.#name}`, ms, rpc);
}

type MortalCall = <Answer>(
  what: string,
  typicalMs: number,
  rpc: Parameters<typeof MortalDriver.prototype.call<Answer>>[3],
) => Promise<Answer>;

const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
