import { lstat, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { aroundHostCalls, type AroundHostCall } from '../../src/core/host-calls.ts';
import type { HostStorage } from '../../src/core/ports/host-storage.ts';
import type { ProxyCall } from '../../src/proxyapi/call-observer.ts';
import { pipesOf } from '../../src/proxyapi/releases.ts';
import { grpcPipeTransport } from '../../src/proxyclient/grpc-pipe-transport.ts';
import {
  type ProxyHostOptions,
  proxyHostStorage,
  type ProxyHostStorage,
} from '../../src/proxyclient/proxy-host-storage.ts';
import { ProxyServer } from '../../src/proxyserver/proxy-server.ts';
import type { HostUnderTest, Lack } from '../contract/host-storage/bench.ts';
import { lacksThrough } from './proxied-lacks.ts';
import { RecordingLogger } from './recording-logger.ts';
import { makeTempFolder } from './temp-folder.ts';

/** What a server offers. */
export interface Offer {
  /** As `--api-versions` takes it: `v1beta2`, `0.2.2`. */
  readonly versions: string;
  readonly era: '1.2' | '1.3';
}

export interface ProxiedOptions {
  /** Where the client looks for sockets, when that is not where the server has them. */
  readonly clientDir?: string;
}

const CLIENT_OPTIONS: Omit<ProxyHostOptions, 'kubeletPath'> = {
  concurrency: 3,
  fileTimeoutSeconds: 10,
  readTimeoutSeconds: 60,
  storageTimeoutSeconds: 180,
  localStat: true,
  maxVolumes: 64,
};
const GRACE_SECONDS = 1;

/** A host behind a server, seen by a client of it, over real sockets; and what a test does to the server. */
export class ProxiedHost implements HostUnderTest {
  readonly #behind: HostUnderTest;
  readonly #options: ProxyHostOptions;
  #offer: Offer;
  #machine: HostStorage;
  #server: ProxyServer | undefined;
  #host: ProxyHostStorage;
  /** Where the server has its sockets. */
  readonly pipeDir: string;
  /** Where the client looks for them. */
  readonly clientDir: string;
  /** The kubelet's folder, with `plugins` and `pods` in it. */
  readonly kubelet: string;
  readonly lacks: readonly Lack[];
  /** The network behind the server, where the host has one. */
  readonly createShare?: NonNullable<HostUnderTest['createShare']>;
  readonly createTarget?: NonNullable<HostUnderTest['createTarget']>;
  readonly log = new RecordingLogger();
  /** Every call that a server of this host has answered. */
  readonly calls: ProxyCall[] = [];
  /** Runs around every call of the host behind the server. */
  around: AroundHostCall = (_call, run) => run();

  private constructor(
    behind: HostUnderTest,
    offer: Offer,
    { clientDir, ...options }: ProxyHostOptions & ProxiedOptions,
    pipeDir: string,
  ) {
    this.#behind = behind;
    this.#offer = offer;
    this.#options = options;
    this.#machine = behind.host;
    this.pipeDir = pipeDir;
    this.clientDir = clientDir ?? pipeDir;
    this.kubelet = hostPath(options.kubeletPath);
    this.lacks = lacksThrough(behind, pipesOf(offer.versions));
    if (behind.createShare !== undefined) this.createShare = behind.createShare;
    if (behind.createTarget !== undefined) this.createTarget = behind.createTarget;
    this.#host = this.#connect();
  }

  static async create(
    behind: HostUnderTest,
    offer: Offer,
    options: Partial<ProxyHostOptions> & ProxiedOptions = {},
  ): Promise<ProxiedHost> {
    const kubeletPath = windowsPath(await behind.tempPath());
    const pipeDir = join(await makeTempFolder(), 'pipes');
    await mkdir(pipeDir);
    const proxied = new ProxiedHost(behind, offer, { ...CLIENT_OPTIONS, kubeletPath, ...options }, pipeDir);
    await proxied.startServer();
    return proxied;
  }

  get host(): ProxyHostStorage {
    return this.#host;
  }

  get sanPolicy(): HostUnderTest['sanPolicy'] {
    return this.#behind.sanPolicy;
  }

  /** A server knows the drive that a plain path is on; from 1.3 on also of one that a link leads to. */
  get systemVolume(): HostUnderTest['systemVolume'] {
    return this.#offer.era === '1.2' ? 'closest' : 'closest-and-links';
  }

  readonly plugDisk: HostUnderTest['plugDisk'] = (bytes, options) => this.#behind.plugDisk(bytes, options);
  readonly unplugDisk: HostUnderTest['unplugDisk'] = (disk) => this.#behind.unplugDisk(disk);
  readonly replugDisk: HostUnderTest['replugDisk'] = (disk) => this.#behind.replugDisk(disk);
  readonly growDisk: HostUnderTest['growDisk'] = (disk, bytes) => this.#behind.growDisk(disk, bytes);
  readonly fileSystemBytes: HostUnderTest['fileSystemBytes'] = (disk) => this.#behind.fileSystemBytes(disk);
  readonly tempPath: HostUnderTest['tempPath'] = () => this.#behind.tempPath();

  /** Both ends die; new ones find the machine as it was left. */
  async restart(): Promise<HostStorage> {
    await this.stopServer();
    this.#machine = await this.#behind.restart();
    await this.startServer();
    return this.reconnect();
  }

  /** Only the client dies, as with the driver's process. */
  reconnect(): HostStorage {
    this.#host.close();
    this.#host = this.#connect();
    return this.#host;
  }

  async cleanup(): Promise<void> {
    this.#host.close();
    await this.stopServer();
    await this.#behind.cleanup();
    await rm(join(this.pipeDir, '..'), { recursive: true, force: true });
  }

  /** Ends the server; its sockets go with it. */
  async stopServer(graceSeconds = GRACE_SECONDS): Promise<void> {
    await this.#server?.stop(graceSeconds);
    this.#server = undefined;
  }

  /** Starts it again over the same machine; with another offer it was upgraded or downgraded. */
  async startServer(offer = this.#offer): Promise<void> {
    this.#offer = offer;
    const host = aroundHostCalls(this.#machine, (call, run) => this.around(call, run));
    const observer = { called: (call: ProxyCall): void => void this.calls.push(call) };
    this.#server = new ProxyServer(
      { host, log: this.log, observer },
      {
        pipeDir: this.pipeDir,
        pipes: pipesOf(offer.versions),
        workingDirs: [String.raw`C:\tmp`],
        root: '/',
        era: offer.era,
        compat: false,
        enforcePathContext: offer.versions.startsWith('0.'),
        kubeletPath: this.#options.kubeletPath,
      },
    );
    await this.#server.listen();
  }

  #connect(): ProxyHostStorage {
    return proxyHostStorage(
      {
        log: this.log,
        transport: grpcPipeTransport({ pipeDir: this.clientDir, handshakeTimeoutSeconds: 3 }),
        observer: { called: () => undefined, negotiated: () => undefined },
        isPlainFile: async (path) => (await lstat(path).catch(() => undefined))?.isFile() ?? false,
      },
      this.#options,
    );
  }
}

const windowsPath = (path: string): string => `C:${path.replaceAll('/', '\\')}`;
const hostPath = (path: string): string => path.slice('C:'.length).replaceAll('\\', '/');
