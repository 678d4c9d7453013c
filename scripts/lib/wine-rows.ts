import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { linuxExecutable } from './linux-executable-row.ts';
import { nodeBinary } from './node-binaries.ts';
import { EXE, NODE_ID, ownFolders, QUICK_SECONDS, withDriver, WORK } from './wine-driver.ts';
import type { WineProcess, WineSession } from './wine-session.ts';
import { winsockCalls, winsockConnections } from './winsock-rows.ts';

const PIPES = '\\\\.\\pipe\\';

/** One thing that is shown under Wine. What it returns is printed beside it: figures, and what was not run. */
export interface WineRow {
  readonly title: string;
  readonly run: (session: WineSession) => Promise<string>;
}

/** What no row can show here, and why. */
export const NOT_RUN: readonly (readonly [what: string, why: string])[] = [
  [
    'stage, publish, and what else mounts',
    "Wine 10 reports success for CreateSymbolicLinkW and makes no link; the simulated host's mounts are links",
  ],
  [
    'a kubelet on csi.sock',
    'Wine 10 has no AF_UNIX; the rows of Winsock use TCP, and that of build:bin a unix socket of Linux',
  ],
  [
    'a second proxy is refused its pipes',
    'Wine 10 ignores FILE_FLAG_FIRST_PIPE_INSTANCE and lets both serve',
  ],
  ['the controller', 'its pool is locked by flock, so it is for Linux, as the controller is'],
  ['the end on SIGTERM, as a service', 'a signal to a Wine process ends it at once'],
  ["the pipes' access rights", 'Wine does not check them'],
];

/** In this order: the proxy that the fourth starts serves those after it. */
export const WINE_ROWS: readonly WineRow[] = [
  { title: 'version: the exe starts and knows its commit', run: version },
  { title: 'start-up: to the first output', run: startUp },
  { title: 'doctor: every line, exit code 0', run: doctor },
  { title: 'proxy: serves every pipe of CSI Proxy as a named pipe', run: serveProxy },
  { title: 'doctor --host proxy: shakes hands on all six API groups', run: doctorOfProxy },
  { title: 'conformance over named pipes, at every version', run: conformance },
  { title: 'node --host proxy: ready through named pipes, asked by a client on Linux', run: nodeOfProxy },
  {
    title: 'node --host simulated: from its start to the first Probe, asked by a client on Linux',
    run: firstProbe,
  },
  { title: 'sockets of Winsock (--socket-backend reactor): calls by a client on Linux', run: winsockCalls },
  { title: 'sockets of Winsock: connections that come, go and break off', run: winsockConnections },
  { title: 'build:bin: its Linux sister serves a unix socket by the reactor', run: linuxExecutable },
  { title: 'a pipe whose server never answers is reported, nothing hangs', run: silentServer },
];

const gitCommit = (): string =>
  execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], { encoding: 'utf8' }).trim();

/** Node.js for Windows as a program under Wine names it. */
async function windowsNode(): Promise<string> {
  return relative('.', await nodeBinary('win-x64')).replaceAll('/', '\\');
}

async function finished(running: WineProcess, seconds = QUICK_SECONDS): Promise<[number, string]> {
  const code = await running.ended(seconds);
  return [code, await running.output()];
}

async function version(session: WineSession): Promise<string> {
  const [code, text] = await finished(session.start(EXE, ['version']));
  assert.equal(code, 0, text);
  assert.match(text, /^csi-driver-ntfs \d+\.\d+\.\d+ \(commit [0-9a-f]{12}, node v24\.\d+\.\d+\)/);
  assert.ok(text.includes(gitCommit()), `the commit in it is another one: ${text}`);
  return text.trim();
}

/** The first start reads 91 MB from the disk; the middle of three is what a restart takes. */
async function startUp(session: WineSession): Promise<string> {
  const times: number[] = [];
  for (let run = 0; run < 3; run += 1) {
    const running = session.start(EXE, ['version']);
    times.push(await running.printed('csi-driver-ntfs'));
    await running.ended(QUICK_SECONDS);
  }
  const [, median = 0] = times.sort((a, b) => a - b);
  return `${median.toFixed(0)} ms (median of 3, wine itself included)`;
}

async function doctor(session: WineSession): Promise<string> {
  const [code, text] = await finished(session.start(EXE, ['doctor', '--host', 'simulated']));
  assert.equal(code, 0, text);
  for (const subject of ['Node.js', 'endpoint', 'host', 'CSI Proxy', 'state folder', 'pool'])
    assert.ok(text.includes(subject), `no line about ${subject}:\n${text}`);
  assert.match(text, /endpoint +nobody serves/, text);
  assert.ok(text.includes(`none in ${PIPES}`), text);
  return `${text.trim().split('\n').length} lines`;
}

const proxyFlags = [
  ...['--host', 'simulated', '--san-policy', 'online', '--log-format', 'json', '--node-id', NODE_ID],
  ...['--root-dir', String.raw`${WORK}\c`, '--attach-dir', String.raw`${WORK}\attach`],
  ...['--state-dir', String.raw`${WORK}\state`],
];

async function serveProxy(session: WineSession): Promise<string> {
  for (const folder of ['c', join('attach', NODE_ID)])
    await mkdir(join(session.folder, folder), { recursive: true });
  const proxy = session.start(EXE, ['proxy', ...proxyFlags]);
  const milliseconds = await proxy.printed('serving CSI Proxy');
  const [, pipes = '0'] = /"pipes":(\d+)/.exec(await proxy.output()) ?? [];
  assert.equal(pipes, '23');
  return `${pipes} pipes after ${milliseconds.toFixed(0)} ms`;
}

async function doctorOfProxy(session: WineSession): Promise<string> {
  const [code, text] = await finished(session.start(EXE, ['doctor', '--host', 'proxy']));
  assert.equal(code, 0, text);
  const handshakes = [...text.matchAll(/✔ (\w+) +API +\S+ is used.*handshake ([\d.]+) ms/g)];
  assert.equal(handshakes.length, 6, text);
  return handshakes.map(([, group, ms]) => `${group ?? ''} ${ms ?? ''} ms`).join(', ');
}

/** The rows of the suite that make links or mounts, by the beginning of their titles. They pass where links are made. */
const WITH_LINKS = [
  'format, grow, m',
  'closest volume of a folder inside a mounted one',
  'closest volume of a link',
  'folders and a link',
  'what is a link',
  'mounting again',
  'removing a mount point',
];

async function conformance(session: WineSession): Promise<string> {
  const program = await windowsNode();
  const flags = ['--pipe-prefix', `${PIPES}csi-proxy-`, '--era', '1.3', ...proxyFlags.filter(isKnownToSuite)];
  const [, text] = await finished(session.start(program, ['.cache/conformance.cjs', ...flags]), 120);
  const failed = text.split('\n').filter((line) => line.startsWith('✘'));
  const unforeseen = failed.filter((line) => !WITH_LINKS.some((title) => line.includes(` ${title}`)));
  assert.deepEqual(unforeseen, []);
  const passed = text.split('\n').filter((line) => line.startsWith('✔')).length;
  assert.ok(passed >= 64, text);
  assert.match(text, /, 0 not run\n?$/);
  return `${passed} passed; ${failed.length} failed, as rows with links must here: counted as not run`;
}

/** The suite takes the same places as the server, and nothing of how it behaves. */
const NOT_OF_SUITE = ['--san-policy', '--log-format'];
const isKnownToSuite = (_text: string, index: number, all: readonly string[]): boolean =>
  !NOT_OF_SUITE.includes(all[index - (index % 2)] ?? '');

function nodeOfProxy(session: WineSession): Promise<string> {
  const folders = ['--attach-dir', String.raw`${WORK}\attach`, '--state-dir', String.raw`${WORK}\node`];
  return withDriver(session, ['node', '--host', 'proxy', ...folders], async ({ identity, node }) => {
    const { ready } = await identity.probe({});
    assert.equal(ready?.value, true, 'Probe says that it is not ready');
    const info = await node.nodeGetInfo({});
    assert.equal(info.node_id, NODE_ID);
    const { capabilities } = await node.nodeGetCapabilities({});
    return `Probe ready, NodeGetInfo, ${capabilities.length} capabilities`;
  });
}

async function firstProbe(session: WineSession): Promise<string> {
  const begun = performance.now();
  return withDriver(
    session,
    ['node', '--host', 'simulated', ...ownFolders('probe')],
    async ({ identity }) => {
      const { ready } = await identity.probe({});
      assert.equal(ready?.value, true, 'Probe says that it is not ready');
      return `${(performance.now() - begun).toFixed(0)} ms`;
    },
  );
}

const SILENT_SERVER = String.raw`require('node:net').createServer(() => {}).listen('\\\\.\\pipe\\silent-csi-proxy-disk-v1', () => console.log('listening'))`;

async function silentServer(session: WineSession): Promise<string> {
  const program = await windowsNode();
  await session.start(program, ['-e', SILENT_SERVER]).printed('listening');
  const flags = ['--host', 'proxy', '--pipe-dir', `${PIPES}silent-`];
  const running = session.start(EXE, ['doctor', ...flags]);
  const begun = performance.now();
  const [code, text] = await finished(running);
  assert.equal(code, 1, text);
  assert.match(text, /silent-csi-proxy-disk-v1/);
  return `said after ${((performance.now() - begun) / 1000).toFixed(1)} s`;
}
