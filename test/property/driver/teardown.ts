import { expect } from '@jest/globals';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { volumeIdFor } from '../../../src/core/ids.ts';
import { CONTROLLER, NODES, type NodeName } from '../../support/driver-world.ts';
import { check } from './check.ts';
import { filesBelow, thingsBelow } from './observe.ts';
import type { Play } from './play.ts';
import { PODS, SNAPSHOTS, type VolumeName, VOLUMES } from './steps.ts';

/** What a CO does in the end, whatever came before: takes everything down, looks at all data, and deletes it. */
export async function expectConvergence(play: Play): Promise<void> {
  for (const process of [CONTROLLER, ...NODES] as const) await play.world.restart(process);
  for (const node of NODES) await play.world.sweep(node, true);
  for (const volume of VOLUMES) {
    for (const node of NODES) await takeDown(play, volume, node);
  }
  await check(play);
  for (const volume of [...play.model.disks.keys()]) await lookThroughPod(play, volume);
  for (const volume of VOLUMES) await play.must({ do: 'delete', volume });
  for (const snapshot of [...play.model.snapshots.keys()]) {
    await play.must({ do: 'create', volume: 'a', mib: 40, from: `snapshot ${snapshot}` });
    await lookThroughPod(play, 'a');
    await play.must({ do: 'delete', volume: 'a' });
  }
  for (const snapshot of SNAPSHOTS) await play.must({ do: 'forget', snapshot });
  await check(play);
  await expectNothingLeft(play);
}

async function takeDown(play: Play, volume: VolumeName, node: NodeName): Promise<void> {
  for (const pod of PODS) await play.must({ do: 'unpublish', volume, node, pod });
  await play.must({ do: 'unstage', volume, node });
  await check(play);
  await play.must({ do: 'detach', volume, node });
}

/** Gives the volume to one more pod on either node, which finds what the model says. */
async function lookThroughPod(play: Play, volume: VolumeName): Promise<void> {
  const { model, world } = play;
  const [first, second] = NODES;
  const node = model.view(volume, first).journal === 'unreadable' ? second : first;
  const disk = model.disks.get(volume);
  if (disk?.foreign !== undefined) return;
  await letAdministratorMend(play, volume, node);
  await play.must({ do: 'attach', volume, node });
  await play.must({ do: 'stage', volume, node, context: 'newest' });
  await play.must({ do: 'publish', volume, node, pod: 'pod-1', mode: 'SINGLE_NODE_WRITER' });
  expect(await filesBelow(world.targetPath(node, volume, 'pod-1'))).toEqual(disk?.files);
  await takeDown(play, volume, node);
}

/** A blank disk is not formatted while a record of its volume is set aside as unreadable: a person decides. */
async function letAdministratorMend(
  { model, world }: Play,
  volume: VolumeName,
  node: NodeName,
): Promise<void> {
  const folder = world.journalDir(node);
  for (const name of await readdir(folder)) {
    if (name.startsWith(volumeIdFor(volume)) && name.includes('unreadable')) await rm(join(folder, name));
  }
  model.view(volume, node).journal = 'sound';
}

/** Besides what is kept by design: records of volumes that may come back, and what was set aside for a person. */
async function expectNothingLeft({ world }: Play): Promise<void> {
  expect(await thingsBelow(join(world.poolDir, 'volumes'))).toEqual([]);
  expect(await thingsBelow(join(world.poolDir, 'snapshots'))).toEqual([]);
  expect((await readdir(world.poolDir)).filter((name) => name.startsWith('.'))).toEqual([]);
  for (const node of NODES) {
    expect(await readdir(world.attachDir(node))).toEqual(['node.json']);
    await world.sweep(node, false);
    expect(await thingsBelow(world.machineDir(node))).toEqual([]);
    expect(await thingsBelow(join(world.root, node, 'kubelet'))).toEqual([]);
    const records = await readdir(world.journalDir(node));
    expect(
      records.filter((name) => !/^(begun|vol-[0-9a-f]{32}\.json(\.unreadable-\d+)?)$/.test(name)),
    ).toEqual([]);
  }
}
