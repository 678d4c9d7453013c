import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { nodeFolderName } from '../src/core/attach-folder.ts';
import { ALL_SEQUENCES } from '../test/conformance/all-sequences.ts';
import type { Hands } from '../test/conformance/hands.ts';
import { localFiles } from '../test/conformance/local-files.ts';
import { ourHands } from '../test/conformance/our-hands.ts';
import { ourFolders, startOurServer } from '../test/conformance/our-server.ts';
import { powershellHands } from '../test/conformance/powershell-hands.ts';
import { type Row, runSequences } from '../test/conformance/run-sequences.ts';
import type { Era } from '../test/conformance/sequence.ts';
import { Wire } from '../test/conformance/wire.ts';
import { leftoversBelow, removeLeftovers } from '../test/support/linux-leftovers.ts';
import { rowLine, totalsOf, totalsText } from './lib/conformance-report.ts';
import { buildDriver } from './lib/run.ts';

const HELP = `npm run conformance                         our server: every host of this machine, both eras
npm run conformance -- --pipe-dir DIR       a server that runs, over its sockets
npm run conformance -- --pipe-prefix '\\\\.\\pipe\\csi-proxy-'   a server that runs on Windows

  --era 1.2|1.3          how the server is known to behave; without it those rows are not run
  --kubelet-path PATH    what it takes paths below, as Windows names it (C:\\var\\lib\\kubelet)
  --root-dir DIR         the folder that is C:\\ for it (/; not on Windows)
  --hands powershell     virtual disks, shares, services and targets of this Windows machine
  --vhd-dir DIR          where these keep their virtual disks (C:\\Windows\\Temp)
  --attach-dir DIR --state-dir DIR --node-id ID --host simulated|linux
                         disks, shares, services and targets of a server of ours, by its own flags
  --only TEXT            only the rows that have this text in them`;

const { values: FLAGS } = parseArgs({
  options: {
    help: { type: 'boolean' },
    'pipe-dir': { type: 'string' },
    'pipe-prefix': { type: 'string' },
    era: { type: 'string' },
    'kubelet-path': { type: 'string', default: String.raw`C:\var\lib\kubelet` },
    'root-dir': { type: 'string', default: '/' },
    hands: { type: 'string' },
    'vhd-dir': { type: 'string', default: String.raw`C:\Windows\Temp` },
    'attach-dir': { type: 'string' },
    'state-dir': { type: 'string' },
    'node-id': { type: 'string', default: 'node-1' },
    host: { type: 'string', default: 'simulated' },
    only: { type: 'string', default: '' },
  },
});

const HOSTS = process.getuid?.() === 0 ? (['simulated', 'linux'] as const) : (['simulated'] as const);
const ERAS: readonly Era[] = ['1.2', '1.3'];

async function main(): Promise<void> {
  if (FLAGS.help === true) {
    console.log(HELP);
    return;
  }
  const place = placeOfServer();
  const rows = place === undefined ? await runOurs() : await runAgainst(new Wire(place), eraOf(FLAGS.era));
  const totals = totalsOf(rows);
  console.log(`conformance: ${totalsText(totals)}`);
  process.exitCode = totals.failed > 0 || totals.passed === 0 ? 1 : 0;
}

function placeOfServer(): ConstructorParameters<typeof Wire>[0] | undefined {
  const { 'pipe-dir': dir, 'pipe-prefix': prefix } = FLAGS;
  if (dir !== undefined) return { dir };
  return prefix === undefined ? undefined : { prefix };
}

function eraOf(text: string | undefined): Era | undefined {
  if (text === undefined || text === '1.2' || text === '1.3') return text;
  throw new Error(`--era ${text}: it is 1.2 (PowerShell, up to 1.2) or 1.3 (WMI)`);
}

/** Against a server that runs. */
async function runAgainst(wire: Wire, era: Era | undefined): Promise<readonly Row[]> {
  const hands = handsByFlags(wire);
  try {
    return await run(wire, hands, era);
  } finally {
    wire.close();
    await hands.close();
  }
}

function handsByFlags(wire: Wire): Hands {
  const { 'attach-dir': attachDir, 'state-dir': stateDir, 'root-dir': rootDir, host } = FLAGS;
  if (FLAGS.hands === 'powershell') return powershellHands(FLAGS['vhd-dir']);
  if (attachDir === undefined || stateDir === undefined) {
    const files = localFiles(process.platform === 'win32' ? undefined : rootDir);
    return { files, lacks: {}, close: () => Promise.resolve() };
  }
  return ourHands(wire, {
    host: host === 'linux' ? 'linux' : 'simulated',
    rootDir,
    stateDir,
    attachDir: join(attachDir, nodeFolderName(FLAGS['node-id'])),
  });
}

/** Our own server over every host of this machine at both eras. It offers everything, so a missing pipe is a failure. */
async function runOurs(): Promise<readonly Row[]> {
  await buildDriver();
  const rows: Row[] = [];
  for (const host of HOSTS) for (const era of ERAS) rows.push(...(await runOurServer(host, era)));
  if (HOSTS.length === 1) console.log('NOT RUN, the linux host: it needs root');
  return rows;
}

async function runOurServer(host: (typeof HOSTS)[number], era: Era): Promise<readonly Row[]> {
  console.log(`\n── our server as CSI Proxy ${era}, ${host} host ──`);
  const folder = await mkdtemp(join(tmpdir(), 'csi-conformance-'));
  const server = await startOurServer({ folder, host, era });
  const wire = new Wire({ dir: ourFolders(folder).pipeDir });
  const hands = ourHands(wire, { host, ...ourFolders(folder) });
  try {
    const rows = (await run(wire, hands, era)).map(failedWithoutPipe);
    console.log(totalsText(totalsOf(rows)));
    return rows;
  } finally {
    wire.close();
    await hands.close();
    await server.stop();
    removeLeftovers(folder);
    if (leftoversBelow(folder).mounts.length === 0) await rm(folder, { recursive: true, force: true });
  }
}

const failedWithoutPipe = (row: Row): Row =>
  row.outcome === 'not run' && row.why.startsWith('needs the pipe ') ? { ...row, outcome: 'failed' } : row;

function run(wire: Wire, hands: Hands, era: Era | undefined): Promise<readonly Row[]> {
  const chosen = ALL_SEQUENCES.map((sequence) => ({
    ...sequence,
    versions: sequence.versions.filter((version) =>
      `${sequence.id} ${sequence.group} ${version} ${sequence.title}`.includes(FLAGS.only),
    ),
  }));
  const target = { wire, hands, era, kubeletPath: FLAGS['kubelet-path'] };
  return runSequences(target, chosen, (row) => {
    console.log(rowLine(row));
  });
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
