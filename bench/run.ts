import { cpus, release } from 'node:os';
import { runTool } from '../scripts/lib/run.ts';
import type { HostLayer } from '../src/app/demo/world.ts';
import { messageOf } from '../src/core/errors.ts';
import { linuxObstacle } from './machine.ts';
import { callBudgetRows, countCalls, type HostCounts } from './rows/call-budgets.ts';
import { LIFE_CYCLES, lifeCycleRows } from './rows/life-cycles.ts';
import { OVERHEAD, overheadRows } from './rows/overhead.ts';
import { poolSizeRows } from './rows/pool-size.ts';
import { PROXY_COST, proxyCostRows } from './rows/proxy-cost.ts';
import { proxyRoundTripRows } from './rows/proxy-round-trip.ts';
import { rpcLatencyRows } from './rows/rpc-latency.ts';
import { startUpRows } from './rows/start-up.ts';
import { formatTable, type Row } from './table.ts';
import { Workshop } from './workshop.ts';

/**
 * `npm run bench`: builds the driver and measures the bundle. A figure that misses its aim is printed, not an error;
 * more host calls than the budget are.
 */
async function main(): Promise<void> {
  const begin = performance.now();
  const progress = (line: string): void => {
    console.log(`${((performance.now() - begin) / 1000).toFixed(1).padStart(6)} s  ${line}`);
  };
  progress('building the bundle');
  const { code, output } = await runTool('tsx', ['scripts/build.ts']);
  if (code !== 0) throw new Error(`the build failed:\n${output}`);
  const workshop = await Workshop.open();
  const interrupts = onInterrupt(workshop);
  let rows: readonly Row[];
  let overBudget: readonly Row[];
  try {
    ({ rows, overBudget } = await measureAll(workshop, progress));
    progress('cleaning up');
    await workshop.close();
  } catch (error) {
    for (const line of await workshop.lastErrors()) console.error(line);
    await workshop.abandon();
    throw error;
  } finally {
    interrupts.forget();
  }
  console.log(`\nLinux ${release()}, ${cpus().length} CPUs, Node.js ${process.version}\n`);
  console.log(formatTable(rows));
  if (overBudget.length > 0) throw new Error(`over budget: ${overBudget.map(({ what }) => what).join('; ')}`);
}

async function measureAll(
  workshop: Workshop,
  progress: (line: string) => void,
): Promise<{ readonly rows: readonly Row[]; readonly overBudget: readonly Row[] }> {
  const obstacle = await linuxObstacle();
  if (obstacle !== undefined) progress(`rows of the Linux host: ${obstacle}`);
  const onLinux = async (what: string, run: () => Promise<readonly Row[]>): Promise<readonly Row[]> => {
    if (obstacle !== undefined) return [{ what, measured: obstacle, aim: '', verdict: 'none' }];
    progress(what);
    return run();
  };
  progress('starting the driver some times');
  const startUp = await startUpRows(workshop);
  progress('Probe and NodeGetCapabilities');
  const latency = await rpcLatencyRows(workshop);
  const poolSize = await poolSizeRows(workshop, progress);
  progress('host calls of the node operations');
  const counts = async (host: HostLayer, throughProxy: boolean): Promise<HostCounts> =>
    host === 'linux' && obstacle !== undefined
      ? { host, counts: obstacle }
      : { host, counts: await countCalls(workshop, { host, throughProxy }) };
  const budgets = [
    ...callBudgetRows('host calls', [await counts('simulated', false), await counts('linux', false)]),
    ...callBudgetRows('calls at the proxy', [await counts('simulated', true), await counts('linux', true)]),
  ];
  progress('CSI Proxy round trips');
  const roundTrip = await proxyRoundTripRows(workshop);
  const overhead = await onLinux(OVERHEAD, () => overheadRows(workshop));
  const proxyCost = await onLinux(PROXY_COST, () => proxyCostRows(workshop));
  const cycles = await onLinux(LIFE_CYCLES, () => lifeCycleRows(workshop));
  return {
    rows: [
      ...startUp,
      ...latency,
      ...roundTrip,
      ...poolSize,
      ...budgets,
      ...overhead,
      ...proxyCost,
      ...cycles,
    ],
    overBudget: budgets.filter(({ verdict }) => verdict === 'missed'),
  };
}

/** Ctrl-C cleans up as a failure does. */
function onInterrupt(workshop: Workshop): { forget: () => void } {
  const handler = (): void => {
    void workshop.abandon().finally(() => process.exit(130));
  };
  process.once('SIGINT', handler);
  process.once('SIGTERM', handler);
  return {
    forget: () => {
      process.removeListener('SIGINT', handler);
      process.removeListener('SIGTERM', handler);
    },
  };
}

main().catch((error: unknown) => {
  console.error(`\nThe benchmark failed: ${messageOf(error)}`);
  process.exitCode = 1;
});
