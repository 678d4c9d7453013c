import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { milliseconds, spreadOf, timed } from '../measure.ts';
import type { Row } from '../table.ts';
import type { Driver, Workshop } from '../workshop.ts';

const STARTS = 7;
/** What a fresh process needs to settle before its memory is that of an idle one. */
const IDLE_MS = 2000;

/** From the start of the process to the answer of a Probe that says ready, and what it then holds in memory. */
export async function startUpRows(workshop: Workshop): Promise<readonly Row[]> {
  const starts: number[] = [];
  for (let start = 0; start < STARTS; start++) {
    const home = await workshop.makeFolder(`start-${start}`);
    let driver: Driver | undefined;
    starts.push(
      await timed(async () => {
        driver = await startReady(workshop, 'all', home);
      }),
    );
    await driver?.stop();
  }
  const { min, p50, max } = spreadOf(starts);
  const rss: string[] = [];
  for (const mode of ['controller', 'node', 'all'] as const) {
    const driver = await startReady(workshop, mode, await workshop.makeFolder(`idle-${mode}`));
    await sleep(IDLE_MS);
    rss.push(`${mode} ${await rssMebibytes(driver.process.pid)}`);
    await driver.stop();
  }
  return [
    {
      what: `start to first ready Probe, simulated host, ${STARTS} starts`,
      measured: `min ${milliseconds(min)}, median ${milliseconds(p50)}, max ${milliseconds(max)}`,
      aim: '',
      verdict: 'none',
    },
    { what: 'idle RSS after start, MiB', measured: rss.join(', '), aim: '', verdict: 'none' },
  ];
}

async function startReady(
  workshop: Workshop,
  mode: 'controller' | 'node' | 'all',
  home: string,
): Promise<Driver> {
  const controller = { 'pool-dir': `${home}/pool` };
  const node = { host: 'simulated', 'node-id': 'bench', 'state-dir': `${home}/state` };
  const driver = await workshop.start(mode, home, {
    'attach-dir': `${home}/attach`,
    ...(mode === 'node' ? {} : controller),
    ...(mode === 'controller' ? {} : node),
  });
  const { ready } = await driver.identity.probe({});
  if (ready?.value !== true) throw new Error(`a ${mode} that serves answered its first Probe with not ready`);
  return driver;
}

async function rssMebibytes(pid: number): Promise<string> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const kibibytes = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]);
  return (kibibytes / 1024).toFixed(0);
}
