import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { type Machine, NODE_ID } from './machine.ts';

const MIB = 1024 ** 2;

export const CAPABILITY = {
  access_type: 'mount',
  mount: { fs_type: 'ntfs' },
  access_mode: { mode: 'SINGLE_NODE_WRITER' },
} as const;

/** One volume, through the calls that the sidecars and a kubelet make. */
export class Volume {
  readonly #machine: Machine;
  readonly #name: string;
  #id = '';
  #publishContext: Record<string, string> = {};

  constructor(machine: Machine, name: string) {
    this.#machine = machine;
    this.#name = name;
  }

  get stagingPath(): string {
    return join(this.#machine.folder, 'staging', this.#name);
  }

  get podPath(): string {
    return join(this.#machine.folder, 'pods', this.#name, 'mount');
  }

  async create(mebibytes: number): Promise<void> {
    const { volume } = await this.#machine.controller.createVolume({
      name: this.#name,
      capacity_range: { required_bytes: String(mebibytes * MIB) },
      volume_capabilities: [CAPABILITY],
    });
    this.#id = volume?.volume_id ?? '';
    await mkdir(this.stagingPath, { recursive: true });
    await mkdir(join(this.podPath, '..'), { recursive: true });
  }

  async attach(): Promise<void> {
    const { publish_context } = await this.#machine.controller.controllerPublishVolume({
      volume_id: this.#id,
      node_id: NODE_ID,
      volume_capability: CAPABILITY,
    });
    this.#publishContext = publish_context;
  }

  async stage(): Promise<void> {
    await this.#machine.node.nodeStageVolume({
      volume_id: this.#id,
      publish_context: this.#publishContext,
      staging_target_path: this.stagingPath,
      volume_capability: CAPABILITY,
    });
  }

  async publish(): Promise<void> {
    await this.#machine.node.nodePublishVolume({
      volume_id: this.#id,
      publish_context: this.#publishContext,
      staging_target_path: this.stagingPath,
      target_path: this.podPath,
      volume_capability: CAPABILITY,
    });
  }

  /** As a pod does, to the disk and not only to a cache. */
  async write(bytes: Uint8Array): Promise<void> {
    const file = await open(join(this.podPath, 'data.bin'), 'w');
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
  }

  async stats(path: string): Promise<void> {
    await this.#machine.node.nodeGetVolumeStats({ volume_id: this.#id, volume_path: path });
  }

  /** In the pool; the node sees it at `expandOnNode`. */
  async expand(mebibytes: number): Promise<void> {
    const capacity_range = { required_bytes: String(mebibytes * MIB) };
    await this.#machine.controller.controllerExpandVolume({ volume_id: this.#id, capacity_range });
  }

  async expandOnNode(mebibytes: number): Promise<void> {
    await this.#machine.node.nodeExpandVolume({
      volume_id: this.#id,
      volume_path: this.podPath,
      staging_target_path: this.stagingPath,
      capacity_range: { required_bytes: String(mebibytes * MIB) },
    });
  }

  async unpublish(): Promise<void> {
    await this.#machine.node.nodeUnpublishVolume({ volume_id: this.#id, target_path: this.podPath });
  }

  async unstage(): Promise<void> {
    await this.#machine.node.nodeUnstageVolume({
      volume_id: this.#id,
      staging_target_path: this.stagingPath,
    });
  }

  async detach(): Promise<void> {
    await this.#machine.controller.controllerUnpublishVolume({ volume_id: this.#id, node_id: NODE_ID });
  }

  async delete(): Promise<void> {
    await this.#machine.controller.deleteVolume({ volume_id: this.#id });
  }
}
