/* eslint-disable jest/no-export -- a suite for every host, run by the tests beside it */
import { readdir } from 'node:fs/promises';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { CALL_BUDGETS, type BudgetedOperation } from '../../../src/core/call-budgets.ts';
import { MIB } from '../../../src/core/capacity.ts';
import type { HostUnderTest } from '../../contract/host-storage/bench.ts';
import { RealNode } from '../../support/real-node.ts';

export const DISK_BYTES = 256n * MIB;
const GROWN_BYTES = 512n * MIB;
const DATA = 'what the pod wrote';

type Work = (node: RealNode) => Promise<unknown>;

const stage: Work = (node) => node.call('NodeStageVolume');
const publish: Work = (node) => node.call('NodePublishVolume');
const unpublish: Work = (node) => node.call('NodeUnpublishVolume');
const unstage: Work = (node) => node.call('NodeUnstageVolume');
const expand: Work = (node) =>
  node.call('NodeExpandVolume', {
    volume_capability: null,
    capacity_range: { required_bytes: GROWN_BYTES.toString(), limit_bytes: '0' },
  });

const inTurn =
  (...works: readonly Work[]): Work =>
  async (node) => {
    for (const work of works) await work(node);
  };
const fill: Work = (node) => node.write(node.stagingPath, DATA);
const growDisk: Work = (node) => node.hands.growDisk(node.disk, GROWN_BYTES);

export interface Sequence {
  readonly operation: BudgetedOperation;
  readonly before: Work;
  readonly run: Work;
}

/** The operations that have a budget, over a disk of 256 MiB; each with what has to be there before it. */
export const SEQUENCES: readonly Sequence[] = [
  { operation: 'NodeStage, blank disk', before: inTurn(), run: stage },
  { operation: 'NodeStage, formatted disk', before: inTurn(stage, fill, unstage), run: stage },
  { operation: 'NodeStage, repeat', before: inTurn(stage, fill), run: stage },
  { operation: 'NodePublish', before: inTurn(stage, fill), run: publish },
  { operation: 'NodePublish, repeat', before: inTurn(stage, fill, publish), run: publish },
  { operation: 'NodeUnpublish', before: inTurn(stage, fill, publish), run: unpublish },
  { operation: 'NodeUnstage', before: inTurn(stage, fill), run: unstage },
  { operation: 'NodeUnstage, repeat', before: inTurn(stage, fill, unstage), run: unstage },
  { operation: 'NodeExpand', before: inTurn(stage, fill, growDisk), run: expand },
];

/** Whatever came before: the volume is given to a pod with its data, and taken down again. */
async function expectWholeLife(node: RealNode): Promise<void> {
  await stage(node);
  await publish(node);
  expect(await node.read(node.targetPath)).toBe(node.written);
  await unpublish(node);
  await unstage(node);
  expect(await readdir(node.stagingPath)).toEqual([]);
  expect(await node.record()).toMatchObject({ phase: 'unstaged', targets: [] });
  expect(node.formats).toBe(1);
}

/** The node's sequences over a host that really keeps data: budgets, crashes, reboots. */
export function describeNodeLife(name: string, factory: () => Promise<HostUnderTest>): void {
  describe(`node over the ${name} host`, () => {
    jest.setTimeout(120_000);
    const open: HostUnderTest[] = [];

    async function newNode(): Promise<RealNode> {
      const hands = await factory();
      open.push(hands);
      return RealNode.create(hands, DISK_BYTES);
    }

    afterEach(async () => {
      for (const hands of open.splice(0)) await hands.cleanup();
    });

    it.each(SEQUENCES)('$operation keeps to its budget', async ({ operation, before, run }) => {
      const node = await newNode();
      await before(node);
      expect((await node.during(() => run(node))).length).toBeLessThanOrEqual(CALL_BUDGETS[operation]);
    });

    it.each(SEQUENCES)('law 3: $operation converges after a death at any place', async ({ before, run }) => {
      const measure = await newNode();
      await before(measure);
      await measure.restart();
      await run(measure);
      for (let last = 1; last <= measure.steps; last += 1) {
        const node = await newNode();
        await before(node);
        await node.restart(last);
        await expect(run(node)).rejects.toThrow('the process is dead');
        await node.restart();
        await run(node);
        await expectWholeLife(node);
      }
    });

    it('gives the numbers of the file system, and the new ones after it grew', async () => {
      const node = await newNode();
      await inTurn(stage, fill, growDisk)(node);
      const before = await node.call('NodeGetVolumeStats');
      expect(totalOf(before)).toBeGreaterThan(DISK_BYTES - 20n * MIB);
      expect(await expand(node)).toEqual({ capacity_bytes: GROWN_BYTES.toString() });
      expect(totalOf(await node.call('NodeGetVolumeStats'))).toBeGreaterThan(GROWN_BYTES - 20n * MIB);
      expect(await node.read(node.stagingPath)).toBe(DATA);
      await expectWholeLife(node);
    });

    it('law 1: never formats a volume again, though kubelet replays a publish_context that says blank', async () => {
      const node = await newNode();
      await inTurn(stage, fill, unstage)(node);
      await node.restart();
      await stage(node);
      expect(await node.read(node.stagingPath)).toBe(DATA);
      await expectWholeLife(node);
    });

    it('law 12: sweeps nothing while all is well, also at start', async () => {
      const node = await newNode();
      await inTurn(stage, fill, publish)(node);
      await node.restart();
      await node.sweep(true);
      expect(await node.read(node.targetPath)).toBe(DATA);
      await unpublish(node);
      await expectWholeLife(node);
    });
  });
}

function totalOf(answer: Readonly<Record<string, unknown>>): bigint {
  const [usage] = answer['usage'] as readonly { readonly total: string }[];
  return BigInt(usage?.total ?? '0');
}
