import type { BudgetedOperation } from '../../core/call-budgets.ts';
import type { CsiClient } from '../../rpc/csi-client.ts';
import type { Offer } from '../offer.ts';
import type { Reporter } from './reporter.ts';
import type { World } from './world.ts';

const CAPABILITY = {
  access_type: 'mount',
  mount: { fs_type: 'ntfs' },
  access_mode: { mode: 'SINGLE_NODE_WRITER' },
} as const;

/** A volume on its way from the pool to a pod. */
export interface DemoVolume {
  readonly name: string;
  readonly id: string;
  stagingPath: string;
  podPath: string;
  publishContext: Record<string, string>;
}

/** What the steps of the demo work on. */
export interface Stage {
  readonly world: World;
  readonly report: Reporter;
  readonly offer: Offer;
  readonly controller: CsiClient['controller'];
  /** Of the node that runs now: one is killed in between. */
  node: CsiClient;
}

/** The steps that bring a volume to a pod and back, as kubelet and the sidecars call them. */
export class VolumeSteps {
  readonly #stage: Stage;

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  async create(name: string, bytes: bigint, snapshotId: string | undefined): Promise<DemoVolume> {
    const { controller, report, world } = this.#stage;
    let id = '';
    const title = snapshotId === undefined ? 'CreateVolume 1 GiB' : 'CreateVolume from the snapshot';
    await report.step(title, async () => {
      const { volume } = await controller.createVolume({
        name,
        capacity_range: { required_bytes: bytes.toString() },
        volume_capabilities: [CAPABILITY],
        ...(snapshotId === undefined
          ? {}
          : { volume_content_source: { snapshot: { snapshot_id: snapshotId }, type: 'snapshot' as const } }),
      });
      id = volume?.volume_id ?? '';
      return id;
    });
    const stagingPath = await world.makeStagingPath(name);
    return { name, id, stagingPath, podPath: await world.makePodPath(name), publishContext: {} };
  }

  async attach(volume: DemoVolume): Promise<void> {
    const { controller, report, world } = this.#stage;
    await report.step('ControllerPublishVolume', async () => {
      const answer = await controller.controllerPublishVolume({
        volume_id: volume.id,
        node_id: world.nodeId,
        volume_capability: CAPABILITY,
      });
      volume.publishContext = answer.publish_context;
      const { serialNumber = '', contentState = '' } = answer.publish_context;
      return `disk ${serialNumber.slice(0, 8)}…, ${contentState}`;
    });
  }

  async stage(volume: DemoVolume, operation: BudgetedOperation): Promise<void> {
    const title = operation.replace('NodeStage', 'NodeStageVolume');
    const stage = async (): Promise<string> => {
      await this.#stage.node.node.nodeStageVolume({
        volume_id: volume.id,
        publish_context: volume.publishContext,
        staging_target_path: volume.stagingPath,
        volume_capability: CAPABILITY,
      });
      return 'NTFS mounted';
    };
    await this.#stage.report.step(title, stage, operation);
  }

  async publish(volume: DemoVolume): Promise<void> {
    const publish = async (): Promise<string> => {
      await this.#stage.node.node.nodePublishVolume({
        volume_id: volume.id,
        publish_context: volume.publishContext,
        staging_target_path: volume.stagingPath,
        target_path: volume.podPath,
        volume_capability: CAPABILITY,
      });
      return 'the pod sees it';
    };
    await this.#stage.report.step('NodePublishVolume', publish, 'NodePublish');
  }

  async unpublish(volume: DemoVolume): Promise<void> {
    const unpublish = async (): Promise<string> => {
      await this.#stage.node.node.nodeUnpublishVolume({ volume_id: volume.id, target_path: volume.podPath });
      return 'link removed';
    };
    await this.#stage.report.step('NodeUnpublishVolume', unpublish, 'NodeUnpublish');
  }

  async unstage(volume: DemoVolume): Promise<void> {
    const { node, offer, report } = this.#stage;
    const unstage = async (): Promise<string> => {
      await node.node.nodeUnstageVolume({ volume_id: volume.id, staging_target_path: volume.stagingPath });
      const disk = offer.can('disk', 'setDiskState')
        ? 'disk offline'
        : `the disk stays online: ${offer.nameOf('disk')} cannot take it offline`;
      return `flushed, unmounted, ${disk}`;
    };
    await report.step('NodeUnstageVolume', unstage, 'NodeUnstage');
  }

  async detach(volume: DemoVolume): Promise<void> {
    const { controller, report, world } = this.#stage;
    await report.step('ControllerUnpublishVolume', async () => {
      await controller.controllerUnpublishVolume({ volume_id: volume.id, node_id: world.nodeId });
      await world.untilUnplugged(volume.id);
      return 'disk unplugged';
    });
  }
}
