import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { NAMESPACES, SESSION_SCRIPT, WINE_ENV } from './wine-root.ts';

const POLL_MS = 10;
const STARTED_SECONDS = 30;

/** A Windows program that runs under Wine, or has run. */
export interface WineProcess {
  /** What it has printed so far, on both channels. */
  output(): Promise<string>;
  /** Waits until that has a text in it; gives the milliseconds since the start. Throws when it ends before. */
  printed(text: string, seconds?: number): Promise<number>;
  /** Waits for its end and gives its exit code; a longer run is a failure. */
  ended(seconds: number): Promise<number>;
}

/**
 * Wine in namespaces of its own, so that nothing it mounts or starts outlives it: it ends when `close` ends its
 * standard input, and so does it when we are killed.
 */
export class WineSession {
  /** A folder for the files of this session as they see it. */
  static readonly work = String.raw`Z:\work`;
  readonly #init: ChildProcess;
  readonly #pid: string;
  readonly #root: string;
  readonly #folder: string;
  #programs = 0;

  private constructor(init: ChildProcess, pid: string, root: string, folder: string) {
    this.#init = init;
    this.#pid = pid;
    this.#root = root;
    this.#folder = folder;
  }

  static async open(root: string): Promise<WineSession> {
    const folder = await mkdtemp(join(tmpdir(), 'csi-ntfs-wine-'));
    const init = spawn(
      'unshare',
      [...NAMESPACES, 'sh', '-c', SESSION_SCRIPT, 'sh', root, process.cwd(), folder],
      { stdio: ['pipe', 'pipe', 'inherit'] },
    );
    const ready = await new Promise<boolean>((resolve) => {
      init.stdout.once('data', () => {
        resolve(true);
      });
      init.once('close', () => {
        resolve(false);
      });
    });
    if (!ready) throw new Error('cannot open namespaces for Wine: what unshare and mount said is above');
    const children = await readFile(`/proc/${init.pid ?? 0}/task/${init.pid ?? 0}/children`, 'utf8');
    return new WineSession(init, children.trim(), root, folder);
  }

  /** The session's folder as this machine sees it. */
  get folder(): string {
    return this.#folder;
  }

  /** Starts a Windows program in the project's folder. Its output goes to a file: Wine's pipes are none to libuv. */
  start(program: string, args: readonly string[]): WineProcess {
    const begun = performance.now();
    this.#programs += 1;
    const path = join(this.#folder, `output-${this.#programs}.log`);
    const file = openSync(path, 'a');
    const inside = ['--target', this.#pid, '--mount', '--pid', 'chroot', this.#root, ...WINE_ENV];
    const wine = ['sh', '-c', 'cd /driver && exec wine "$@"', 'sh', program, ...args];
    const child = spawn('nsenter', [...inside, ...wine], { stdio: ['ignore', file, file] });
    closeSync(file);
    const output = (): Promise<string> => readFile(path, 'utf8');
    const end = new Promise<number>((resolve) => {
      child.once('error', () => {
        resolve(127);
      });
      child.once('close', (code) => {
        resolve(code ?? 1);
      });
    });
    return { output, printed: printedIn(output, child, begun), ended: endOf(end, program, output) };
  }

  async close(): Promise<void> {
    const gone = new Promise((resolve) => this.#init.once('close', resolve));
    this.#init.stdin?.end();
    await gone;
    await rm(this.#folder, { recursive: true, force: true });
  }
}

function printedIn(
  output: () => Promise<string>,
  child: ChildProcess,
  begun: number,
): (text: string, seconds?: number) => Promise<number> {
  return async (text, seconds = STARTED_SECONDS) => {
    for (;;) {
      const hasEnded = child.exitCode !== null;
      const printed = await output();
      if (printed.includes(text)) return performance.now() - begun;
      const isLate = performance.now() - begun > seconds * 1000;
      if (hasEnded || isLate)
        throw new Error(
          `${JSON.stringify(text)} was not printed ${hasEnded ? 'before it ended' : `within ${seconds} s`}:\n${printed.trimEnd()}`,
        );
      await sleep(POLL_MS);
    }
  };
}

function endOf(
  end: Promise<number>,
  program: string,
  output: () => Promise<string>,
): (seconds: number) => Promise<number> {
  return async (seconds) => {
    const late = new AbortController();
    const tooLong = sleep(seconds * 1000, undefined, { signal: late.signal }).catch(() => undefined);
    const code = await Promise.race([end, tooLong]);
    late.abort();
    if (code === undefined)
      throw new Error(`${program} runs longer than ${seconds} s:\n${(await output()).trimEnd()}`);
    return code;
  };
}
