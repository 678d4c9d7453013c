import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { StorageError } from '../../core/errors.ts';
import { MetricSamples } from '../../telemetry/metric-samples.ts';

/** One driver process of the demo: the same binary, started as a supervisor would. */
export interface DriverProcess {
  readonly pid: number;
  /** Its metrics right now. */
  metrics(): Promise<MetricSamples>;
  /** SIGTERM, then waits. Fails when it does not end with code 0. */
  stop(): Promise<void>;
  /** SIGKILL, then waits: no handler runs, nothing is flushed. */
  kill(): Promise<void>;
}

export interface DriverCommand {
  /** The driver: an executable and the arguments before the mode. */
  readonly program: readonly [executable: string, ...args: string[]];
  readonly mode: 'controller' | 'node' | 'all' | 'proxy';
  readonly flags: Readonly<Record<string, string>>;
  /** Everything it prints goes here. */
  readonly logFile: string;
  /** Gives up the start: the process is killed. */
  readonly signal?: AbortSignal;
}

const START_SECONDS = 20;
const STOP_SECONDS = 20;

/** What the log says when a driver can be called. A node's first sweep would be in the way of its first call. */
const SERVING = ['serving CSI'];
const SWEPT = [...SERVING, 'first sweep of stale mounts ended'];
const AWAITED: Readonly<Record<DriverCommand['mode'], readonly string[]>> = {
  controller: SERVING,
  node: SWEPT,
  all: SWEPT,
  proxy: ['serving CSI Proxy'],
};

/** Starts a driver and waits until it serves. */
export async function startDriver(command: DriverCommand): Promise<DriverProcess> {
  if (command.signal?.aborted === true) throw failed(command, 'it is not wanted any more');
  const flags = Object.entries({ ...command.flags, 'log-format': 'json', 'http-endpoint': '127.0.0.1:0' });
  const [executable, ...args] = command.program;
  const flagArgs = flags.flatMap(([name, value]) => [`--${name}`, value]);
  const child = spawn(executable, [...args, command.mode, ...flagArgs], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = new Promise<number | null>((resolve) => {
    child.once('exit', resolve);
    child.once('error', () => {
      resolve(null); // It could not even be spawned.
    });
  });
  const giveUp = (): boolean => child.kill('SIGKILL');
  command.signal?.addEventListener('abort', giveUp);
  const metricsUrl = await untilServing(command, child, exited)
    .catch(async (error: unknown) => {
      giveUp();
      await exited;
      throw error;
    })
    .finally(() => command.signal?.removeEventListener('abort', giveUp));
  return {
    pid: child.pid ?? 0,
    metrics: async () => new MetricSamples(await (await fetch(`${metricsUrl}/metrics`)).text()),
    stop: () => stop(command.mode, child, exited),
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** How this very driver was started: Node.js and the bundle, or a single-file executable alone. */
export function thisProgram(): readonly [string, ...string[]] {
  const script = process.argv[1];
  const isSingleFile = script === undefined || script === process.execPath;
  return isSingleFile ? [process.execPath] : [process.execPath, ...process.execArgv, script];
}

async function untilServing(
  command: DriverCommand,
  child: ChildProcess,
  exited: Promise<number | null>,
): Promise<string> {
  const log = createWriteStream(command.logFile, { flags: 'a' });
  child.stderr?.pipe(log, { end: false });
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  const served = new Promise<string>((resolve) => {
    let metricsUrl = '';
    const awaited = new Set(AWAITED[command.mode]);
    lines.on('line', (line) => {
      log.write(`${line}\n`);
      const record = parseLine(line);
      if (record['msg'] === 'serving metrics and health') metricsUrl = String(record['url']);
      awaited.delete(String(record['msg']));
      if (awaited.size === 0) resolve(metricsUrl);
    });
  });
  const died = exited.then((code) => {
    throw failed(command, `it ended with code ${String(code)} before it served`);
  });
  died.catch(() => undefined);
  const late = AbortSignal.timeout(START_SECONDS * 1000);
  const timedOut = new Promise<never>((_resolve, reject) => {
    late.addEventListener('abort', () => {
      reject(failed(command, `it did not serve within ${START_SECONDS} s`));
    });
  });
  timedOut.catch(() => undefined);
  return Promise.race([served, died, timedOut]);
}

function parseLine(line: string): Record<string, unknown> {
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return {};
  }
}

async function stop(mode: string, child: ChildProcess, exited: Promise<number | null>): Promise<void> {
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_SECONDS * 1000);
  const code = await exited;
  clearTimeout(timer);
  if (code !== 0) {
    throw new StorageError(
      'internal',
      `the ${mode} process ended with code ${String(code)} after SIGTERM, expected 0`,
    );
  }
}

const failed = (command: DriverCommand, why: string): StorageError =>
  new StorageError(
    'unavailable',
    `cannot start the ${command.mode} process: ${why}; its output is in ${command.logFile}`,
  );
