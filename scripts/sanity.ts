import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDriver } from '../src/app/demo/driver-process.ts';
import { findLeftovers, removeLeftovers } from '../src/app/demo/leftovers.ts';
import { CSI_SANITY_VERSIONS, type CsiSanityVersion, findCsiSanity } from './lib/csi-sanity.ts';
import { buildDriver, run } from './lib/run.ts';
import { expectedSkips, isSkipped, readReport, skipComplaints, skipPattern } from './lib/sanity-report.ts';

/** Runs csi-sanity against the built binary, once a host layer, and prints csi-sanity's own summary of each. */
interface Row {
  readonly title: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Unexpected skips, and what was left behind. */
  readonly complaints: readonly string[];
}

interface Run {
  readonly host: 'simulated' | 'linux';
  readonly version: CsiSanityVersion;
  readonly program: string;
  readonly folder: string;
}

const GIB = 1024 ** 3;
const IS_ROOT = process.getuid?.() === 0;

async function main(): Promise<void> {
  await buildDriver();
  const rows: Row[] = [];
  const notRun: string[] = IS_ROOT ? [] : ['the linux host: it needs root'];
  for (const version of CSI_SANITY_VERSIONS) {
    const program = await findCsiSanity(version);
    if (program === undefined)
      notRun.push(`csi-sanity ${version}: it cannot be installed without Go and its proxy`);
    else for (const host of hosts()) rows.push(await sanityOf(host, version, program));
  }
  print(rows, notRun);
}

const hosts = (): readonly Run['host'][] => (IS_ROOT ? ['simulated', 'linux'] : ['simulated']);

async function sanityOf(host: Run['host'], version: CsiSanityVersion, program: string): Promise<Row> {
  console.log(`\n── csi-sanity ${version}, ${host} host ──`);
  const folder = await mkdtemp(join(tmpdir(), `csi-sanity-${host}-`));
  try {
    return await runIn({ host, version, program, folder });
  } finally {
    await removeLeftovers(folder);
    const { mounts } = await findLeftovers(folder);
    if (mounts.length === 0) await rm(folder, { recursive: true, force: true });
  }
}

async function runIn({ host, version, program, folder }: Run): Promise<Row> {
  await mkdir(join(folder, 'kubelet'));
  const endpoint = `unix://${folder}/csi.sock`;
  const report = join(folder, 'report.json');
  const skips = await expectedSkips(version);
  const driver = await startSanityDriver(folder, host, endpoint);
  const { output } = await run(program, [
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
  await driver.stop();
  const specs = await readReport(report);
  const failed = specs.filter((spec) => spec.state !== 'passed' && !isSkipped(spec)).length;
  console.log(failed > 0 ? output : output.slice(output.indexOf('\nRan ')).trim());
  const { mounts, loops } = await findLeftovers(folder);
  const complaints = [
    ...skipComplaints(specs, skips),
    ...[...mounts, ...loops].map((left) => `left behind: ${left}`),
  ];
  return {
    title: `csi-sanity ${version} on the ${host} host`,
    passed: specs.filter(({ state }) => state === 'passed').length,
    failed,
    skipped: specs.filter(isSkipped).length,
    complaints,
  };
}

/** Both services in one process. Room for every volume of the suite, and few enough per node to test the limit. */
const startSanityDriver = (
  folder: string,
  host: Run['host'],
  endpoint: string,
): ReturnType<typeof startDriver> =>
  startDriver({
    program: [process.execPath, 'dist/csi-driver-ntfs.cjs'],
    mode: 'all',
    logFile: join(folder, 'driver.log'),
    flags: {
      endpoint,
      host,
      'node-id': 'sanity-node',
      'pool-dir': join(folder, 'pool'),
      'attach-dir': join(folder, 'attach'),
      'state-dir': join(folder, 'state'),
      'max-volumes-per-node': '8',
      'overcommit-ratio': '10',
    },
  });

function print(rows: readonly Row[], notRun: readonly string[]): void {
  console.log('');
  for (const { title, passed, failed, skipped, complaints } of rows) {
    console.log(`${title}: ${passed} passed, ${failed} failed, ${skipped} skipped as expected`);
    for (const complaint of complaints) console.log(`  ✘ ${complaint}`);
  }
  for (const what of notRun) console.log(`NOT RUN, ${what}`);
  const passed = rows.reduce((sum, row) => sum + row.passed, 0);
  const failed = rows.reduce((sum, row) => sum + row.failed + row.complaints.length, 0);
  console.log(`sanity: ${passed} passed, ${failed} failed`);
  const isIncomplete = notRun.length > 0 && process.env['CI'] === 'true';
  process.exitCode = failed > 0 || isIncomplete ? 1 : 0;
}

void main();
