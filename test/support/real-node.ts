import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AttachedDisk } from '../../src/core/attach-folder.ts';
import { aroundHostCalls } from '../../src/core/host-calls.ts';
import { asNodeId, asVolumeId } from '../../src/core/ids.ts';
import type { HostStorage } from '../../src/core/ports/host-storage.ts';
import { encodePublishContext } from '../../src/core/publish-context.ts';
import { openFileJournal } from '../../src/node/file-journal.ts';
import type { NodeDeps } from '../../src/node/node-deps.ts';
import { recordOf, type JournalRecord, type JournalStore } from '../../src/node/journal.ts';
import { nodeService } from '../../src/node/node-service.ts';
import { NodeSweeper } from '../../src/node/sweep.ts';
import { VolumeConditions } from '../../src/node/volume-conditions.ts';
import type { CsiService } from '../../src/rpc/call.ts';
import { KeyedLock } from '../../src/util/keyed-lock.ts';
import type { HostUnderTest } from '../contract/host-storage/bench.ts';
import { callContext } from './call-context.ts';
import { countingHost, type HostCallLog } from './counting-host.ts';
import { BLANK, callNode, CrashPoint, mortalJournal, ordinaryRequest, type Fields } from './node-world.ts';
import { RecordingLogger } from './recording-logger.ts';

interface Process {
  readonly service: CsiService;
  readonly sweeper: NodeSweeper;
  readonly calls: HostCallLog;
  readonly crash: CrashPoint;
}

/** The node service with one blank disk over a real host and a journal in files, in processes that may die. */
export class RealNode {
  readonly hands: HostUnderTest;
  readonly disk: AttachedDisk;
  readonly stagingPath: string;
  readonly targetPath: string;
  /** Calls of formatVolume that came back, in all processes. */
  formats = 0;
  /** What the volume must hold; `undefined` while nothing has been written. */
  written: string | undefined;
  #host: HostStorage;
  #process: Process;
  readonly #journal: JournalStore;
  readonly #capacityBytes: bigint;
  readonly #extraDeps: Partial<NodeDeps>;
  readonly #log = new RecordingLogger();

  private constructor(
    hands: HostUnderTest,
    disk: AttachedDisk,
    root: string,
    journal: JournalStore,
    bytes: bigint,
    extraDeps: Partial<NodeDeps>,
  ) {
    this.hands = hands;
    this.disk = disk;
    this.stagingPath = join(root, 'plugins', 'globalmount');
    this.targetPath = join(root, 'pods', 'one', 'mount');
    this.#journal = journal;
    this.#capacityBytes = bytes;
    this.#extraDeps = extraDeps;
    this.#host = hands.host;
    this.#process = this.#start(undefined);
  }

  /** `kubelet`: the kubelet's folder, with its plugins and pods in it. */
  static async create(
    hands: HostUnderTest,
    capacityBytes: bigint,
    { kubelet, ...extraDeps }: { readonly kubelet?: string } & Partial<NodeDeps> = {},
  ): Promise<RealNode> {
    const root = kubelet ?? (await hands.tempPath());
    const disk = await hands.plugDisk(capacityBytes);
    await mkdir(join(root, 'plugins', 'globalmount'), { recursive: true });
    await mkdir(join(root, 'pods', 'one'), { recursive: true });
    const log = new RecordingLogger();
    const journal = await openFileJournal(join(root, 'journal'), { log, now: () => new Date() });
    return new RealNode(hands, disk, root, journal, capacityBytes, extraDeps);
  }

  get calls(): HostCallLog {
    return this.#process.calls;
  }

  get steps(): number {
    return this.#process.crash.steps;
  }

  /** A new process over what the last one left; it dies after so many host calls and journal writes. */
  async restart(diesAfterSteps?: number): Promise<void> {
    this.#host = await this.hands.restart();
    this.#process = this.#start(diesAfterSteps);
  }

  /** For a server of its own. */
  get service(): CsiService {
    return this.#process.service;
  }

  async call(method: string, fields: Fields = {}): Promise<Fields> {
    const context = callContext({ service: 'Node', method }, this.#log);
    return callNode(this.#process.service, { ...this.request(), ...fields }, context);
  }

  /** An ordinary request of any method. */
  request(): Fields {
    return {
      ...ordinaryRequest(this.#publishContext()),
      volume_id: this.disk.volumeId,
      staging_target_path: this.stagingPath,
      volume_path: this.stagingPath,
      target_path: this.targetPath,
    };
  }

  sweep(atStart: boolean): Promise<void> {
    return this.#process.sweeper.sweepOnce(new AbortController().signal, atStart);
  }

  /** The host calls that `work` makes. */
  during(work: () => Promise<unknown>): Promise<readonly string[]> {
    return this.calls.during(work);
  }

  /** What a pod would do. */
  async write(folder: string, text: string): Promise<void> {
    await writeFile(join(folder, 'marker'), text);
    this.written = text;
  }

  /** What a pod finds; `undefined` when what was written is not there. */
  async read(folder: string): Promise<string | undefined> {
    const names = await readdir(folder);
    return names.includes('marker') ? readFile(join(folder, 'marker'), 'utf8') : undefined;
  }

  async record(): Promise<JournalRecord | undefined> {
    return recordOf(await this.#journal.read(asVolumeId(this.disk.volumeId)));
  }

  /** As of when the disk was attached, blank: kubelet replays it though it is stale. */
  #publishContext(): Record<string, string> {
    const { serialNumber, page83 } = this.disk;
    return encodePublishContext({
      transport: 'local',
      serialNumber,
      page83,
      capacityBytes: this.#capacityBytes,
      content: BLANK,
      examinedAt: new Date(),
    });
  }

  #start(diesAfterSteps: number | undefined): Process {
    const crash = new CrashPoint(diesAfterSteps);
    const mortal = aroundHostCalls(this.#host, (call, run) =>
      crash.step(async () => {
        const answer = await run();
        if (call.method === 'formatVolume') this.formats += 1;
        return answer;
      }),
    );
    const { host, calls } = countingHost(mortal);
    const deps = {
      host,
      journal: mortalJournal(this.#journal, crash),
      conditions: new VolumeConditions(),
      log: this.#log,
      now: () => new Date(),
      ...this.#extraDeps,
    };
    const options = { nodeId: asNodeId('node-1'), topology: {}, statsCacheSeconds: 30 };
    const sweeper = new NodeSweeper({ ...deps, lock: new KeyedLock() }, { intervalSeconds: 60 });
    return { service: nodeService(deps, options), sweeper, calls, crash };
  }
}
