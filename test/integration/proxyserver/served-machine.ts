import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { MIB } from '../../../src/core/capacity.ts';
import { aroundHostCalls, type AroundHostCall } from '../../../src/core/host-calls.ts';
import type { DiskNumber } from '../../../src/core/ids.ts';
import type { HostStorage } from '../../../src/core/ports/host-storage.ts';
import { ALL_PIPES } from '../../../src/proxyapi/api-versions.ts';
import type { ProxyCall } from '../../../src/proxyapi/call-observer.ts';
import { ProxyServer, type ProxyServerOptions } from '../../../src/proxyserver/proxy-server.ts';
import type { HostUnderTest } from '../../contract/host-storage/bench.ts';
import { type Fields, type Group, Wire, WireError } from '../../conformance/wire.ts';
import { RecordingLogger } from '../../support/recording-logger.ts';
import { simulatedHost } from '../../support/simulated-host.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';

export const KUBELET = String.raw`C:\var\lib\kubelet`;
const SIGNAL = new AbortController().signal;

export interface ServedMachineOptions extends Partial<ProxyServerOptions> {
  /** The host to serve, made from the simulated one. */
  readonly host?: (simulated: HostStorage) => HostStorage;
}

/** A simulated machine that is served as CSI Proxy, and raw messages to talk to it. All is in a folder of its own. */
export class ServedMachine {
  readonly folder: string;
  readonly hands: HostUnderTest;
  readonly server: ProxyServer;
  readonly wire: Wire;
  readonly log = new RecordingLogger();
  /** Every call that was answered. */
  readonly calls: ProxyCall[] = [];
  /** Runs around every call of the machine. */
  around: AroundHostCall = (_call, run) => run();

  private constructor(folder: string, hands: HostUnderTest, options: ServedMachineOptions) {
    const { host = (simulated: HostStorage): HostStorage => simulated, ...rest } = options;
    this.folder = folder;
    this.hands = hands;
    this.wire = new Wire({ dir: rest.pipeDir ?? this.pipeDir });
    this.server = new ProxyServer(
      {
        host: host(aroundHostCalls(hands.host, (call, run) => this.around(call, run))),
        log: this.log,
        observer: { called: (call) => void this.calls.push(call) },
      },
      {
        pipeDir: this.pipeDir,
        pipes: ALL_PIPES,
        workingDirs: [],
        root: this.root,
        era: '1.3',
        compat: false,
        enforcePathContext: false,
        kubeletPath: KUBELET,
        ...rest,
      },
    );
  }

  /** Runs a test with a machine whose server listens; nothing of it is left, however the test ends. */
  static async run(
    options: ServedMachineOptions,
    test: (machine: ServedMachine) => Promise<void>,
  ): Promise<void> {
    const machine = await ServedMachine.create(options);
    try {
      await machine.server.listen();
      await test(machine);
    } finally {
      await machine.cleanup();
    }
  }

  static async create(options: ServedMachineOptions = {}): Promise<ServedMachine> {
    const folder = await makeTempFolder();
    await mkdir(join(folder, 'c', 'var', 'lib', 'kubelet', 'plugins'), { recursive: true });
    await mkdir(join(folder, 'c', 'var', 'lib', 'kubelet', 'pods'));
    return new ServedMachine(folder, await simulatedHost('online'), options);
  }

  get pipeDir(): string {
    return join(this.folder, 'pipes');
  }
  /** What is `C:\`. */
  get root(): string {
    return join(this.folder, 'c');
  }

  async cleanup(): Promise<void> {
    this.wire.close();
    await this.server.stop(0);
    await this.hands.cleanup();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** A call in version v1, or in the one named with the group: `volume v2alpha1`. */
  call(where: Group | `${Group} ${string}`, rpc: string, request: Fields = {}): Promise<Fields> {
    const [group = '', version = 'v1'] = where.split(' ');
    return this.wire.call(group as Group, version, rpc, request);
  }

  /** The failure of a call; throws when it succeeds. */
  async failure(where: Group | `${Group} ${string}`, rpc: string, request: Fields = {}): Promise<WireError> {
    const outcome = await this.call(where, rpc, request).catch((error: unknown) => error);
    if (outcome instanceof WireError) return outcome;
    throw new Error(`${rpc} must fail, and answered ${JSON.stringify(outcome)}`);
  }

  /** A disk with one formatted volume. */
  async volume(mebibytes = 64n): Promise<{ readonly volume_id: string; readonly disk_number: DiskNumber }> {
    const disk_number = await this.numberOf(await this.hands.plugDisk(mebibytes * MIB));
    await this.call('disk', 'PartitionDisk', { disk_number });
    const { volume_ids } = await this.call('volume', 'ListVolumesOnDisk', { disk_number });
    const [volume_id = ''] = volume_ids as readonly string[];
    await this.call('volume', 'FormatVolume', { volume_id });
    return { volume_id, disk_number };
  }

  /** The number of a disk that has just been plugged in. */
  async numberOf({ serialNumber }: { readonly serialNumber: string }): Promise<DiskNumber> {
    const ids = await this.hands.host.disks.listDiskIds(SIGNAL);
    const found = [...ids].find(([, one]) => one.serialNumber === serialNumber)?.[0];
    if (found === undefined) throw new Error(`the machine has no disk ${serialNumber}`);
    return found;
  }

  async rawDisk(): Promise<{ readonly disk_number: DiskNumber }> {
    return { disk_number: await this.numberOf(await this.hands.plugDisk(64n * MIB)) };
  }

  /** An empty folder, in Windows' words, and its path on this machine. */
  async mountPoint(name = 'mount'): Promise<{ readonly target_path: string; readonly here: string }> {
    const target_path = `${KUBELET}\\plugins\\${name}`;
    await this.call('filesystem', 'Mkdir', { path: target_path });
    return { target_path, here: join(this.root, 'var/lib/kubelet/plugins', name) };
  }
}
