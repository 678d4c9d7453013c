import { StorageError } from '../../core/errors.ts';
import { sleep } from '../../util/sleep.ts';
import { checksumOf, writeFiles } from './files.ts';
import { type DemoVolume, type Stage, VolumeSteps } from './volume-steps.ts';

const GIB = 1024n ** 3n;
const SIZE_BYTES = 1n * GIB;
const GROWN_BYTES = 2n * GIB;
/** What NTFS and the partition table may take off a disk. */
const OVERHEAD_BYTES = 64n * 1024n ** 2n;

/** A node finds its proxy again within its longest back-off. */
const READY_SECONDS = 30;
const READY_POLL_MS = 100;

/** Walks one volume, its snapshot and the volume restored from it through their whole life, as kubelet and the sidecars would. */
export class Life {
  readonly #stage: Stage;
  readonly #volumes: VolumeSteps;

  constructor(stage: Stage) {
    this.#stage = stage;
    this.#volumes = new VolumeSteps(stage);
  }

  async walk(): Promise<void> {
    const volume = await this.#volumes.create('demo-volume', SIZE_BYTES, undefined);
    await this.#volumes.attach(volume);
    await this.#volumes.stage(volume, 'NodeStage, blank disk');
    await this.#crashNode();
    await this.#volumes.stage(volume, 'NodeStage, repeat');
    await this.#volumes.publish(volume);
    const checksum = await this.#write(volume);
    await this.#crashProxy(volume, checksum);
    const snapshotId = await this.#snapshot(volume);
    await this.#expand(volume);
    await this.#measure(volume);
    await this.#expectContent('files after the expansion', volume, checksum);

    const restored = await this.#volumes.create('demo-restored', SIZE_BYTES, snapshotId);
    await this.#volumes.attach(restored);
    await this.#volumes.stage(restored, 'NodeStage, formatted disk');
    await this.#volumes.publish(restored);
    await this.#expectContent('files in the restored volume', restored, checksum);

    for (const each of [volume, restored]) {
      await this.#volumes.unpublish(each);
      await this.#volumes.unstage(each);
      await this.#volumes.detach(each);
    }
    await this.#delete([volume, restored], snapshotId);
  }

  async #crashNode(): Promise<void> {
    await this.#stage.report.step('SIGKILL the node, start it again', async () => {
      await this.#stage.world.killNode();
      this.#stage.node = await this.#stage.world.startNode();
      return 'nothing was told to it, nothing was lost';
    });
  }

  /** Law 10: the node says that its proxy is gone, and finds the next one by itself; the pod notices neither. */
  async #crashProxy(volume: DemoVolume, checksum: string): Promise<void> {
    const { report, world } = this.#stage;
    await report.step('SIGKILL the proxy', async () => {
      await world.killProxy();
      expect(!(await this.#isReady()), 'the node says it is ready although its CSI Proxy is gone');
      const found = await checksumOf(volume.podPath);
      expect(found === checksum, `the pod found ${found}, expected ${checksum}`);
      return 'the node is not ready, the pod reads on';
    });
    await report.step('start the proxy again', async () => {
      await world.startProxy();
      const deadline = Date.now() + READY_SECONDS * 1000;
      while (!(await this.#isReady())) {
        expect(
          Date.now() < deadline,
          `the node is not ready ${READY_SECONDS} s after its CSI Proxy came back`,
        );
        await sleep(READY_POLL_MS, new AbortController().signal);
      }
      return 'the node is ready, without a restart';
    });
  }

  async #isReady(): Promise<boolean> {
    const { ready } = await this.#stage.node.identity.probe({});
    return ready?.value === true;
  }

  async #write(volume: DemoVolume): Promise<string> {
    let checksum = '';
    await this.#stage.report.step('write files through the pod path', async () => {
      const bytes = await writeFiles(volume.podPath);
      checksum = await checksumOf(volume.podPath);
      return `${(bytes / 1024 ** 2).toFixed(1)} MiB, ${checksum}`;
    });
    return checksum;
  }

  /** Of the attached volume where the pool can; else the driver refuses, and it is detached for the snapshot. */
  async #snapshot(volume: DemoVolume): Promise<string> {
    const { controller, report } = this.#stage;
    let snapshotId = '';
    const take = async (): Promise<void> => {
      const request = { name: 'demo-snapshot', source_volume_id: volume.id };
      const answer = await controller.createSnapshot(request);
      snapshotId = answer.snapshot?.snapshot_id ?? '';
    };
    if (await this.#takesLiveSnapshots(take)) return snapshotId;

    await this.#volumes.unpublish(volume);
    await this.#volumes.unstage(volume);
    await this.#volumes.detach(volume);
    await report.step('CreateSnapshot, detached', async () => {
      await take();
      return snapshotId;
    });
    await this.#volumes.attach(volume);
    await this.#volumes.stage(volume, 'NodeStage, formatted disk');
    await this.#volumes.publish(volume);
    return snapshotId;
  }

  async #takesLiveSnapshots(take: () => Promise<void>): Promise<boolean> {
    let live = true;
    await this.#stage.report.step('CreateSnapshot, attached', async () => {
      try {
        await take();
        return 'instant, while the pod writes';
      } catch (error) {
        if (!isRefusal(error)) throw error;
        live = false;
        return 'refused: this pool cannot copy a live disk safely';
      }
    });
    return live;
  }

  async #expand(volume: DemoVolume): Promise<void> {
    const { controller, node, report } = this.#stage;
    const range = { required_bytes: GROWN_BYTES.toString() };
    await report.step('ControllerExpandVolume to 2 GiB', async () => {
      const request = { volume_id: volume.id, capacity_range: range };
      const answer = await controller.controllerExpandVolume(request);
      return `${answer.capacity_bytes} bytes`;
    });
    const expand = async (): Promise<string> => {
      await node.node.nodeExpandVolume({
        volume_id: volume.id,
        volume_path: volume.podPath,
        staging_target_path: volume.stagingPath,
        capacity_range: range,
      });
      return 'partition and NTFS grown';
    };
    await report.step('NodeExpandVolume', expand, 'NodeExpand');
  }

  /** The simulated host mounts nothing that the node could see; the node finds that out once, and then asks its host. */
  async #measure(volume: DemoVolume): Promise<void> {
    const { offer, report, world } = this.#stage;
    if (world.host === 'linux') {
      const found = (): Promise<string> => this.#measured(volume);
      await report.step('NodeGetVolumeStats', found, 'NodeGetVolumeStats, local path');
      return;
    }
    if (offer.can('volume', 'getVolumeStats')) {
      await report.step('NodeGetVolumeStats, the first time', () => this.#measured(volume));
      await report.step('NodeGetVolumeStats', () => this.#measured(volume), 'NodeGetVolumeStats');
      return;
    }
    await report.step('NodeGetVolumeStats', async () => {
      const { usage } = await this.#stats(volume);
      expect(usage.length === 0, 'numbers, although nobody could know any');
      return `no numbers: ${offer.nameOf('volume')} has no statistics, and this host mounts nothing to look at`;
    });
  }

  async #measured(volume: DemoVolume): Promise<string> {
    const { usage } = await this.#stats(volume);
    const total = BigInt(usage[0]?.total ?? '0');
    const found = `the file system has ${total} bytes, expected about ${GROWN_BYTES}`;
    expect(total > GROWN_BYTES - OVERHEAD_BYTES, found);
    return `${total} bytes in all, ${String(usage[0]?.used)} used`;
  }

  #stats(volume: DemoVolume): ReturnType<Stage['node']['node']['nodeGetVolumeStats']> {
    const { node } = this.#stage.node;
    return node.nodeGetVolumeStats({ volume_id: volume.id, volume_path: volume.podPath });
  }

  async #expectContent(title: string, volume: DemoVolume, checksum: string): Promise<void> {
    await this.#stage.report.step(title, async () => {
      const found = await checksumOf(volume.podPath);
      expect(found === checksum, `found ${found}, expected ${checksum}`);
      return `equal: ${found}`;
    });
  }

  async #delete(volumes: readonly DemoVolume[], snapshotId: string): Promise<void> {
    const { controller, report } = this.#stage;
    await report.step('DeleteSnapshot, DeleteVolume twice', async () => {
      await controller.deleteSnapshot({ snapshot_id: snapshotId });
      for (const { id } of volumes) await controller.deleteVolume({ volume_id: id });
      const { entries } = await controller.listVolumes({});
      expect(entries.length === 0, `${entries.length} volumes are still listed`);
      return 'the pool is empty';
    });
  }
}

const FAILED_PRECONDITION = 9;

const isRefusal = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === FAILED_PRECONDITION;

function expect(holds: boolean, found: string): void {
  if (!holds) throw new StorageError('internal', found);
}
