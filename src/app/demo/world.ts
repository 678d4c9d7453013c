import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { StorageError } from '../../core/errors.ts';
import { type CsiClient, connectCsi } from '../../rpc/csi-client.ts';
import { sleep } from '../../util/sleep.ts';
import { type DriverProcess, startDriver, thisProgram } from './driver-process.ts';
import { findLeftovers } from './leftovers.ts';

export type HostLayer = 'linux' | 'simulated';

export interface WorldOptions {
  /** What the proxy serves. */
  readonly host: HostLayer;
  /** What the proxy offers, as `--api-versions` takes it. */
  readonly apiVersions: string;
  /** How new disks arrive at the proxy's host. */
  readonly sanPolicy: 'offline' | 'online';
}

const NODE_ID = 'demo-node';
/** Longer than the demo, so that every call that is counted belongs to a step. */
const SWEEP_SECONDS = '3600';
const UNPLUGGED_SECONDS = 10;
const UNPLUGGED_POLL_MS = 20;

/**
 * The demo's machine: a folder that holds pool, sockets and a kubelet's directories, and three driver processes:
 * the controller, a CSI Proxy, and the node that works through it.
 */
export class World {
  readonly folder: string;
  readonly #options: WorldOptions;
  readonly #abandoned = new AbortController();
  #controller: DriverProcess | undefined;
  #proxy: DriverProcess | undefined;
  #node: DriverProcess | undefined;
  #clients: CsiClient[] = [];
  /** Calls that proxies answered which are gone. */
  #pastCalls = 0;

  constructor(folder: string, options: WorldOptions) {
    this.folder = folder;
    this.#options = options;
  }

  get nodeId(): string {
    return NODE_ID;
  }

  get host(): HostLayer {
    return this.#options.host;
  }

  get poolDir(): string {
    return join(this.folder, 'pool');
  }

  /** The directory a kubelet makes before it stages a volume. */
  async makeStagingPath(volume: string): Promise<string> {
    const path = join(this.folder, 'kubelet/plugins/kubernetes.io/csi/ntfs.csi.io', volume, 'globalmount');
    await mkdir(path, { recursive: true });
    return path;
  }

  /** Where a pod sees the volume; a kubelet makes its parent only. */
  async makePodPath(volume: string): Promise<string> {
    const parent = join(this.folder, 'kubelet/pods/demo/volumes/kubernetes.io~csi', volume);
    await mkdir(parent, { recursive: true });
    return join(parent, 'mount');
  }

  async startController(): Promise<CsiClient> {
    this.#controller = await this.#start('controller', {
      ...this.#endpoint('controller'),
      'pool-dir': this.poolDir,
    });
    return this.#connect('controller');
  }

  async startProxy(): Promise<void> {
    await mkdir(this.#pipeDir, { recursive: true });
    this.#proxy = await this.#start('proxy', {
      ...this.#pipes,
      host: this.#options.host,
      'node-id': NODE_ID,
      'state-dir': join(this.folder, 'proxy'),
      'api-versions': this.#options.apiVersions,
      'san-policy': this.#options.sanPolicy,
    });
  }

  async startNode(): Promise<CsiClient> {
    this.#node = await this.#start('node', {
      ...this.#endpoint('node'),
      ...this.#pipes,
      host: 'proxy',
      'node-id': NODE_ID,
      'state-dir': join(this.folder, 'node'),
      'sweep-interval-seconds': SWEEP_SECONDS,
    });
    return this.#connect('node');
  }

  /** Ends the node with SIGKILL, as a crash does. */
  async killNode(): Promise<void> {
    await this.#node?.kill();
    this.#node = undefined;
  }

  /** Ends the proxy with SIGKILL. */
  async killProxy(): Promise<void> {
    this.#pastCalls = await this.proxyCalls();
    await this.#proxy?.kill();
    this.#proxy = undefined;
  }

  /** Calls over its pipes that all proxies have answered. */
  async proxyCalls(): Promise<number> {
    const samples = await this.#proxy?.metrics();
    return this.#pastCalls + (samples?.sum('csi_ntfs_proxy_server_calls_total') ?? 0);
  }

  /** The version of each API group that the node uses now, by its own word. */
  async negotiated(): Promise<ReadonlyMap<string, string>> {
    const samples = await this.#node?.metrics();
    const inUse = samples?.labelsOf('csi_ntfs_proxy_negotiated_version') ?? [];
    return new Map(inUse.map(({ group = '', version = '' }) => [group, version]));
  }

  /** A disk that nobody can take offline is let go of when the machine notices that it was unplugged: in a moment. */
  async untilUnplugged(volumeId: string): Promise<void> {
    const images = join(this.poolDir, 'volumes', volumeId);
    const deadline = Date.now() + UNPLUGGED_SECONDS * 1000;
    while ((await findLeftovers(images)).loops.length > 0) {
      if (this.#abandoned.signal.aborted || Date.now() > deadline)
        throw new StorageError('internal', `the disk of ${volumeId} is still held`);
      await sleep(UNPLUGGED_POLL_MS, this.#abandoned.signal);
    }
  }

  /** SIGTERM to all; each must drain and end with code 0. */
  async stop(): Promise<void> {
    this.#closeClients();
    const running = [this.#node, this.#proxy, this.#controller];
    this.#node = undefined;
    this.#proxy = undefined;
    this.#controller = undefined;
    for (const process of running) await process?.stop();
  }

  /** Ends what runs or is being started, for a demo that failed or was interrupted. */
  async abandon(): Promise<void> {
    this.#abandoned.abort();
    this.#closeClients();
    for (const process of [this.#node, this.#proxy, this.#controller]) await process?.kill();
  }

  /** Names left in the folders that must be empty at the end. */
  async remains(): Promise<readonly string[]> {
    const folders = ['pool/volumes', 'pool/snapshots', 'pipes'];
    const names = await Promise.all(
      folders.map(async (folder) => {
        const entries = await readdir(join(this.folder, folder)).catch(() => []);
        return entries.map((entry) => join(folder, entry));
      }),
    );
    return names.flat();
  }

  #start(
    mode: 'controller' | 'proxy' | 'node',
    flags: Readonly<Record<string, string>>,
  ): Promise<DriverProcess> {
    return startDriver({
      program: thisProgram(),
      mode,
      flags: { ...flags, 'attach-dir': join(this.folder, 'attach') },
      logFile: join(this.folder, `${mode}.log`),
      signal: this.#abandoned.signal,
    });
  }

  #connect(mode: 'controller' | 'node'): CsiClient {
    const client = connectCsi(this.#endpoint(mode).endpoint);
    this.#clients.push(client);
    return client;
  }

  #endpoint(mode: 'controller' | 'node'): { readonly endpoint: string } {
    return { endpoint: `unix://${this.folder}/${mode}.sock` };
  }

  get #pipeDir(): string {
    return join(this.folder, 'pipes');
  }

  /** Where the pipes are, and what both ends of them know of kubelet, as a Windows machine names it. */
  get #pipes(): Readonly<Record<string, string>> {
    const kubelet = join(this.folder, 'kubelet').replaceAll('/', '\\');
    return { 'pipe-dir': this.#pipeDir, 'kubelet-path': `C:${kubelet}` };
  }

  #closeClients(): void {
    for (const client of this.#clients) client.close();
    this.#clients = [];
  }
}
