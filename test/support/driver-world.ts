import { lstat, mkdir, readdir, readFile, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { status } from '@grpc/grpc-js';
import { openFileBackend } from '../../src/backends/file-backend.ts';
import { controllerService } from '../../src/controller/controller-service.ts';
import {
  DISK_RECORD_SUFFIX,
  encodeNodeRecord,
  NODE_RECORD_NAME,
  nodeFolderName,
} from '../../src/core/attach-folder.ts';
import { StorageError } from '../../src/core/errors.ts';
import { aroundHostCalls } from '../../src/core/host-calls.ts';
import { IdempotentBackend } from '../../src/core/idempotent-backend.ts';
import { asNodeId, volumeIdFor, type HostVolumeId } from '../../src/core/ids.ts';
import type { HostStorage } from '../../src/core/ports/host-storage.ts';
import { simulatedHostStorage } from '../../src/hosts/simulated/simulated-host-storage.ts';
import { openFileJournal } from '../../src/node/file-journal.ts';
import { nodeService } from '../../src/node/node-service.ts';
import { NodeSweeper } from '../../src/node/sweep.ts';
import { VolumeConditions } from '../../src/node/volume-conditions.ts';
import { CallError } from '../../src/rpc/call-error.ts';
import type { CsiService } from '../../src/rpc/call.ts';
import { loadCsiApi, serviceDefinition } from '../../src/rpc/csi-api.ts';
import { onion } from '../../src/rpc/onion.ts';
import { RunningCalls } from '../../src/rpc/running-calls.ts';
import { KeyedLock } from '../../src/util/keyed-lock.ts';
import { writeRecord } from '../../src/util/record-file.ts';
import {
  leaveHalfRecord,
  mortalBackend,
  mortalFiles,
  mortalHost,
  mortalJournal,
  Mortality,
  type Trouble,
} from './mortality.ts';
import { RecordingLogger } from './recording-logger.ts';
import { wireRequest } from './wire-caller.ts';

export const CONTROLLER = 'controller';
export const NODES = ['node-a', 'node-b'] as const;
export type NodeName = (typeof NODES)[number];
export type ProcessName = typeof CONTROLLER | NodeName;

const api = loadCsiApi();
const nobody = new AbortController().signal;
/** For a handler that lost its caller or its process to come to its end. */
const SETTLE_MS = 10_000;

interface LivingProcess {
  readonly mortality: Mortality;
  readonly service: CsiService;
  readonly lock: KeyedLock;
  readonly running: RunningCalls;
  readonly sweeper?: NodeSweeper;
  /** What the kernel does for a process that is gone. */
  readonly close: () => Promise<void>;
}

/** How a call ended; `died` when its process did not live to say it. */
export interface Reply {
  readonly code: string;
  readonly message: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the answer of whatever rpc was called
  readonly answer?: any;
}

/** A finished format: of which disk. */
export type Formats = ReadonlyMap<string, number>;

/**
 * The whole driver but its sockets and root: a controller over a pool in files, two nodes with journals in files on
 * simulated machines, and a kubelet's folders. Each of the three processes can die at any of its steps, and is
 * started again over what it left.
 */
export class DriverWorld {
  readonly root: string;
  readonly log = new RecordingLogger();
  readonly #processes = new Map<ProcessName, LivingProcess>();
  /** By serial number. */
  readonly #formats = new Map<string, number>();
  liveSnapshots = false;

  private constructor(root: string) {
    this.root = root;
  }

  static async open(root: string): Promise<DriverWorld> {
    const world = new DriverWorld(root);
    for (const node of NODES) {
      const folder = world.attachDir(node);
      await mkdir(folder, { recursive: true });
      await writeRecord(join(folder, NODE_RECORD_NAME), encodeNodeRecord({ nodeId: node, maxVolumes: 16 }));
    }
    await world.restart(CONTROLLER);
    for (const node of NODES) await world.restart(node);
    return world;
  }

  async close(): Promise<void> {
    for (const process of this.#processes.values()) await process.close();
  }

  /** How often each disk was formatted to the end. */
  get formats(): Formats {
    return this.#formats;
  }

  get poolDir(): string {
    return join(this.root, 'pool');
  }

  attachDir(node: NodeName): string {
    return join(this.root, 'attach', nodeFolderName(node));
  }

  journalDir(node: NodeName): string {
    return join(this.root, node, 'journal');
  }

  machineDir(node: NodeName): string {
    return join(this.root, node, 'machine');
  }

  volumeImage(name: string): string {
    return join(this.poolDir, 'volumes', volumeIdFor(name), 'disk.img');
  }

  stagingPath(node: NodeName, volume: string): string {
    return join(this.root, node, 'kubelet/plugins', volume, 'globalmount');
  }

  targetPath(node: NodeName, volume: string, pod: string): string {
    return join(this.root, node, 'kubelet/pods', pod, 'volumes', volume);
  }

  isDead(name: ProcessName): boolean {
    return this.#process(name).mortality.dead;
  }

  /** Calls an rpc through every layer and the bytes of the wire; `trouble` comes at one of its steps. */
  async call(name: ProcessName, method: string, request: object, trouble?: Trouble): Promise<Reply> {
    const process = this.#process(name);
    const { service, lock, running, mortality } = process;
    const caller = new AbortController();
    const cancel = (): void => {
      caller.abort(new StorageError('cancelled', 'the caller went away'));
    };
    if (trouble !== undefined) mortality.arm(trouble, cancel);
    const observer = { started: () => undefined, finished: () => undefined };
    const handler = onion(service, method, { api, observer, lock, running, gate: (next) => next });
    const context = { service: service.name, method, callId: method, signal: caller.signal, log: this.log };
    try {
      const answer = await handler(wireRequest(api, service.name, method, request), context);
      return mortality.dead
        ? DIED
        : { code: 'OK', message: '', answer: throughWire(service.name, method, answer) };
    } catch (error) {
      if (mortality.dead) return DIED;
      if (!(error instanceof CallError)) throw error;
      return { code: status[error.code], message: `${error.message} ${causeOf(error)}` };
    } finally {
      if (trouble !== undefined) mortality.arm(undefined, cancel);
    }
  }

  /** Waits for handlers whose callers are gone. */
  async settled(name: ProcessName): Promise<void> {
    if (!(await this.#process(name).running.settled(SETTLE_MS)))
      throw new Error(`a call of ${name} does not end`);
  }

  async sweep(node: NodeName, atStart: boolean, trouble?: Trouble): Promise<void> {
    const { sweeper, mortality } = this.#process(node);
    mortality.arm(trouble, () => undefined);
    await sweeper?.sweepOnce(nobody, atStart).catch((error: unknown) => {
      if (!mortality.dead) throw error;
    });
    mortality.arm(undefined, () => undefined);
  }

  /** Ends a process, if it is not dead yet, and starts the next one over what it left. */
  async restart(name: ProcessName, trouble?: Trouble): Promise<void> {
    const former = this.#processes.get(name);
    if (former !== undefined) {
      former.mortality.die();
      await this.settled(name);
      await former.close();
    }
    if (name !== CONTROLLER) {
      this.#processes.set(name, await this.#startNode(name));
      return;
    }
    const doomed = new Mortality();
    doomed.arm(trouble, () => undefined);
    try {
      this.#processes.set(name, await this.#startController(doomed));
    } catch (error) {
      if (!doomed.dead) throw error;
      this.#processes.set(name, await this.#startController(new Mortality()));
    }
    doomed.arm(undefined, () => undefined);
  }

  /**
   * A machine that loses its power: what was not flushed is gone, disks are offline, and mount points are what they
   * are on this system: dangling (Windows) or empty folders (Linux).
   */
  async reboot(node: NodeName, mountPoints: 'dangle' | 'vanish'): Promise<void> {
    const machine = this.machineDir(node);
    await this.settled(node);
    for (const folder of ['data', 'disks']) await rm(join(machine, folder), { recursive: true, force: true });
    if (mountPoints === 'vanish') {
      const mounts = join(machine, 'mounts');
      for (const name of await readdir(mounts).catch(() => [])) {
        if (name.endsWith('.json')) await makeFolderOf(await readFile(join(mounts, name), 'utf8'));
      }
      await rm(mounts, { recursive: true, force: true });
    }
    await this.restart(node);
  }

  #process(name: ProcessName): LivingProcess {
    const process = this.#processes.get(name);
    if (process === undefined) throw new Error(`${name} was not started`);
    return process;
  }

  async #startController(mortality: Mortality): Promise<LivingProcess> {
    const attachDir = join(this.root, 'attach');
    const opened = await openFileBackend(
      { log: this.log, files: mortalFiles(mortality) },
      { poolDir: this.poolDir, attachDir, overcommitRatio: 1 },
    );
    this.liveSnapshots = opened.backend.features().liveSnapshots;
    const halfAttached = (volumeId: string, nodeId: string): Promise<void> =>
      leaveHalfRecord(join(attachDir, nodeFolderName(nodeId)), `${volumeId}${DISK_RECORD_SUFFIX}`);
    const backend = new IdempotentBackend(mortalBackend(opened.backend, mortality, halfAttached));
    return {
      mortality,
      service: controllerService({ backend }, { topology: { zone: 'local' } }),
      lock: new KeyedLock(),
      running: new RunningCalls(),
      close: () => opened.close(),
    };
  }

  async #startNode(node: NodeName): Promise<LivingProcess> {
    const mortality = new Mortality();
    const lock = new KeyedLock();
    const bare = simulatedHostStorage(
      { log: this.log },
      { attachDir: this.attachDir(node), stateDir: this.machineDir(node) },
    );
    const now = (): Date => new Date();
    const journal = await openFileJournal(this.journalDir(node), { log: this.log, now });
    const deps = {
      host: mortalHost(this.#watchingFormats(bare), mortality),
      journal: mortalJournal(journal, mortality, this.journalDir(node)),
      conditions: new VolumeConditions(),
      log: this.log,
      now,
    };
    return {
      mortality,
      service: nodeService(deps, { nodeId: asNodeId(node), topology: {}, statsCacheSeconds: 0 }),
      lock,
      running: new RunningCalls(),
      sweeper: new NodeSweeper({ ...deps, lock }, { intervalSeconds: 3600 }),
      close: () => Promise.resolve(),
    };
  }

  /** Looks below the driver: which disk is it that is about to be formatted? */
  #watchingFormats(host: HostStorage): HostStorage {
    const serialOf = async (volume: HostVolumeId): Promise<string> => {
      const number = await host.volumes.getDiskNumberFromVolumeId(volume, nobody);
      return (await host.disks.listDiskIds(nobody)).get(number)?.serialNumber ?? '';
    };
    const formatVolume = async (volume: HostVolumeId, signal: AbortSignal): Promise<void> => {
      const serial = await serialOf(volume);
      await host.volumes.formatVolume(volume, signal);
      this.#formats.set(serial, (this.#formats.get(serial) ?? 0) + 1);
    };
    const volumes = new Proxy(host.volumes, {
      get: (target, property) => {
        const method = Reflect.get(target, property) as (...args: unknown[]) => unknown;
        return property === 'formatVolume' ? formatVolume : method.bind(target);
      },
    });
    return aroundHostCalls({ ...host, volumes }, (_call, run) => run());
  }
}

const DIED: Reply = { code: 'died', message: 'the process died' };

function causeOf(error: CallError): string {
  return error.cause instanceof Error ? `(${error.cause.stack ?? error.cause.message})` : '';
}

function throughWire(service: string, method: string, answer: unknown): unknown {
  const definition = serviceDefinition(api, service)[method];
  if (definition === undefined) throw new Error(`${service} has no ${method}`);
  return definition.responseDeserialize(definition.responseSerialize(answer));
}

/** The empty folder that a mount point of Linux is once nothing is mounted there. */
async function makeFolderOf(mountRecord: string): Promise<void> {
  const { targetPath } = JSON.parse(mountRecord) as { readonly targetPath: string };
  const found = await lstat(targetPath).catch(() => undefined);
  if (found?.isSymbolicLink() !== true) return;
  await unlink(targetPath);
  await mkdir(targetPath);
}

/** Somebody else's things in a folder, which must be found as they were. */
export async function makeForeignThings(folder: string): Promise<void> {
  await mkdir(join(folder, 'full'), { recursive: true });
  await writeFile(join(folder, 'full/file'), "somebody else's");
  await symlink(join(folder, 'full'), join(folder, 'link'));
}
