import { asNodeId, asVolumeId, type VolumeId } from '../../src/core/ids.ts';
import { aroundHostCalls, type AroundHostCall } from '../../src/core/host-calls.ts';
import type { DiskContent } from '../../src/core/content-state.ts';
import type { HostStorage } from '../../src/core/ports/host-storage.ts';
import { encodePublishContext } from '../../src/core/publish-context.ts';
import { decodeJournalRecord, encodeJournalRecord } from '../../src/node/journal-codec.ts';
import type { JournalEntry, JournalRecord, JournalStore } from '../../src/node/journal.ts';
import { nodeService } from '../../src/node/node-service.ts';
import type { NodeDeps } from '../../src/node/node-deps.ts';
import { NodeSweeper } from '../../src/node/sweep.ts';
import { VolumeConditions } from '../../src/node/volume-conditions.ts';
import type { CallContext, CsiService } from '../../src/rpc/call.ts';
import { loadCsiApi } from '../../src/rpc/csi-api.ts';
import { KeyedLock } from '../../src/util/keyed-lock.ts';
import { callContext } from './call-context.ts';
import { countingHost, type HostCallLog } from './counting-host.ts';
import { InMemoryHost, type MemoryDisk } from './in-memory-host.ts';
import type { HostPreset } from './memory-host-presets.ts';
import { limitedHandler } from './limited-handler.ts';
import { RecordingLogger } from './recording-logger.ts';

export const VOLUME = asVolumeId('vol-0123456789abcdef0123456789abcdef');
export const STAGING = '/kubelet/globalmount';
export const TARGET = '/kubelet/pods/one/mount';
export const OTHER_TARGET = '/kubelet/pods/two/mount';

export const BLANK: DiskContent = { state: 'blank', found: 'nothing', fileSystemBytes: 0n };

/** Thrown by everything a process would do after its death. */
export class Crash extends Error {}

/** Kills the process after a number of steps: host calls and journal writes. */
export class CrashPoint {
  #left: number;
  steps = 0;

  constructor(afterSteps = Number.POSITIVE_INFINITY) {
    this.#left = afterSteps;
  }

  get dead(): boolean {
    return this.#left <= 0;
  }

  /** The step itself happens; it is its caller that never hears of it. */
  async step<Result>(run: () => Promise<Result>): Promise<Result> {
    this.#requireAlive();
    const [outcome] = await Promise.allSettled([run()]);
    this.steps += 1;
    this.#left -= 1;
    this.#requireAlive();
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  }

  #requireAlive(): void {
    if (this.dead) throw new Crash('the process is dead');
  }
}

/** A journal on an imaginary disk: records live as texts, as they would in files. */
export class MemoryJournal implements JournalStore {
  readonly texts = new Map<VolumeId, string>();
  begunAt = new Date(0);
  readonly #now: () => Date;

  constructor(now: () => Date) {
    this.#now = now;
  }

  read(volumeId: VolumeId): Promise<JournalEntry> {
    const text = this.texts.get(volumeId);
    if (text === undefined) return Promise.resolve({ kind: 'none' });
    try {
      return Promise.resolve({ kind: 'record', record: decodeJournalRecord(JSON.parse(text)) });
    } catch {
      return Promise.resolve({ kind: 'unreadable', reason: 'its journal record could not be read' });
    }
  }

  write(record: Omit<JournalRecord, 'updatedAt'>): Promise<JournalRecord> {
    const written = { ...record, updatedAt: this.#now() };
    this.texts.set(record.volumeId, JSON.stringify(encodeJournalRecord(written)));
    return Promise.resolve(written);
  }

  remove(volumeId: VolumeId): Promise<void> {
    this.texts.delete(volumeId);
    return Promise.resolve();
  }

  async list(): Promise<readonly JournalRecord[]> {
    const entries = await Promise.all([...this.texts.keys()].map((id) => this.read(id)));
    return entries.flatMap((entry) => (entry.kind === 'record' ? [entry.record] : []));
  }
}

export interface Process {
  readonly service: CsiService;
  readonly sweeper: NodeSweeper;
  readonly calls: HostCallLog;
  readonly crash: CrashPoint;
  readonly lock: KeyedLock;
  readonly conditions: VolumeConditions;
}

export interface WorldOptions {
  readonly capacityBytes?: bigint;
  readonly content?: DiskContent;
  /** What the host can do to begin with. */
  readonly preset?: HostPreset;
}

export type Fields = Readonly<Record<string, unknown>>;

/** One node: a host and a journal that outlive the driver's process, and a process that can be killed and started. */
export class NodeWorld {
  readonly host = new InMemoryHost();
  readonly log = new RecordingLogger();
  readonly journal: MemoryJournal;
  readonly disk: MemoryDisk;
  process: Process;
  time = new Date('2026-01-01T00:00:00Z');
  /** As the controller answered when it attached the disk; kubelet replays it. */
  publishContext: Record<string, string>;
  extraDeps: Partial<NodeDeps> = {};
  sweepIntervalSeconds = 0.01;
  sweepPatienceSeconds = 60;
  /** Interferes with the host's calls: spoils the world before one, or fails it after. */
  interfere: AroundHostCall = (_call, run) => run();

  constructor(options: WorldOptions = {}) {
    this.host.become(options.preset ?? 'v1');
    this.journal = new MemoryJournal(() => this.time);
    this.disk = this.host.plug({ serialNumber: 'serial-1', page83: 'naa.6001' }, options.capacityBytes);
    this.publishContext = this.contextOf(this.disk, options.content ?? BLANK);
    for (const folder of ['/kubelet', STAGING, '/kubelet/pods', '/kubelet/pods/one', '/kubelet/pods/two']) {
      this.host.paths.set(folder, { kind: 'folder' });
    }
    this.process = this.start();
  }

  contextOf(disk: MemoryDisk, content: DiskContent): Record<string, string> {
    const { serialNumber, page83 } = disk.ids;
    return encodePublishContext({
      transport: 'local',
      serialNumber,
      page83,
      capacityBytes: disk.capacityBytes,
      content,
      examinedAt: new Date(0),
    });
  }

  /** Starts the driver's process over what is there; it dies after so many steps. */
  start(diesAfterSteps?: number): Process {
    const crash = new CrashPoint(diesAfterSteps);
    const { host, calls } = countingHost(this.#mortalHost(crash));
    const journal = mortalJournal(this.journal, crash);
    const conditions = new VolumeConditions();
    const lock = new KeyedLock();
    const deps: NodeDeps = {
      host,
      journal,
      conditions,
      log: this.log,
      now: () => this.time,
      ...this.extraDeps,
    };
    const options = { nodeId: asNodeId('node-1'), topology: { zone: 'local' }, statsCacheSeconds: 30 };
    this.process = {
      service: nodeService(deps, options),
      sweeper: new NodeSweeper(
        { ...deps, lock },
        { intervalSeconds: this.sweepIntervalSeconds, patienceSeconds: this.sweepPatienceSeconds },
      ),
      calls,
      crash,
      lock,
      conditions,
    };
    return this.process;
  }

  /** Calls an RPC of the running process; `fields` replace those of an ordinary request. */
  async call(method: string, fields: Fields = {}, signal = new AbortController().signal): Promise<Fields> {
    const context = callContext({ service: 'Node', method, signal }, this.log);
    const request = { ...ordinaryRequest(this.publishContext), ...fields };
    return callNode(this.process.service, request, context);
  }

  stage(fields?: Fields): Promise<Fields> {
    return this.call('NodeStageVolume', fields);
  }

  unstage(fields?: Fields): Promise<Fields> {
    return this.call('NodeUnstageVolume', fields);
  }

  publish(fields?: Fields): Promise<Fields> {
    return this.call('NodePublishVolume', fields);
  }

  unpublish(fields?: Fields): Promise<Fields> {
    return this.call('NodeUnpublishVolume', fields);
  }

  /** 0n asks for no size. */
  expand(requiredBytes: bigint, fields?: Fields): Promise<Fields> {
    const capacity_range =
      requiredBytes === 0n ? null : { required_bytes: requiredBytes.toString(), limit_bytes: '0' };
    return this.call('NodeExpandVolume', { capacity_range, ...fields });
  }

  stats(fields?: Fields): Promise<Fields> {
    return this.call('NodeGetVolumeStats', fields);
  }

  sweep(atStart: boolean): Promise<void> {
    return this.process.sweeper.sweepOnce(new AbortController().signal, atStart);
  }

  /** The host calls that `work` makes. */
  during(work: () => Promise<unknown>): Promise<readonly string[]> {
    return this.process.calls.during(work);
  }

  /** What a pod would do. */
  write(path: string, name: string, text: string): void {
    const volume = this.host.follow(path);
    if (volume === undefined) throw new Error(`${path} leads to no volume`);
    volume.data.set(name, text);
  }

  read(path: string, name: string): string | undefined {
    return this.host.follow(path)?.data.get(name);
  }

  async record(): Promise<JournalRecord | undefined> {
    const entry = await this.journal.read(VOLUME);
    return entry.kind === 'record' ? entry.record : undefined;
  }

  /** The host as the process sees it until it dies. */
  #mortalHost(crash: CrashPoint): HostStorage {
    const mortal = aroundHostCalls(this.host, (call, run) => crash.step(() => this.interfere(call, run)));
    return { ...mortal, capabilities: () => this.host.capabilities() };
  }
}

const api = loadCsiApi();

/** Calls an RPC of a node service as the server would. */
export async function callNode(service: CsiService, request: Fields, context: CallContext): Promise<Fields> {
  return (await limitedHandler(api, service, context.method)(request, context)) as Fields;
}

/** An ordinary request of any method: every field a handler may look at. */
export function ordinaryRequest(publishContext: Readonly<Record<string, string>>): Fields {
  return {
    volume_id: VOLUME,
    publish_context: publishContext,
    staging_target_path: STAGING,
    target_path: TARGET,
    volume_path: STAGING,
    volume_capability: capability(),
    capacity_range: null,
    readonly: false,
    secrets: {},
    volume_context: {},
  };
}

export function capability(mode = 'SINGLE_NODE_WRITER', fsType = 'ntfs'): Fields {
  return {
    access_type: 'mount',
    mount: { fs_type: fsType, mount_flags: [], volume_mount_group: '' },
    access_mode: { mode },
  };
}

/** Reading changes nothing, so only writes are worth dying after. */
export function mortalJournal(journal: JournalStore, crash: CrashPoint): JournalStore {
  return {
    begunAt: journal.begunAt,
    read: (id) => (crash.dead ? Promise.reject(new Crash('the process is dead')) : journal.read(id)),
    list: () => journal.list(),
    write: (record) => crash.step(() => journal.write(record)),
    remove: (id) => crash.step(() => journal.remove(id)),
  };
}
