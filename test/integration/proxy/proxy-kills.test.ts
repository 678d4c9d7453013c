import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { StorageError } from '../../../src/core/errors.ts';
import { type AroundHostCall, aroundHostCalls } from '../../../src/core/host-calls.ts';
import { BASIC_PARTITION_FIRST_LBA, SECTOR_BYTES } from '../../../src/core/gpt.ts';
import { BOOT_SECTOR_BYTES, decodeNtfsBootSector } from '../../../src/core/ntfs-boot-sector.ts';
import type { ProxyHostStorage } from '../../../src/proxyclient/proxy-host-storage.ts';
import { RealNode } from '../../support/real-node.ts';
import { simulatedHost } from '../../support/simulated-host.ts';
import type { LocalDisks } from '../../support/local-disks.ts';
import { DISK_BYTES } from '../node/node-life.ts';
import { ProxyProcess } from './proxy-process.ts';

jest.setTimeout(240_000);

/**
 * When in a call the server dies: before it is sent, that many milliseconds after, when the work is done and nobody
 * hears of it, or when it has answered.
 */
const MOMENTS = ['before', 0, 3, 'unheard', 'after'] as const;
const MOST_TRIES = 200;
const DATA = 'what the pod wrote';

describe('CSI Proxy killed during a stage', () => {
  let disks: LocalDisks;
  let proxy: ProxyProcess;
  let host: ProxyHostStorage;
  let hands: Awaited<ReturnType<typeof simulatedHost>>;

  beforeEach(async () => {
    hands = await simulatedHost();
    disks = hands.disks;
    proxy = new ProxyProcess(disks);
    await proxy.start();
    host = proxy.connect();
  });

  afterEach(async () => {
    host.close();
    await proxy.kill();
    await disks.cleanup();
  });

  /** Kills the server at call `nth`; counts the calls. */
  function deadlyAt(
    nth: number,
    moment: (typeof MOMENTS)[number],
  ): { around: AroundHostCall; calls: () => number } {
    let calls = 0;
    const around: AroundHostCall = async (_call, run) => {
      calls += 1;
      if (calls !== nth) return run();
      if (moment === 'before') {
        await proxy.kill();
        return run();
      }
      const running = run();
      running.catch(() => undefined);
      if (typeof moment === 'number') await wait(moment);
      else await running;
      await proxy.kill();
      if (moment === 'unheard') throw new StorageError('unavailable', 'the answer was lost');
      return running;
    };
    return { around, calls: () => calls };
  }

  /** A CO calls again until it is done. Gives what the disk was formatted as when the server died, if it was. */
  async function untilDone(node: RealNode, method: string): Promise<bigint | undefined> {
    let serial: bigint | undefined;
    for (let tries = 1; ; tries += 1) {
      try {
        await node.call(method);
        return serial;
      } catch (error) {
        if (tries === MOST_TRIES) throw error;
      }
      if (proxy.isDead) {
        serial = await ntfsSerialOf(node.disk.imagePath);
        await proxy.start();
      }
      await wait(50);
    }
  }

  async function stageWithKill(nth: number, moment: (typeof MOMENTS)[number]): Promise<boolean> {
    const { around, calls } = deadlyAt(nth, moment);
    const mortal = { ...hands, host: aroundHostCalls(host, around) };
    const node = await RealNode.create(mortal, DISK_BYTES);
    const serial = await untilDone(node, 'NodeStageVolume');
    const wasKilled = calls() >= nth;
    if (proxy.isDead) await proxy.start();
    await node.write(node.stagingPath, DATA);
    const formatted = await ntfsSerialOf(node.disk.imagePath);
    expect(await proxy.mountsBelow(dirname(node.stagingPath))).toEqual([node.stagingPath]);
    await untilDone(node, 'NodeUnstageVolume');
    expect(await proxy.mountsBelow(dirname(node.stagingPath))).toEqual([]);
    await expectRefusedWhenDamaged(node);
    await untilDone(node, 'NodeStageVolume');
    expect(await node.read(node.stagingPath)).toBe(DATA);
    expect(await ntfsSerialOf(node.disk.imagePath)).toBe(formatted);
    expect([undefined, formatted]).toContain(serial);
    await untilDone(node, 'NodeUnstageVolume');
    await hands.unplugDisk(node.disk);
    return wasKilled;
  }

  /** The journal knows of the format, whatever died since: a disk that lost its boot sector is damaged, not blank. */
  async function expectRefusedWhenDamaged(node: RealNode): Promise<void> {
    const { imagePath } = node.disk;
    const sector = await bootSectorOf(imagePath);
    await writeBootSector(imagePath, Buffer.alloc(BOOT_SECTOR_BYTES));
    await expect(node.call('NodeStageVolume')).rejects.toMatchObject({ code: 'failed-precondition' });
    expect(await ntfsSerialOf(imagePath)).toBeUndefined();
    await writeBootSector(imagePath, sector);
  }

  it.each(MOMENTS)('laws 1 and 3: at any host call (%s)', async (moment) => {
    let kills = 0;
    while (await stageWithKill(kills + 1, moment)) kills += 1;
    expect(kills).toBeGreaterThanOrEqual(8);
  });
});

const BOOT_SECTOR_OFFSET = Number(BASIC_PARTITION_FIRST_LBA * SECTOR_BYTES);

/** The serial number that each format draws anew; `undefined` on a disk that is not formatted. */
const ntfsSerialOf = async (imagePath: string): Promise<bigint | undefined> =>
  decodeNtfsBootSector(await bootSectorOf(imagePath))?.serial;

async function bootSectorOf(imagePath: string): Promise<Buffer> {
  const image = await open(imagePath, 'r');
  try {
    const sector = Buffer.alloc(BOOT_SECTOR_BYTES);
    await image.read(sector, 0, BOOT_SECTOR_BYTES, BOOT_SECTOR_OFFSET);
    return sector;
  } finally {
    await image.close();
  }
}

async function writeBootSector(imagePath: string, sector: Buffer): Promise<void> {
  const image = await open(imagePath, 'r+');
  try {
    await image.write(sector, 0, BOOT_SECTOR_BYTES, BOOT_SECTOR_OFFSET);
  } finally {
    await image.close();
  }
}
