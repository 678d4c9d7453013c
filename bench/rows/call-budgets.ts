import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { HostLayer } from '../../src/app/demo/world.ts';
import { type BudgetedOperation, CALL_BUDGETS } from '../../src/core/call-budgets.ts';
import { type MachineOptions, startMachine } from '../machine.ts';
import { type Row, verdictOf } from '../table.ts';
import { Volume } from '../volume.ts';
import type { Workshop } from '../workshop.ts';

const MEBIBYTES = 128;
const GROWN_MEBIBYTES = 512;

/** Host calls that each operation made; one that a host does not have is absent. */
export type CallCounts = ReadonlyMap<BudgetedOperation, number>;

/** Walks one volume through every node operation and reads from the metrics what each cost. */
export async function countCalls(workshop: Workshop, options: MachineOptions): Promise<CallCounts> {
  const { host, throughProxy = false } = options;
  const machine = await startMachine(workshop, `budgets-${host}${throughProxy ? '-proxy' : ''}`, options);
  const counts = new Map<BudgetedOperation, number>();
  const count = async (operation: BudgetedOperation, action: () => Promise<void>): Promise<void> => {
    const before = await machine.hostCalls();
    await action();
    counts.set(operation, (await machine.hostCalls()) - before);
  };
  const volume = new Volume(machine, 'budgets');
  await volume.create(MEBIBYTES);
  await volume.attach();
  await count('NodeStage, blank disk', () => volume.stage());
  await count('NodeStage, repeat', () => volume.stage());
  await count('NodePublish', () => volume.publish());
  await count('NodePublish, repeat', () => volume.publish());
  await countStats(host, volume, machine.folder, count);
  await volume.expand(GROWN_MEBIBYTES);
  await count('NodeExpand', () => volume.expandOnNode(GROWN_MEBIBYTES));
  await count('NodeUnpublish', () => volume.unpublish());
  await count('NodeUnstage', () => volume.unstage());
  await count('NodeUnstage, repeat', () => volume.unstage());
  await volume.detach();
  await volume.attach();
  await count('NodeStage, formatted disk', () => volume.stage());
  await volume.unstage();
  await volume.detach();
  await volume.delete();
  await machine.stop();
  return counts;
}

/**
 * The Linux host lets the driver stat a path itself, once the journal says whose it is; for a path the journal does
 * not know, here a link beside it, the host is asked. The simulated host has no file system to stat.
 */
async function countStats(
  host: HostLayer,
  volume: Volume,
  folder: string,
  count: (operation: BudgetedOperation, action: () => Promise<void>) => Promise<void>,
): Promise<void> {
  if (host === 'simulated') {
    // Behind a proxy the node finds out once that it sees no mount.
    await volume.stats(volume.podPath);
    await count('NodeGetVolumeStats', () => volume.stats(volume.podPath));
    return;
  }
  await count('NodeGetVolumeStats, local path', () => volume.stats(volume.podPath));
  const links = join(folder, 'links');
  await mkdir(links);
  await symlink(volume.stagingPath, join(links, 'volume'));
  await count('NodeGetVolumeStats', () => volume.stats(join(links, 'volume')));
}

export interface HostCounts {
  readonly host: HostLayer;
  /** Why there are none, instead of the counts. */
  readonly counts: CallCounts | string;
}

/** One row per budget, all hosts in it. `calls`: whose calls these are. */
export function callBudgetRows(calls: string, hosts: readonly HostCounts[]): readonly Row[] {
  return Object.entries(CALL_BUDGETS).map(([operation, budget]) => {
    const found = hosts.map(({ host, counts }) => ({
      host,
      made: typeof counts === 'string' ? counts : counts.get(operation as BudgetedOperation),
    }));
    const counted = found.flatMap(({ made }) => (typeof made === 'number' ? [made] : []));
    return {
      what: `${calls} of ${operation}`,
      measured: found.map(({ host, made }) => `${host} ${made ?? 'has none'}`).join(', '),
      aim: `≤ ${budget}`,
      verdict: counted.length === 0 ? 'none' : verdictOf(counted.every((made) => made <= budget)),
    };
  });
}
