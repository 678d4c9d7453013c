import { copyFile, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DriverCommand, type DriverProcess, startDriver } from '../src/app/demo/driver-process.ts';
import { findLeftovers, removeLeftovers } from '../src/app/demo/leftovers.ts';
import { loadCsiApi } from '../src/rpc/csi-api.ts';
import { connectCsi, type CsiClient } from '../src/rpc/csi-client.ts';

const BUNDLE = 'dist/csi-driver-ntfs.cjs';
const SHOWN_ERRORS = 5;

/** A driver process and a client of it. */
export interface Driver extends CsiClient {
  readonly process: DriverProcess;
  /** SIGTERM, then waits; fails when it does not end well. */
  stop(): Promise<void>;
}

/** A CSI Proxy. */
export interface RunningProxy {
  readonly process: DriverProcess;
  readonly pipeDir: string;
  stop(): Promise<void>;
}

/** A folder of its own for everything the benchmark makes, and the driver processes that run in it. */
export class Workshop {
  readonly folder: string;
  readonly #bundle: string;
  readonly #api = loadCsiApi();
  readonly #children = new Set<DriverProcess>();
  #starting: Promise<unknown> = Promise.resolve();

  private constructor(folder: string, bundle: string) {
    this.folder = folder;
    this.#bundle = bundle;
  }

  /** Copies the bundle, so that a build during the run changes nothing. */
  static async open(): Promise<Workshop> {
    const folder = await mkdtemp(join(tmpdir(), 'csi-ntfs-bench-'));
    const bundle = join(folder, 'driver.cjs');
    await copyFile(BUNDLE, bundle);
    return new Workshop(folder, bundle);
  }

  /** A new folder. */
  async makeFolder(name: string): Promise<string> {
    const path = join(this.folder, name);
    await mkdir(path, { recursive: true });
    return path;
  }

  /** Starts a driver whose socket and log are `<home>/<mode>.sock` and `<home>/<mode>.log`. */
  async start(
    mode: 'controller' | 'node' | 'all',
    home: string,
    flags: Readonly<Record<string, string>>,
  ): Promise<Driver> {
    const endpoint = `unix://${home}/${mode}.sock`;
    const child = await this.#spawn(mode, home, { ...flags, endpoint });
    const client = connectCsi(endpoint, { api: this.#api });
    const stop = async (): Promise<void> => {
      client.close();
      await this.#stop(child);
    };
    return { ...client, process: child, stop };
  }

  /** Starts a CSI Proxy whose pipes are in `<home>/pipes` and whose log is `<home>/proxy.log`. */
  async startProxy(home: string, flags: Readonly<Record<string, string>>): Promise<RunningProxy> {
    const pipeDir = join(home, 'pipes');
    await mkdir(pipeDir);
    const child = await this.#spawn('proxy', home, { ...flags, 'pipe-dir': pipeDir });
    return { process: child, pipeDir, stop: () => this.#stop(child) };
  }

  async #spawn(
    mode: DriverCommand['mode'],
    home: string,
    flags: Readonly<Record<string, string>>,
  ): Promise<DriverProcess> {
    const program = [process.execPath, this.#bundle] as const;
    const starting = startDriver({ program, mode, flags, logFile: join(home, `${mode}.log`) });
    this.#starting = Promise.allSettled([this.#starting, starting]);
    const child = await starting;
    this.#children.add(child);
    return child;
  }

  async #stop(child: DriverProcess): Promise<void> {
    await child.stop();
    this.#children.delete(child);
  }

  /** The last errors in the drivers' logs, for a benchmark that failed: the logs go with the folder. */
  async lastErrors(): Promise<readonly string[]> {
    const names = await readdir(this.folder, { recursive: true });
    const logs = await Promise.all(
      names.filter((name) => name.endsWith('.log')).map((name) => readFile(join(this.folder, name), 'utf8')),
    );
    const errors = logs.flatMap((log) => log.split('\n').filter((line) => line.includes('"level":"error"')));
    return errors.slice(-SHOWN_ERRORS);
  }

  /** Takes everything down, also what a failure left. Throws when drivers that ended well left something behind. */
  async close(): Promise<void> {
    for (const child of this.#children) await child.stop();
    const { mounts, loops } = await findLeftovers(this.folder);
    await this.abandon();
    const left = [...mounts, ...loops];
    if (left.length > 0) throw new Error(`the drivers left behind: ${left.join(', ')}`);
  }

  /** Ends what runs and removes what is there, whatever it is. */
  async abandon(): Promise<void> {
    await this.#starting;
    for (const child of this.#children) await child.kill();
    this.#children.clear();
    await removeLeftovers(this.folder);
    const { mounts } = await findLeftovers(this.folder);
    if (mounts.length > 0) throw new Error(`still mounted, so not removed: ${mounts.join(', ')}`);
    await rm(this.folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
