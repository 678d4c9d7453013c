/* eslint-disable jest/no-export -- a suite for both hosts, run by the tests beside it */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { thingsBelow } from '../../property/driver/observe.ts';
import { driverFolder } from '../../support/built-driver.ts';
import { leftoversBelow, removeLeftovers } from '../../support/linux-leftovers.ts';
import { type HostLayer, MortalDriver, randomFrom } from './mortal-driver.ts';
import { VolumeLife } from './volume-life.ts';

const START_MIB = 260;
/** NTFS hosts may ignore a growth below 100 MiB. */
const GROWTH_MIB = 120;
const MOST_MS = 55_000;

/** One life after another, each call of which may be the last of its process. */
export function itSurvivesKills(host: HostLayer, kills: number): void {
  let driver: MortalDriver;
  let remove: () => Promise<void>;
  const seed = Number(process.env['DRIVER_SEED'] ?? Date.now() % 1_000_000);

  beforeEach(async () => {
    const made = await driverFolder();
    remove = made.remove;
    driver = new MortalDriver(made.folder, { host, random: randomFrom(seed), kills });
  });

  afterEach(async () => {
    await driver.abandon();
    removeLeftovers(driver.folder);
    await remove();
  });

  // eslint-disable-next-line jest/expect-expect -- `live` is full of them
  it(`laws 1, 3 and 8: keeps every byte through ${kills} kills and leaves nothing behind (DRIVER_SEED=${seed})`, async () => {
    try {
      await live(driver);
    } catch (error) {
      throw new Error(`killed in ${driver.kills.join(', ')}; answered ${driver.refusals.join(' | ')}`, {
        cause: error,
      });
    }
  }, 180_000);
}

async function live(driver: MortalDriver): Promise<void> {
  const until = Date.now() + MOST_MS;
  await driver.start();
  const volume = await VolumeLife.create(driver, 'a', START_MIB);
  await volume.up();
  for (let round = 1; !driver.isSpent && Date.now() < until; round++) {
    await volume.write(`file-${round}`, 100_000);
    await volume.expand(START_MIB + round * GROWTH_MIB);
    await volume.expectIntact();
    await volume.down();
    await copyAndLook(driver, volume, round);
    await volume.up();
    await volume.expectIntact();
  }
  expect(driver.kills.length).toBeGreaterThan(0);
  await volume.down();
  await volume.delete();
  await driver.letNodeLook();
  await driver.stop();
  await expectNothingLeft(driver);
}

/** A snapshot of the volume, and a volume made of it, hold what the volume holds. */
async function copyAndLook(driver: MortalDriver, volume: VolumeLife, round: number): Promise<void> {
  const snapshotId = await volume.snapshot(`snapshot-${round}`);
  const copy = await VolumeLife.create(driver, `copy-${round}`, START_MIB, {
    snapshotId,
    files: volume.files,
  });
  await copy.up();
  await copy.expectIntact();
  await copy.write('of-the-copy', 5000);
  await copy.down();
  await copy.up();
  await copy.expectIntact();
  await copy.down();
  await copy.delete();
  await volume.deleteSnapshot(snapshotId);
}

async function expectNothingLeft({ folder, poolDir }: MortalDriver): Promise<void> {
  expect(leftoversBelow(folder)).toEqual({ mounts: [], loops: [] });
  expect((await readdir(poolDir)).filter((name) => name.startsWith('.'))).toEqual([]);
  for (const kind of ['volumes', 'snapshots']) expect(await readdir(join(poolDir, kind))).toEqual([]);
  expect(await readdir(join(folder, 'attach/node-1'))).toEqual(['node.json']);
  expect(await thingsBelow(join(folder, 'kubelet'))).toEqual([]);
  const state = await thingsBelow(join(folder, 'state'));
  expect(state.filter((path) => !path.startsWith(join(folder, 'state/journal/')))).toEqual([]);
  expect(state.filter((path) => path.endsWith('.tmp'))).toEqual([]);
}
