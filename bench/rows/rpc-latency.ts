import { grouped, inParallel, milliseconds, spreadOf, timed } from '../measure.ts';
import type { Row } from '../table.ts';
import type { Workshop } from '../workshop.ts';

const WARM_UP_CALLS = 2000;
const CALLS = { 1: 3000, 32: 12_000 } as const;

/** The cheapest calls there are: what every RPC pays for gRPC and the layers around a handler. */
export async function rpcLatencyRows(workshop: Workshop): Promise<readonly Row[]> {
  const home = await workshop.makeFolder('latency');
  const driver = await workshop.start('all', home, {
    'attach-dir': `${home}/attach`,
    'pool-dir': `${home}/pool`,
    'state-dir': `${home}/state`,
    'node-id': 'bench',
    host: 'simulated',
  });
  const calls = {
    Probe: () => driver.identity.probe({}),
    NodeGetCapabilities: () => driver.node.nodeGetCapabilities({}),
  };
  const rows: Row[] = [];
  for (const [name, call] of Object.entries(calls)) {
    await inParallel(32, WARM_UP_CALLS, async () => {
      await call();
    });
    for (const concurrency of [1, 32] as const) {
      rows.push(await measure(`${name}, ${concurrency} at a time`, call, concurrency, CALLS[concurrency]));
    }
  }
  await driver.stop();
  return rows;
}

async function measure(
  what: string,
  call: () => Promise<unknown>,
  concurrency: number,
  count: number,
): Promise<Row> {
  const samples: number[] = [];
  const all = await timed(() =>
    inParallel(concurrency, count, async () => {
      samples.push(await timed(call));
    }),
  );
  const { p50, p99 } = spreadOf(samples);
  const perSecond = (count / all) * 1000;
  return {
    what,
    measured: `p50 ${milliseconds(p50)}, p99 ${milliseconds(p99)}, ${grouped(perSecond)} calls/s`,
    aim: '',
    verdict: 'none',
  };
}
