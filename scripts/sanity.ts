import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDriver } from '../src/app/demo/driver-process.ts';
import { findLeftovers, removeLeftovers } from '../src/app/demo/leftovers.ts';
import { findCsiSanity } from './lib/csi-sanity.ts';
import { run, runTool } from './lib/run.ts';

/** Runs csi-sanity against the built binary, once a host layer, and prints csi-sanity's own summary of each. */
interface SpecReport {
  readonly name: string;
  readonly state: string;
}

interface Row {
  readonly host: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly complaints: readonly string[];
}

const GIB = 1024 ** 3;

async function main(): Promise<void> {
  const sanity = await findCsiSanity();
  if (sanity === undefined) {
    console.log(
      'csi-sanity NOT RUN: it is not installed and there is no Go to install it with (apt-get install golang).',
    );
    finish([], process.env['CI'] === 'true' ? 1 : 0);
    return;
  }
  await runTool('tsx', ['scripts/build.ts'], { show: true });
  const hosts = process.getuid?.() === 0 ? ['simulated', 'linux'] : ['simulated'];
  if (hosts.length === 1) console.log('csi-sanity on the linux host NOT RUN: it needs root.');
  const rows: Row[] = [];
  for (const host of hosts) rows.push(await sanityOf(host, sanity));
  finish(rows, hosts.length === 1 && process.env['CI'] === 'true' ? 1 : 0);
}

async function sanityOf(host: string, sanity: string): Promise<Row> {
  const folder = await mkdtemp(join(tmpdir(), `csi-sanity-${host}-`));
  console.log(`\n── csi-sanity, ${host} host ──`);
  try {
    return await runIn(folder, host, sanity);
  } finally {
    await removeLeftovers(folder);
    const left = await findLeftovers(folder);
    if (left.mounts.length === 0) await rm(folder, { recursive: true, force: true });
  }
}

async function runIn(folder: string, host: string, sanity: string): Promise<Row> {
  for (const name of ['pool', 'attach', 'state', 'kubelet']) await mkdir(join(folder, name));
  const endpoint = `unix://${folder}/csi.sock`;
  const report = join(folder, 'report.json');
  const driver = await startDriver({
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
  const { output } = await run(sanity, [
    `--csi.endpoint=${endpoint}`,
    `--csi.mountdir=${folder}/kubelet/mount`,
    `--csi.stagingdir=${folder}/kubelet/staging`,
    `--csi.testvolumesize=${GIB}`,
    `--csi.testvolumeexpandsize=${2 * GIB}`,
    '--csi.testnodevolumeattachlimit=true',
    '--ginkgo.no-color',
    `--ginkgo.json-report=${report}`,
  ]);
  await driver.stop();
  const specs = await readReport(report);
  const complaints = [...(await complaintsOf(specs)), ...(await leftoversOf(folder))];
  const summary = output.split('\n').slice(output.split('\n').findIndex((line) => line.startsWith('Ran ')));
  console.log(specs.some(({ state }) => state === 'failed') ? output : summary.join('\n').trim());
  for (const complaint of complaints) console.log(`✘ ${complaint}`);
  const count = (wanted: string): number => specs.filter(({ state }) => state === wanted).length;
  return {
    host,
    passed: count('passed'),
    failed: specs.filter(({ state }) => !['passed', 'skipped', 'pending'].includes(state)).length,
    skipped: count('skipped') + count('pending'),
    complaints,
  };
}

async function readReport(path: string): Promise<readonly SpecReport[]> {
  type Ginkgo = {
    SpecReports: { ContainerHierarchyTexts: string[] | null; LeafNodeText: string; State: string }[];
  }[];
  const suites = JSON.parse(await readFile(path, 'utf8')) as Ginkgo;
  return suites
    .flatMap((suite) => suite.SpecReports)
    .filter((spec) => spec.LeafNodeText !== '')
    .map((spec) => ({
      name: [...(spec.ContainerHierarchyTexts ?? []), spec.LeafNodeText].join(' > '),
      state: spec.State,
    }));
}

/** Skips that are not expected, and expected skips that ran. */
async function complaintsOf(specs: readonly SpecReport[]): Promise<string[]> {
  const { skips } = JSON.parse(await readFile('test/sanity/expected-skips.json', 'utf8')) as {
    skips: { spec: string; reason: string }[];
  };
  const expected = new Map(skips.map(({ spec, reason }) => [spec, reason]));
  const skipped = specs
    .filter(({ state }) => state === 'skipped' || state === 'pending')
    .map(({ name }) => name);
  return [
    ...skipped
      .filter((name) => !expected.has(name))
      .map((name) => `skipped, but not expected to be: ${name}`),
    ...[...expected.keys()]
      .filter((name) => !skipped.includes(name))
      .map((name) => `expected to be skipped, but ran: ${name}`),
  ];
}

async function leftoversOf(folder: string): Promise<string[]> {
  const { mounts, loops } = await findLeftovers(folder);
  return [
    ...mounts.map((mount) => `still mounted: ${mount}`),
    ...loops.map((loop) => `loop device left: ${loop}`),
  ];
}

function finish(rows: readonly Row[], code: number): void {
  console.log('');
  for (const { host, passed, failed, skipped } of rows) {
    console.log(
      `csi-sanity on the ${host} host: ${passed} passed, ${failed} failed, ${skipped} skipped as expected`,
    );
  }
  const failed = rows.reduce((sum, row) => sum + row.failed + row.complaints.length, 0);
  console.log(`sanity: ${rows.reduce((sum, row) => sum + row.passed, 0)} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : code;
}

void main();
