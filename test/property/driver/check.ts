import { readdir, readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect } from '@jest/globals';
import { snapshotIdFor, volumeIdFor } from '../../../src/core/ids.ts';
import { CONTROLLER, type DriverWorld, NODES, type NodeName } from '../../support/driver-world.ts';
import type { DriverModel, ModelDisk, View } from './driver-model.ts';
import { bytesAt, digestOf, type Files, filesBelow, filesInImage, sizeOf, whatIsAt } from './observe.ts';
import { PODS, type SnapshotName, type VolumeName, VOLUMES } from './steps.ts';

export interface Both {
  readonly world: DriverWorld;
  readonly model: DriverModel;
}

/** What must hold after every step, whatever it was. */
export async function check(both: Both): Promise<void> {
  await checkLists(both);
  await checkPool(both);
  for (const [name, disk] of both.model.disks) await checkImage(both, name, disk);
  for (const [name, { hasFileSystem, files, foreign }] of both.model.snapshots) {
    const image = join(both.world.poolDir, 'snapshots', snapshotIdFor(name), 'disk.img');
    expect(await filesInImage(image)).toEqual(hasFileSystem ? files : undefined);
    if (foreign !== undefined) await expectForeign(image, foreign);
  }
  for (const node of NODES) {
    for (const volume of VOLUMES) await checkView(both, volume, node);
  }
  await checkForeignThings(both.world);
  // Law 1, the heart of it: no disk is ever formatted twice.
  expect([...both.world.formats].filter(([, times]) => times > 1)).toEqual([]);
}

interface Listed {
  readonly volumes: readonly {
    readonly volume: { readonly volume_id: string; readonly capacity_bytes: string };
    readonly status: {
      readonly published_node_ids: readonly string[];
      readonly volume_condition: { readonly abnormal: boolean };
    };
  }[];
  readonly snapshots: readonly {
    readonly snapshot: {
      readonly snapshot_id: string;
      readonly source_volume_id: string;
      readonly size_bytes: string;
    };
  }[];
}

async function listed(world: DriverWorld): Promise<Listed> {
  const volumes = await world.call(CONTROLLER, 'ListVolumes', {});
  const snapshots = await world.call(CONTROLLER, 'ListSnapshots', {});
  return {
    volumes: (volumes.answer as { entries: Listed['volumes'] }).entries,
    snapshots: (snapshots.answer as { entries: Listed['snapshots'] }).entries,
  };
}

async function checkLists({ world, model }: Both): Promise<void> {
  const { volumes, snapshots } = await listed(world);
  expect(
    volumes.map(({ volume, status }) => ({
      id: volume.volume_id,
      bytes: volume.capacity_bytes,
      nodes: status.published_node_ids,
      abnormal: status.volume_condition.abnormal,
    })),
  ).toEqual(
    [...model.disks]
      .map(([name, { capacity, attachedTo }]) => ({
        id: String(volumeIdFor(name)),
        bytes: capacity.toString(),
        nodes: attachedTo === undefined ? [] : [attachedTo],
        abnormal: false,
      }))
      .sort(byId),
  );
  expect(
    snapshots.map(({ snapshot }) => ({
      id: snapshot.snapshot_id,
      volume: snapshot.source_volume_id,
      bytes: snapshot.size_bytes,
    })),
  ).toEqual(
    [...model.snapshots]
      .map(([name, { volume, bytes }]) => ({
        id: String(snapshotIdFor(name)),
        volume: String(volumeIdFor(volume)),
        bytes: bytes.toString(),
      }))
      .sort(byId),
  );
}

const byId = (one: { readonly id: string }, other: { readonly id: string }): number =>
  one.id < other.id ? -1 : 1;

/** Nothing half-made is in the pool, and nothing is promised that is not there. */
async function checkPool({ world, model }: Both): Promise<void> {
  const folder = (kind: string): Promise<string[]> =>
    readdir(join(world.poolDir, kind)).then((names) => names.sort());
  expect(await folder('volumes')).toEqual([...model.disks.keys()].map(volumeIdFor).sort());
  expect(await folder('snapshots')).toEqual([...model.snapshots.keys()].map(snapshotIdFor).sort());
  const held = await Promise.all([...model.snapshots.keys()].map((name) => heldBytes(world, name)));
  const capacities = [...model.disks.values()].map(({ capacity }) => capacity);
  const promised = [...capacities, ...held].reduce((sum, bytes) => sum + bytes, 0n);
  expect(await promisedBytes(world)).toBe(promised);
}

/** What the pool thinks that it has promised: it says so when it is asked for more than it has. */
async function promisedBytes(world: DriverWorld): Promise<bigint> {
  const capacity = await world.call(CONTROLLER, 'GetCapacity', {});
  const available = BigInt((capacity.answer as { available_capacity: string }).available_capacity);
  const { message } = await world.call(CONTROLLER, 'CreateVolume', {
    name: 'too large',
    capacity_range: { required_bytes: (available + TIB).toString() },
    volume_capabilities: [{ mount: {}, access_mode: { mode: 'SINGLE_NODE_WRITER' } }],
  });
  return BigInt(/\((\d+) promised/.exec(message)?.[1] ?? '-1');
}

const TIB = 1024n ** 4n;

async function heldBytes({ poolDir }: DriverWorld, snapshot: SnapshotName): Promise<bigint> {
  const record = await readFile(join(poolDir, 'snapshots', snapshotIdFor(snapshot), 'record.json'), 'utf8');
  return BigInt((JSON.parse(record) as { allocatedBytes: string }).allocatedBytes);
}

async function checkImage({ world, model }: Both, name: VolumeName, disk: ModelDisk): Promise<void> {
  const image = world.volumeImage(name);
  const found = await filesInImage(image);
  const user = disk.attachedTo === undefined ? undefined : model.view(name, disk.attachedTo);
  const mayBe = user?.live === undefined ? [disk.files] : [disk.files, user.live];
  if (disk.hasFileSystem) expect(mayBe).toContainEqual(found);
  else if (found !== undefined) expect(found).toEqual(new Map());
  adopt(model, name, found);
  if (user?.staged === 'no' && user.live !== undefined) {
    // The unstage has answered OK: everything is on the disk.
    expect(found).toEqual(user.live);
    user.live = undefined;
  }
  disk.imageBytes = await sizeOf(image);
  expect(disk.imageBytes).toBeGreaterThanOrEqual(disk.capacity);
  if (disk.foreign !== undefined) await expectForeign(image, disk.foreign);
}

/** What was torn away before the volume changed can never come back: it would be older than what is there. */
function adopt(model: DriverModel, name: VolumeName, found: Files | undefined): void {
  const disk = model.disks.get(name);
  if (found === undefined || disk === undefined) return;
  disk.hasFileSystem = true;
  if (isDeepStrictEqual(disk.files, found)) return;
  disk.files = found;
  for (const node of NODES) model.view(name, node).ghost = undefined;
}

async function expectForeign(image: string, foreign: NonNullable<ModelDisk['foreign']>): Promise<void> {
  const bytes = Number(foreign.digest.split(':')[0]);
  expect(digestOf(await bytesAt(image, foreign.offset, bytes))).toBe(foreign.digest);
}

async function checkView({ world, model }: Both, volume: VolumeName, node: NodeName): Promise<void> {
  const view = model.view(volume, node);
  const staging = world.stagingPath(node, volume);
  if (view.staged === 'yes') {
    expect(model.disks.get(volume)?.attachedTo).toBe(node);
    expect(await filesBelow(staging)).toEqual(view.live);
  }
  if (view.staged === 'no') expect(['nothing', 'empty folder']).toContain(await whatIsAt(staging));
  for (const pod of PODS)
    await checkTarget(view, { staging, target: world.targetPath(node, volume, pod), pod });
}

async function checkTarget(
  view: View,
  {
    staging,
    target,
    pod,
  }: { readonly staging: string; readonly target: string; readonly pod: (typeof PODS)[number] },
): Promise<void> {
  const known = view.targets.get(pod);
  const found = await whatIsAt(target);
  if (known === undefined) expect({ target, found }).toEqual({ target, found: 'nothing' });
  else if (known.sure) expect(await realpath(target)).toBe(await realpath(staging));
  else expect(['nothing', 'link']).toContain(found);
}

async function checkForeignThings({ root }: DriverWorld): Promise<void> {
  expect(await readFile(join(root, 'foreign/link/file'), 'utf8')).toBe("somebody else's");
}

/** The serial number under which the pool has made a volume. */
export async function serialOf({ poolDir }: DriverWorld, name: VolumeName): Promise<string> {
  const record = await readFile(join(poolDir, 'volumes', volumeIdFor(name), 'record.json'), 'utf8');
  return (JSON.parse(record) as { serialNumber: string }).serialNumber;
}
