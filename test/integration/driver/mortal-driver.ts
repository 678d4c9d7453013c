import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type DriverProcess, startDriver } from '../../../src/app/demo/driver-process.ts';
import { connectCsi, type CsiClient } from '../../../src/rpc/csi-client.ts';
import { Wire } from '../../conformance/wire.ts';
import { builtDriver } from '../../support/built-driver.ts';

/** `proxied`: the simulated host, served by a CSI Proxy of its own that is killed like the node. */
export type HostLayer = 'linux' | 'simulated' | 'proxied';
/** What a CO calls. */
export type Mode = 'controller' | 'node';
type Process = Mode | 'proxy';

export const NODE_ID = 'node-1';
/** A CO tries again for as long as it takes; a call that needs longer than this never will succeed. */
const PATIENCE_MS = 30_000;
const PAUSE_MS = 50;

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** The built driver as two processes that are killed while they are called, and a CO that goes on calling. */
export class MortalDriver {
  readonly folder: string;
  readonly #host: HostLayer;
  readonly #random: () => number;
  readonly #processes = new Map<Process, DriverProcess>();
  readonly #clients = new Map<Mode, CsiClient>();
  /** What was called when it was killed, for the message of a failure. */
  readonly kills: string[] = [];
  /** The answers a CO was not glad of. */
  readonly refusals: string[] = [];
  /** Ends with the last kill that is due. */
  readonly #mostKills: number;

  constructor(folder: string, options: { host: HostLayer; random: () => number; kills: number }) {
    this.folder = folder;
    this.#host = options.host;
    this.#random = options.random;
    this.#mostKills = options.kills;
  }

  get poolDir(): string {
    return join(this.folder, 'pool');
  }

  get isSpent(): boolean {
    return this.kills.length >= this.#mostKills;
  }

  async start(): Promise<void> {
    await mkdir(this.folder, { recursive: true });
    await this.#start('controller');
    if (this.#host === 'proxied') await this.#start('proxy');
    await this.#start('node');
  }

  /**
   * Calls until it succeeds. Every other time the process called is killed at a moment within `typicalMs` from now,
   * and started again.
   */
  async call<Answer>(
    mode: Mode,
    what: string,
    typicalMs: number,
    rpc: (client: CsiClient) => Promise<Answer>,
  ): Promise<Answer> {
    const until = Date.now() + PATIENCE_MS;
    for (;;) {
      const doomed = !this.isSpent && this.#random() < 0.5;
      const victim = this.#victimOf(mode);
      const death = doomed ? this.#killLater(victim, what, this.#random() * typicalMs) : undefined;
      const outcome = await attemptOf(rpc, this.#client(mode));
      await death;
      if (outcome.ok) return outcome.answer;
      this.refusals.push(`${what}: ${outcome.reason}`);
      if (Date.now() > until) throw new Error(`${what} does not succeed: ${outcome.reason}`);
      await wait(PAUSE_MS);
    }
  }

  /** A node notices unplugged disks when it looks at its machine. */
  async letNodeLook(): Promise<void> {
    const look = (): ReturnType<CsiClient['identity']['probe']> => this.#client('node').identity.probe({});
    for (let tries = 0; (await look()).ready?.value !== true; tries += 1) {
      if (tries * PAUSE_MS > PATIENCE_MS) throw new Error('the node does not get ready');
      await wait(PAUSE_MS);
    }
    if (this.#host === 'proxied') await this.#letProxyLook();
  }

  /** Behind a proxy the node's probe does not look at the machine. */
  async #letProxyLook(): Promise<void> {
    const wire = new Wire({ dir: join(this.folder, 'pipes') });
    await wire.call('disk', 'v1', 'Rescan');
    wire.close();
  }

  /** SIGTERM to both: they end with code 0. */
  async stop(): Promise<void> {
    this.#closeClients();
    for (const process of this.#processes.values()) await process.stop();
    this.#processes.clear();
  }

  /** For a test that failed. */
  async abandon(): Promise<void> {
    this.#closeClients();
    for (const process of this.#processes.values()) await process.kill();
    this.#processes.clear();
  }

  /** Behind a call of the node there may be two processes. */
  #victimOf(mode: Mode): Process {
    return mode === 'node' && this.#host === 'proxied' && this.#random() < 0.5 ? 'proxy' : mode;
  }

  async #killLater(victim: Process, what: string, milliseconds: number): Promise<void> {
    await wait(milliseconds);
    this.kills.push(`${victim} in ${what} after ${Math.round(milliseconds)} ms`);
    await this.#processes.get(victim)?.kill();
    await this.#start(victim);
  }

  async #start(mode: Process): Promise<void> {
    const process = await startDriver({
      program: [globalThis.process.execPath, await builtDriver()],
      mode,
      flags: { 'attach-dir': join(this.folder, 'attach'), ...(await this.#flagsOf(mode)) },
      logFile: join(this.folder, `${mode}.log`),
    });
    this.#processes.set(mode, process);
  }

  async #flagsOf(mode: Process): Promise<Readonly<Record<string, string>>> {
    const endpoint = `unix://${join(this.folder, `${mode}.sock`)}`;
    if (mode === 'controller') return { endpoint, 'pool-dir': this.poolDir };
    const machine = { 'node-id': NODE_ID, 'state-dir': join(this.folder, 'state') };
    if (this.#host !== 'proxied') return { ...machine, endpoint, host: this.#host };
    const kubelet = { 'kubelet-path': `C:${this.folder.replaceAll('/', '\\')}\\kubelet` };
    const proxied = { ...machine, ...kubelet, 'pipe-dir': join(this.folder, 'pipes') };
    await mkdir(proxied['pipe-dir'], { recursive: true });
    return mode === 'proxy' ? { ...proxied, host: 'simulated' } : { ...proxied, endpoint, host: 'proxy' };
  }

  #client(mode: Mode): CsiClient {
    const known = this.#clients.get(mode);
    if (known !== undefined) return known;
    const client = connectCsi(`unix://${join(this.folder, `${mode}.sock`)}`, { timeoutSeconds: 20 });
    this.#clients.set(mode, client);
    return client;
  }

  #closeClients(): void {
    for (const client of this.#clients.values()) client.close();
    this.#clients.clear();
  }
}

type Outcome<Answer> =
  { readonly ok: true; readonly answer: Answer } | { readonly ok: false; readonly reason: string };

async function attemptOf<Answer>(
  rpc: (client: CsiClient) => Promise<Answer>,
  client: CsiClient,
): Promise<Outcome<Answer>> {
  try {
    return { ok: true, answer: await rpc(client) };
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : String(error) };
  }
}
