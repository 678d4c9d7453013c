import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { findLeftovers, removeLeftovers } from '../src/app/demo/leftovers.ts';
import { CSI_SANITY_VERSIONS, type CsiSanityVersion, findCsiSanity } from './lib/csi-sanity.ts';
import { buildDriver, run } from './lib/run.ts';
import { expectedSkips, isSkipped, readReport, skipComplaints, skipPattern } from './lib/sanity-report.ts';
import { type SanityTarget, shortcomingsIn, startTarget, targetsOf, targetTitle } from './lib/sanity-runs.ts';

/** Runs csi-sanity against the built binary over each host, and prints csi-sanity's own summary of each. */
interface Row {
  readonly title: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Unexpected skips, and what was left behind. */
  readonly complaints: readonly string[];
  /** What it cannot do, with what that costs: none of it made a spec fail. */
  readonly cannot: readonly string[];
}

interface Run extends SanityTarget {
  readonly version: CsiSanityVersion;
  readonly program: string;
}

const UNPLUG_MS = 5000;
const PAUSE_MS = 100;
const GIB = 1024 ** 3;
const IS_ROOT = process.getuid?.() === 0;

async function main(): Promise<void> {
  await buildDriver();
  const rows: Row[] = [];
  const notRun: string[] = IS_ROOT ? [] : ['the linux host: it needs root'];
  for (const version of CSI_SANITY_VERSIONS) {
    const program = await findCsiSanity(version);
    if (program === undefined) {
      notRun.push(`csi-sanity ${version}: it cannot be installed without Go and its proxy`);
      continue;
    }
    const targets = targetsOf(version, IS_ROOT ? ['simulated', 'linux'] : ['simulated']);
    for (const target of targets) rows.push(await sanityOf({ ...target, version, program }));
  }
  print(rows, notRun);
}

async function sanityOf(sanity: Run): Promise<Row> {
  const title = `csi-sanity ${sanity.version} on ${targetTitle(sanity)}`;
  console.log(`\n── ${title} ──`);
  const folder = await mkdtemp(join(tmpdir(), `csi-sanity-${sanity.host}-`));
  try {
    return { title, ...(await runIn(sanity, folder)), cannot: shortcomingsIn(sanity) };
  } finally {
    await removeLeftovers(folder);
    const { mounts } = await findLeftovers(folder);
    if (mounts.length === 0) await rm(folder, { recursive: true, force: true });
  }
}

async function runIn(sanity: Run, folder: string): Promise<Omit<Row, 'title' | 'cannot'>> {
  await mkdir(join(folder, 'kubelet'));
  const endpoint = `unix://${folder}/csi.sock`;
  const report = join(folder, 'report.json');
  const skips = await expectedSkips(sanity.version, targetTitle(sanity));
  const processes = await startTarget(sanity, folder, endpoint);
  const { output } = await run(sanity.program, [
    `--csi.endpoint=${endpoint}`,
    `--csi.mountdir=${folder}/kubelet/mount`,
    `--csi.stagingdir=${folder}/kubelet/staging`,
    `--csi.testvolumesize=${GIB}`,
    `--csi.testvolumeexpandsize=${2 * GIB}`,
    '--csi.testnodevolumeattachlimit=true',
    `--ginkgo.skip=${skipPattern(skips)}`,
    '--ginkgo.no-color',
    `--ginkgo.json-report=${report}`,
  ]);
  await untilUnplugged(folder);
  for (const one of processes.toReversed()) await one.stop();
  const specs = await readReport(report);
  const failed = specs.filter((spec) => spec.state !== 'passed' && !isSkipped(spec)).length;
  console.log(failed > 0 ? output : output.slice(output.indexOf('\nRan ')).trim());
  const { mounts, loops } = await findLeftovers(folder);
  return {
    passed: specs.filter(({ state }) => state === 'passed').length,
    failed,
    skipped: specs.filter(isSkipped).length,
    complaints: [
      ...skipComplaints(specs, skips),
      ...[...mounts, ...loops].map((left) => `left behind: ${left}`),
    ],
  };
}

/** Where disks come online by themselves, the machine lets go of one a moment after it was unplugged. */
async function untilUnplugged(folder: string): Promise<void> {
  for (let waited = 0; waited < UNPLUG_MS; waited += PAUSE_MS) {
    if ((await findLeftovers(folder)).loops.length === 0) return;
    await wait(PAUSE_MS);
  }
}

function print(rows: readonly Row[], notRun: readonly string[]): void {
  console.log('');
  for (const { title, passed, failed, skipped, complaints, cannot } of rows) {
    console.log(`${title}: ${passed} passed, ${failed} failed, ${skipped} skipped as expected`);
    for (const complaint of complaints) console.log(`  ✘ ${complaint}`);
    for (const what of cannot) console.log(`  cannot: ${what}`);
  }
  for (const what of notRun) console.log(`NOT RUN, ${what}`);
  const passed = rows.reduce((sum, row) => sum + row.passed, 0);
  const failed = rows.reduce((sum, row) => sum + row.failed + row.complaints.length, 0);
  console.log(`sanity: ${passed} passed, ${failed} failed`);
  const isIncomplete = notRun.length > 0 && process.env['CI'] === 'true';
  process.exitCode = failed > 0 || isIncomplete ? 1 : 0;
}

void main();
