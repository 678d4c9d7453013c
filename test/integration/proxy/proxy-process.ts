import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DriverProcess, startDriver } from '../../../src/app/demo/driver-process.ts';
import { grpcPipeTransport } from '../../../src/proxyclient/grpc-pipe-transport.ts';
import { proxyHostStorage, type ProxyHostStorage } from '../../../src/proxyclient/proxy-host-storage.ts';
import { builtDriver } from '../../support/built-driver.ts';
import type { LocalDisks } from '../../support/local-disks.ts';
import { RecordingLogger } from '../../support/recording-logger.ts';

/** The built driver in mode `proxy` over the simulated host, which is killed and started again. */
export class ProxyProcess {
  readonly #disks: LocalDisks;
  readonly pipeDir: string;
  #process: DriverProcess | undefined;

  constructor(disks: LocalDisks) {
    this.#disks = disks;
    this.pipeDir = join(disks.root, 'pipes');
  }

  get isDead(): boolean {
    return this.#process === undefined;
  }

  async start(): Promise<void> {
    await mkdir(this.pipeDir, { recursive: true });
    this.#process = await startDriver({
      program: [process.execPath, await builtDriver()],
      mode: 'proxy',
      logFile: join(this.#disks.root, 'proxy.log'),
      flags: {
        host: 'simulated',
        'pipe-dir': this.pipeDir,
        'kubelet-path': `C:${this.#disks.root.replaceAll('/', '\\')}`,
        'node-id': 'node-1',
        'attach-dir': join(this.#disks.root, 'attach'),
        'state-dir': this.#disks.stateDir,
      },
    });
  }

  /** SIGKILL. */
  async kill(): Promise<void> {
    await this.#process?.kill();
    this.#process = undefined;
  }

  connect(): ProxyHostStorage {
    return proxyHostStorage(
      {
        log: new RecordingLogger(),
        transport: grpcPipeTransport({ pipeDir: this.pipeDir, handshakeTimeoutSeconds: 3 }),
        observer: { called: () => undefined, negotiated: () => undefined },
      },
      {
        concurrency: 3,
        fileTimeoutSeconds: 10,
        readTimeoutSeconds: 60,
        storageTimeoutSeconds: 180,
        kubeletPath: `C:${this.#disks.root.replaceAll('/', '\\')}`,
        localStat: true,
        maxVolumes: 64,
      },
    );
  }

  /** Where the machine has mounts below a folder, by its own records. */
  async mountsBelow(folder: string): Promise<readonly string[]> {
    const records = join(this.#disks.stateDir, 'host', 'mounts');
    const names = (await readdir(records)).filter((name) => name.endsWith('.json'));
    const texts = await Promise.all(names.map((name) => readFile(join(records, name), 'utf8')));
    return texts
      .map((text) => (JSON.parse(text) as { readonly targetPath: string }).targetPath)
      .filter((path) => path.startsWith(`${folder}/`));
  }
}
