import { copyFile, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DriverProcess, startDriver } from '../src/app/demo/driver-process.ts';
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

/** A folder of its own for everything the benchmark makes, and the driver processes that run in it. */
export class Workshop {
  readonly folder: string;
  readonly #bundle: string;
  readonly #api = loadCsiApi();
  readonly #drivers = new Set<Driver>();
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
    const starting = startDriver({
      program: [process.execPath, this.#bundle],
      mode,
      flags: { ...flags, endpoint },
      logFile: join(home, `${mode}.log`),
    });
    this.#starting = Promise.allSettled([this.#starting, starting]);
    const child = await starting;
    const client = connectCsi(endpoint, { api: this.#api });
    const driver: Driver = {
      ...client,
      process: child,
      stop: async () => {
        client.close();
        await child.stop();
        this.#drivers.delete(driver);
      },
    };
    this.#drivers.add(driver);
    return driver;
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
    for (const driver of this.#drivers) await driver.stop();
    const { mounts, loops } = await findLeftovers(this.folder);
    await this.abandon();
    const left = [...mounts, ...loops];
    if (left.length > 0) throw new Error(`the drivers left behind: ${left.join(', ')}`);
  }

  /** Ends what runs and removes what is there, whatever it is. */
  async abandon(): Promise<void> {
    await this.#starting;
    for (const driver of this.#drivers) {
      driver.close();
      await driver.process.kill();
    }
    this.#drivers.clear();
    await removeLeftovers(this.folder);
    const { mounts } = await findLeftovers(this.folder);
    if (mounts.length > 0) throw new Error(`still mounted, so not removed: ${mounts.join(', ')}`);
    await rm(this.folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
