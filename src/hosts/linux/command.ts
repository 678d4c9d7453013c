import { spawn } from 'node:child_process';
import { StorageError } from '../../core/errors.ts';
import { isErrno } from '../../util/record-file.ts';
import { packageOf, TOOL_PATH } from './tools.ts';

/**
 * Runs a tool to its end and gives what it printed. `doing` completes the sentence "cannot …" of the error.
 * There is no way to stop it: a change to a disk that has begun is finished (law 6).
 */
export type Run = (doing: string, command: string, args: readonly string[]) => Promise<string>;

/** Of a failing tool's complaint, what fits in a message. All of it is in the cause. */
const SHORT_COMPLAINT = 300;

/**
 * Arguments go to the tool as they are, no shell reads them. The tool gets its own session, so that Ctrl-C in the
 * driver's terminal does not end a half-done format.
 */
export const runCommand: Run = async (doing, command, args) => {
  const { code, stdout, stderr } = await finished(doing, command, args);
  if (code === 0) return stdout;
  const complaint = (stderr.trim() || stdout.trim()).replaceAll(/\s+/g, ' ');
  throw new StorageError(
    'internal',
    `cannot ${doing}: ${command} failed (${code}): ${complaint.slice(0, SHORT_COMPLAINT)}`,
    { cause: new Error(`${command} ${args.join(' ')}: ${stderr}${stdout}`) },
  );
};

interface Outcome {
  readonly code: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

function finished(doing: string, command: string, args: readonly string[]): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: TOOL_PATH.join(':'), LC_ALL: 'C' },
      cwd: '/',
      detached: true,
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
    child.once('error', (cause) => {
      reject(notStarted(doing, command, cause));
    });
    child.once('close', (code, signal) => {
      resolve({ code: code ?? signal ?? 'unknown', stdout, stderr });
    });
  });
}

function notStarted(doing: string, command: string, cause: Error): StorageError {
  if (!isErrno(cause, 'ENOENT')) {
    return new StorageError('internal', `cannot ${doing}: cannot start ${command}: ${cause.message}`, {
      cause,
    });
  }
  return new StorageError(
    'failed-precondition',
    `cannot ${doing}: ${command} is not installed: apt-get install ${packageOf(command)}`,
    { cause },
  );
}
