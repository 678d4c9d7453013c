import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
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

/** When in a call the server dies: before it is sent, that many milliseconds after, or when it has answered. */
const MOMENTS = ['before', 0, 1, 3, 'after'] as const;
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
      if (moment === 'after') await running;
      else await wait(moment);
      await proxy.kill();
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
    await untilDone(node, 'NodeStageVolume');
    expect(await node.read(node.stagingPath)).toBe(DATA);
    expect(await ntfsSerialOf(node.disk.imagePath)).toBe(formatted);
    expect([undefined, formatted]).toContain(serial);
    await untilDone(node, 'NodeUnstageVolume');
    await hands.unplugDisk(node.disk);
    return wasKilled;
  }

  it.each(MOMENTS)('laws 1 and 3: at any host call (%s)', async (moment) => {
    let kills = 0;
    while (await stageWithKill(kills + 1, moment)) kills += 1;
    expect(kills).toBeGreaterThanOrEqual(8);
  });
});

/** The serial number that each format draws anew; `undefined` on a disk that is not formatted. */
async function ntfsSerialOf(imagePath: string): Promise<bigint | undefined> {
  const sector = Buffer.alloc(BOOT_SECTOR_BYTES);
  const image = await open(imagePath, 'r');
  try {
    await image.read(sector, 0, BOOT_SECTOR_BYTES, Number(BASIC_PARTITION_FIRST_LBA * SECTOR_BYTES));
  } finally {
    await image.close();
  }
  return decodeNtfsBootSector(sector)?.serial;
}
