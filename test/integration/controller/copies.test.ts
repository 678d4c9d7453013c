import { status } from '@grpc/grpc-js';
import { describe, expect, it } from '@jest/globals';
import { poolFiles, type PoolFiles } from '../../../src/backends/file/pool-files.ts';
import { probePool } from '../../../src/backends/file/pool-probe.ts';
import { controllerService } from '../../../src/controller/controller-service.ts';
import { MIB } from '../../../src/core/capacity.ts';
import { IdempotentBackend } from '../../../src/core/idempotent-backend.ts';
import { asNodeId, snapshotIdFor, volumeIdFor } from '../../../src/core/ids.ts';
import type { CsiClient } from '../../../src/rpc/csi-client.ts';
import { MOUNT } from '../../support/controller-world.ts';
import { withCsiServer } from '../../support/csi-server.ts';
import { openWorld } from '../../support/file-backend-world.ts';
import { inTempFolder } from '../../support/temp-folder.ts';

type Controller = CsiClient['controller'];

const SOURCE = volumeIdFor('source');
const SNAPSHOT = snapshotIdFor('nightly');
const NODE = 'node-1';
const ABORTED = { status: 'rejected', reason: { code: status.ABORTED } };

/** Work of the pool on images that is held once it has begun. */
class HeldFiles {
  readonly files: PoolFiles = {
    ...poolFiles,
    copyImage: (...args) => this.#hold(() => poolFiles.copyImage(...args)),
    growImage: (...args) => this.#hold(() => poolFiles.growImage(...args)),
    moveFolder: (...args) => this.#hold(() => poolFiles.moveFolder(...args)),
  };
  #holding = false;
  readonly #held: (() => void)[] = [];
  #noticed: () => void = () => undefined;

  /** Runs `work` while all that `start` began is held, and then lets it end. */
  async during<Result>(
    start: () => readonly Promise<Result>[],
    work: () => Promise<void>,
  ): Promise<readonly Result[]> {
    this.#holding = true;
    const begun = start();
    const outcome = Promise.all(begun);
    try {
      const allHeld = new Promise<void>((resolve) => {
        this.#noticed = () => {
          if (this.#held.length === begun.length) resolve();
        };
        this.#noticed();
      });
      await Promise.race([allHeld, outcome]);
      expect(this.#held).toHaveLength(begun.length);
      await work();
    } finally {
      this.#holding = false;
      for (const release of this.#held.splice(0)) release();
    }
    return outcome;
  }

  async #hold(work: () => Promise<void>): Promise<void> {
    if (this.#holding) {
      await new Promise<void>((resolve) => {
        this.#held.push(resolve);
        this.#noticed();
      });
    }
    return work();
  }
}

/** A served controller over a pool that copies byte by byte, with a volume and a snapshot of it. */
const withController = (work: (controller: Controller, held: HeldFiles) => Promise<void>): Promise<void> =>
  inTempFolder(async (root) => {
    const held = new HeldFiles();
    const probe: typeof probePool = async (poolDir) => ({ ...(await probePool(poolDir)), reflink: false });
    const world = await openWorld(root, { files: held.files, probe });
    try {
      await world.announceNode(asNodeId(NODE), 10);
      const service = controllerService({ backend: new IdempotentBackend(world.backend) }, { topology: {} });
      await withCsiServer([service], async ({ client: { controller } }) => {
        await controller.createVolume(volume('source'));
        await controller.createSnapshot({ name: 'nightly', source_volume_id: SOURCE });
        await work(controller, held);
      });
    } finally {
      await world.close();
    }
  });

const volume = (name: string) => ({
  name,
  volume_capabilities: [MOUNT],
  capacity_range: { required_bytes: (64n * MIB).toString() },
});
const restored = (name: string) => ({
  ...volume(name),
  volume_content_source: { snapshot: { snapshot_id: SNAPSHOT } },
});
const cloned = (name: string) => ({
  ...volume(name),
  volume_content_source: { volume: { volume_id: SOURCE } },
});
const attachment = { volume_id: SOURCE, node_id: NODE, volume_capability: MOUNT, readonly: false };
const larger = { volume_id: SOURCE, capacity_range: { required_bytes: (128n * MIB).toString() } };

describe('copies of one source', () => {
  it('law 6: two restores of one snapshot run at the same time, and nobody deletes it meanwhile', async () => {
    await withController(async (controller, held) => {
      const made = await held.during(
        () => [controller.createVolume(restored('one')), controller.createVolume(restored('other'))],
        async () => {
          const [deleted] = await Promise.allSettled([controller.deleteSnapshot({ snapshot_id: SNAPSHOT })]);
          expect(deleted).toMatchObject(ABORTED);
        },
      );
      const ids = made.map(({ volume: answered }) => answered?.volume_id);
      expect(ids).toEqual([volumeIdFor('one'), volumeIdFor('other')]);
      await controller.deleteSnapshot({ snapshot_id: SNAPSHOT });
    });
  });

  it('law 6: a volume is cloned and snapshotted at the same time, and nobody changes it meanwhile', async () => {
    await withController(async (controller, held) => {
      await held.during<unknown>(
        () => [
          controller.createVolume(cloned('clone')),
          controller.createSnapshot({ name: 'hourly', source_volume_id: SOURCE }),
        ],
        async () => {
          // One after the other: they exclude each other too.
          for (const change of [
            () => controller.deleteVolume({ volume_id: SOURCE }),
            () => controller.controllerExpandVolume(larger),
            () => controller.controllerPublishVolume(attachment),
            () => controller.controllerUnpublishVolume({ volume_id: SOURCE, node_id: NODE }),
          ]) {
            expect(await Promise.allSettled([change()])).toMatchObject([ABORTED]);
          }
        },
      );
      await controller.controllerPublishVolume(attachment);
    });
  });

  it.each<[string, (controller: Controller) => Promise<unknown>]>([
    ['expanded', (controller) => controller.controllerExpandVolume(larger)],
    ['deleted', (controller) => controller.deleteVolume({ volume_id: SOURCE })],
  ])('law 6: a volume that is being %s is not copied', async (_what, change) => {
    await withController(async (controller, held) => {
      await held.during<unknown>(
        () => [change(controller)],
        async () => {
          const refused = await Promise.allSettled([
            controller.createVolume(cloned('clone')),
            controller.createSnapshot({ name: 'hourly', source_volume_id: SOURCE }),
          ]);
          expect(refused).toMatchObject([ABORTED, ABORTED]);
        },
      );
    });
  });
});
