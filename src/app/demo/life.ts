import { CALL_BUDGETS } from '../../core/call-budgets.ts';
import { StorageError } from '../../core/errors.ts';
import type { CsiClient } from '../../rpc/csi-client.ts';
import { checksumOf, writeFiles } from './files.ts';
import type { Reporter } from './reporter.ts';
import type { World } from './world.ts';

const GIB = 1024n ** 3n;
const SIZE_BYTES = 1n * GIB;
const GROWN_BYTES = 2n * GIB;
/** What NTFS and the partition table may take off a disk. */
const OVERHEAD_BYTES = 64n * 1024n ** 2n;

const CAPABILITY = {
  access_type: 'mount',
  mount: { fs_type: 'ntfs' },
  access_mode: { mode: 'SINGLE_NODE_WRITER' },
} as const;

/** A volume on its way from the pool to a pod. */
interface DemoVolume {
  readonly name: string;
  readonly id: string;
  stagingPath: string;
  podPath: string;
  publishContext: Record<string, string>;
}

/** Walks one volume, its snapshot and the volume restored from it through their whole life, as kubelet and the sidecars would. */
export class Life {
  readonly #world: World;
  readonly #report: Reporter;
  readonly #controller: CsiClient['controller'];
  #node: CsiClient['node'];

  constructor(world: World, report: Reporter, controller: CsiClient, node: CsiClient) {
    this.#world = world;
    this.#report = report;
    this.#controller = controller.controller;
    this.#node = node.node;
  }

  async walk(): Promise<void> {
    const volume = await this.#create('demo-volume', SIZE_BYTES, undefined);
    await this.#attach(volume);
    await this.#stage(volume, 'NodeStage, blank disk');
    await this.#crashNode();
    await this.#stage(volume, 'NodeStage, repeat');
    await this.#publish(volume);
    const checksum = await this.#write(volume);
    const snapshotId = await this.#snapshot(volume);
    await this.#expand(volume);
    await this.#expectContent('files after the expansion', volume, checksum);

    const restored = await this.#create('demo-restored', SIZE_BYTES, snapshotId);
    await this.#attach(restored);
    await this.#stage(restored, 'NodeStage, formatted disk');
    await this.#publish(restored);
    await this.#expectContent('files in the restored volume', restored, checksum);

    for (const each of [volume, restored]) {
      await this.#unpublish(each);
      await this.#unstage(each);
      await this.#detach(each);
    }
    await this.#delete([volume, restored], snapshotId);
  }

  async #create(name: string, bytes: bigint, snapshotId: string | undefined): Promise<DemoVolume> {
    let id = '';
    const title = snapshotId === undefined ? 'CreateVolume 1 GiB' : 'CreateVolume from the snapshot';
    await this.#report.step(title, async () => {
      const { volume } = await this.#controller.createVolume({
        name,
        capacity_range: { required_bytes: bytes.toString() },
        volume_capabilities: [CAPABILITY],
        ...(snapshotId === undefined
          ? {}
          : { volume_content_source: { snapshot: { snapshot_id: snapshotId }, type: 'snapshot' as const } }),
      });
      id = volume?.volume_id ?? '';
      return { found: id };
    });
    const stagingPath = await this.#world.makeStagingPath(name);
    return { name, id, stagingPath, podPath: await this.#world.makePodPath(name), publishContext: {} };
  }

  async #attach(volume: DemoVolume): Promise<void> {
    await this.#report.step('ControllerPublishVolume', async () => {
      const answer = await this.#controller.controllerPublishVolume({
        volume_id: volume.id,
        node_id: this.#world.nodeId,
        volume_capability: CAPABILITY,
      });
      volume.publishContext = answer.publish_context;
      const { serialNumber = '', contentState = '' } = answer.publish_context;
      return { found: `disk ${serialNumber.slice(0, 8)}…, ${contentState}` };
    });
  }

  async #stage(volume: DemoVolume, operation: keyof typeof CALL_BUDGETS): Promise<void> {
    await this.#report.step(operation.replace('NodeStage', 'NodeStageVolume'), async () => {
      await this.#node.nodeStageVolume({
        volume_id: volume.id,
        publish_context: volume.publishContext,
        staging_target_path: volume.stagingPath,
        volume_capability: CAPABILITY,
      });
      return { found: 'NTFS mounted', budget: CALL_BUDGETS[operation] };
    });
  }

  async #crashNode(): Promise<void> {
    await this.#report.step('SIGKILL the node, start it again', async () => {
      await this.#world.killNode();
      this.#node = (await this.#world.startNode()).node;
      return { found: 'nothing was told to it, nothing was lost' };
    });
  }

  async #publish(volume: DemoVolume): Promise<void> {
    await this.#report.step('NodePublishVolume', async () => {
      await this.#node.nodePublishVolume({
        volume_id: volume.id,
        publish_context: volume.publishContext,
        staging_target_path: volume.stagingPath,
        target_path: volume.podPath,
        volume_capability: CAPABILITY,
      });
      return { found: 'the pod sees it', budget: CALL_BUDGETS.NodePublish };
    });
  }

  async #write(volume: DemoVolume): Promise<string> {
    let checksum = '';
    await this.#report.step('write files through the pod path', async () => {
      const bytes = await writeFiles(volume.podPath);
      checksum = await checksumOf(volume.podPath);
      return { found: `${(bytes / 1024 ** 2).toFixed(1)} MiB, ${checksum}` };
    });
    return checksum;
  }

  /** Of the attached volume where the pool can; else the driver refuses, and it is detached for the snapshot. */
  async #snapshot(volume: DemoVolume): Promise<string> {
    let snapshotId = '';
    const take = async (): Promise<void> => {
      const answer = await this.#controller.createSnapshot({
        name: 'demo-snapshot',
        source_volume_id: volume.id,
      });
      snapshotId = answer.snapshot?.snapshot_id ?? '';
    };
    const live = await this.#controllerTakesLiveSnapshots(take);
    if (live) return snapshotId;

    await this.#unpublish(volume);
    await this.#unstage(volume);
    await this.#detach(volume);
    await this.#report.step('CreateSnapshot, detached', async () => {
      await take();
      return { found: snapshotId };
    });
    await this.#attach(volume);
    await this.#stage(volume, 'NodeStage, formatted disk');
    await this.#publish(volume);
    return snapshotId;
  }

  async #controllerTakesLiveSnapshots(take: () => Promise<void>): Promise<boolean> {
    let live = true;
    await this.#report.step('CreateSnapshot, attached', async () => {
      try {
        await take();
        return { found: 'instant, while the pod writes' };
      } catch (error) {
        if (!isRefusal(error)) throw error;
        live = false;
        return { found: 'refused: this pool cannot copy a live disk safely' };
      }
    });
    return live;
  }

  async #expand(volume: DemoVolume): Promise<void> {
    const range = { required_bytes: GROWN_BYTES.toString() };
    await this.#report.step('ControllerExpandVolume to 2 GiB', async () => {
      const answer = await this.#controller.controllerExpandVolume({
        volume_id: volume.id,
        capacity_range: range,
      });
      return { found: `${answer.capacity_bytes} bytes` };
    });
    await this.#report.step('NodeExpandVolume', async () => {
      await this.#node.nodeExpandVolume({
        volume_id: volume.id,
        volume_path: volume.podPath,
        staging_target_path: volume.stagingPath,
        capacity_range: range,
      });
      return { found: 'partition and NTFS grown', budget: CALL_BUDGETS.NodeExpand };
    });
    await this.#report.step('NodeGetVolumeStats', async () => {
      const { usage } = await this.#node.nodeGetVolumeStats({
        volume_id: volume.id,
        volume_path: volume.podPath,
      });
      const total = BigInt(usage[0]?.total ?? '0');
      expect(
        total > GROWN_BYTES - OVERHEAD_BYTES,
        `the file system has ${total} bytes, expected about ${GROWN_BYTES}`,
      );
      return {
        found: `${total} bytes in all, ${String(usage[0]?.used)} used`,
        budget: CALL_BUDGETS.NodeGetVolumeStats,
      };
    });
  }

  async #expectContent(title: string, volume: DemoVolume, checksum: string): Promise<void> {
    await this.#report.step(title, async () => {
      const found = await checksumOf(volume.podPath);
      expect(found === checksum, `found ${found}, expected ${checksum}`);
      return { found: `equal: ${found}` };
    });
  }

  async #unpublish(volume: DemoVolume): Promise<void> {
    await this.#report.step('NodeUnpublishVolume', async () => {
      await this.#node.nodeUnpublishVolume({ volume_id: volume.id, target_path: volume.podPath });
      return { found: 'link removed', budget: CALL_BUDGETS.NodeUnpublish };
    });
  }

  async #unstage(volume: DemoVolume): Promise<void> {
    await this.#report.step('NodeUnstageVolume', async () => {
      await this.#node.nodeUnstageVolume({ volume_id: volume.id, staging_target_path: volume.stagingPath });
      return { found: 'flushed, unmounted, disk offline', budget: CALL_BUDGETS.NodeUnstage };
    });
  }

  async #detach(volume: DemoVolume): Promise<void> {
    await this.#report.step('ControllerUnpublishVolume', async () => {
      await this.#controller.controllerUnpublishVolume({ volume_id: volume.id, node_id: this.#world.nodeId });
      return { found: 'disk unplugged' };
    });
  }

  async #delete(volumes: readonly DemoVolume[], snapshotId: string): Promise<void> {
    await this.#report.step('DeleteSnapshot, DeleteVolume twice', async () => {
      await this.#controller.deleteSnapshot({ snapshot_id: snapshotId });
      for (const { id } of volumes) await this.#controller.deleteVolume({ volume_id: id });
      const { entries } = await this.#controller.listVolumes({});
      expect(entries.length === 0, `${entries.length} volumes are still listed`);
      return { found: 'the pool is empty' };
    });
  }
}

const FAILED_PRECONDITION = 9;

const isRefusal = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === FAILED_PRECONDITION;

function expect(holds: boolean, found: string): void {
  if (!holds) throw new StorageError('internal', found);
}
