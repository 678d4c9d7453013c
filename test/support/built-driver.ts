import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The bundle, as users run it; `npm test` builds it first. */
const BUNDLE = 'dist/csi-driver-ntfs.cjs';

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command that runs longer than this hangs. */
const HANGS_MS = 90_000;

/** Runs the built driver to its end; one that hangs is ended and has no code. */
export async function runDriver(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Finished> {
  const child = spawn(process.execPath, [await builtDriver(), ...args], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: HANGS_MS,
    killSignal: 'SIGKILL',
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, stdout, stderr };
}

/** Path of the bundle; built when it is not there, so that one test file can be run alone. */
export async function builtDriver(): Promise<string> {
  if (!existsSync(BUNDLE)) await promisify(execFile)('node_modules/.bin/tsx', ['scripts/build.ts']);
  return BUNDLE;
}

/** A folder for a driver's files, and what removes it. */
export async function driverFolder(): Promise<{ folder: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'csi-ntfs-app-'));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
