import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { connectCsi, type CsiClient } from '../../rpc/csi-client.ts';
import { type DriverProcess, startDriver, thisProgram } from './driver-process.ts';

export type HostLayer = 'linux' | 'simulated';

const NODE_ID = 'demo-node';
/** Longer than the demo, so that every host call it counts belongs to a step. */
const SWEEP_SECONDS = '3600';

/** The demo's machine: a folder that holds pool, sockets and a kubelet's directories, and two driver processes. */
export class World {
  readonly folder: string;
  readonly #host: HostLayer;
  readonly #abandoned = new AbortController();
  #controller: DriverProcess | undefined;
  #node: DriverProcess | undefined;
  #clients: CsiClient[] = [];
  /** Host calls of node processes that are gone. */
  #pastCalls = 0;

  constructor(folder: string, host: HostLayer) {
    this.folder = folder;
    this.#host = host;
  }

  get nodeId(): string {
    return NODE_ID;
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
    this.#controller = await this.#start('controller', { 'pool-dir': this.poolDir });
    return this.#connect('controller');
  }

  async startNode(): Promise<CsiClient> {
    this.#node = await this.#start('node', {
      host: this.#host,
      'node-id': NODE_ID,
      'state-dir': join(this.folder, 'state'),
      'sweep-interval-seconds': SWEEP_SECONDS,
    });
    return this.#connect('node');
  }

  /** Ends the node with SIGKILL, as a crash does. */
  async killNode(): Promise<void> {
    this.#pastCalls = await this.hostCalls();
    await this.#node?.kill();
    this.#node = undefined;
  }

  /** Host calls all node processes have made. */
  async hostCalls(): Promise<number> {
    return this.#pastCalls + ((await this.#node?.hostCalls()) ?? 0);
  }

  /** SIGTERM to both; each must drain and end with code 0. */
  async stop(): Promise<void> {
    this.#closeClients();
    const running = [this.#node, this.#controller];
    this.#node = undefined;
    this.#controller = undefined;
    for (const process of running) await process?.stop();
  }

  /** Ends what runs or is being started, for a demo that failed or was interrupted. */
  async abandon(): Promise<void> {
    this.#abandoned.abort();
    this.#closeClients();
    for (const process of [this.#node, this.#controller]) await process?.kill();
  }

  /** Names left in the folders that must be empty at the end. */
  async remains(): Promise<readonly string[]> {
    const folders = ['pool/volumes', 'pool/snapshots'];
    const names = await Promise.all(
      folders.map(async (folder) => {
        const entries = await readdir(join(this.folder, folder)).catch(() => []);
        return entries.map((entry) => join(folder, entry));
      }),
    );
    return names.flat();
  }

  #start(mode: string, flags: Readonly<Record<string, string>>): Promise<DriverProcess> {
    return startDriver({
      program: thisProgram(),
      mode,
      flags: { ...flags, endpoint: this.#endpoint(mode), 'attach-dir': join(this.folder, 'attach') },
      logFile: join(this.folder, `${mode}.log`),
      signal: this.#abandoned.signal,
    });
  }

  #connect(mode: string): CsiClient {
    const client = connectCsi(this.#endpoint(mode));
    this.#clients.push(client);
    return client;
  }

  #endpoint(mode: string): string {
    return `unix://${this.folder}/${mode}.sock`;
  }

  #closeClients(): void {
    for (const client of this.#clients) client.close();
    this.#clients = [];
  }
}
