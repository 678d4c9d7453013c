import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DriverProcess, startDriver } from '../src/app/demo/driver-process.ts';
import { connectCsi } from '../src/rpc/csi-client.ts';
import { buildDriver } from './lib/run.ts';

/**
 * `npm run soak`: the reactor under many connections. The driver serves CSI on it while 500 HTTP/2 connections are
 * held and 20,000 more come and go; its memory and its handles must not grow. Takes about a minute.
 */
const HELD = 500;
const CYCLES = 20_000;
/** Connections that come and go at the same time. */
const AT_ONCE = 20;
/** What the heap needs to reach its size, with either kind of sockets: cycles that are not measured. */
const WARM_UP = 20_000;
/** Flat means: within this much of memory, which is the noise of a garbage collected heap, and of no handle. */
const NOISE_MIB = 24;
const SOCKET_WAIT_MS = 10_000;

interface Figures {
  readonly rssMib: number;
  readonly handles: number;
}

async function main(): Promise<void> {
  await buildDriver();
  const folder = await mkdtemp(join(tmpdir(), 'csi-soak-'));
  try {
    const driver = await start(folder);
    try {
      await soak(driver.pid, join(folder, 'csi.sock'));
    } finally {
      await driver.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const start = (folder: string): Promise<DriverProcess> =>
  startDriver({
    program: [process.execPath, 'dist/csi-driver-ntfs.cjs'],
    mode: 'all',
    logFile: join(folder, 'driver.log'),
    flags: {
      endpoint: `unix://${folder}/csi.sock`,
      'socket-backend': 'reactor',
      host: 'simulated',
      'node-id': 'soak-node',
      'pool-dir': join(folder, 'pool'),
      'attach-dir': join(folder, 'attach'),
      'state-dir': join(folder, 'state'),
    },
  });

async function soak(pid: number, path: string): Promise<void> {
  const idle = await report('idle', pid);
  const held = await Promise.all(Array.from({ length: HELD }, () => openSession(path)));
  await Promise.all(held.map(ping));
  const holding = await report(`${HELD} connections held, each pinged`, pid);
  await cycle(path, WARM_UP);
  const warm = await report(`after ${WARM_UP} connects and disconnects`, pid);
  const begin = performance.now();
  await cycle(path, CYCLES);
  const seconds = (performance.now() - begin) / 1000;
  const after = await report(`after ${CYCLES} more, in ${seconds.toFixed(0)} s`, pid);
  await Promise.all(held.map(ping));
  await probe(path);
  for (const session of held) session.destroy();
  const freed = await untilHandles(pid, idle.handles);
  print('all hung up', freed);
  const complaints = [
    ...(after.handles === holding.handles ? [] : [`${after.handles - holding.handles} handles leaked`]),
    ...(freed.handles <= idle.handles ? [] : [`${freed.handles - idle.handles} handles stay open`]),
    ...(after.rssMib - warm.rssMib <= NOISE_MIB
      ? []
      : [`memory grew by ${(after.rssMib - warm.rssMib).toFixed(0)} MiB`]),
  ];
  for (const complaint of complaints) console.log(`✘ ${complaint}`);
  console.log(complaints.length === 0 ? 'soak: flat' : 'soak: failed');
  process.exitCode = complaints.length === 0 ? 0 : 1;
}

/** Half of them say nothing, as a probe of a port; half speak HTTP/2, as a sidecar that restarts. */
async function cycle(path: string, count: number): Promise<void> {
  let left = count;
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      if (left % 2 === 0) await silentVisit(path);
      else await visit(path);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

async function silentVisit(path: string): Promise<void> {
  const socket = await openSocket(path);
  const closed = new Promise<void>((resolve) => socket.once('close', resolve));
  socket.destroy();
  await closed;
}

async function visit(path: string): Promise<void> {
  const session = await openSession(path);
  await ping(session);
  const closed = new Promise<void>((resolve) => session.once('close', resolve));
  session.destroy();
  await closed;
}

function openSocket(path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(path, () => {
      resolve(socket);
    });
    socket.once('error', reject);
    socket.setTimeout(SOCKET_WAIT_MS);
  });
}

async function openSession(path: string): Promise<ClientHttp2Session> {
  const socket = await openSocket(path);
  return connectHttp2('http://localhost', { createConnection: () => socket });
}

const ping = (session: ClientHttp2Session): Promise<void> =>
  new Promise((resolve, reject) => {
    session.ping((error) => {
      if (error === null) resolve();
      else reject(error);
    });
  });

async function probe(path: string): Promise<void> {
  const client = connectCsi(`unix://${path}`, { timeoutSeconds: 10 });
  try {
    await client.identity.probe({});
  } finally {
    client.close();
  }
}

async function untilHandles(pid: number, count: number): Promise<Figures> {
  const end = Date.now() + SOCKET_WAIT_MS;
  for (;;) {
    const found = await figures(pid);
    if (found.handles <= count || Date.now() > end) return found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function report(what: string, pid: number): Promise<Figures> {
  await new Promise((resolve) => setTimeout(resolve, 1000)); // What was closed last is seen by now.
  const found = await figures(pid);
  print(what, found);
  return found;
}

function print(what: string, { rssMib, handles }: Figures): void {
  console.log(
    `${what.padEnd(44)} ${rssMib.toFixed(1).padStart(7)} MiB ${String(handles).padStart(5)} handles`,
  );
}

async function figures(pid: number): Promise<Figures> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const [, kib = '0'] = /^VmRSS:\s+(\d+) kB/m.exec(status) ?? [];
  return { rssMib: Number(kib) / 1024, handles: (await readdir(`/proc/${pid}/fd`)).length };
}

void main();
