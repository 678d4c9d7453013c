import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { TOOL_PATH } from '../../src/hosts/linux/tools.ts';

const run = promisify(execFile);

/** Runs a tool of the system to its end. An ordinary user's own PATH lacks the folders of `mkfs` and `sfdisk`. */
export async function runTool(command: string, args: readonly string[], stdin = ''): Promise<void> {
  const running = run(command, args, { env: { PATH: TOOL_PATH.join(':'), LC_ALL: 'C' } });
  // A tool that does not read its input may end before we have written it.
  running.child.stdin?.on('error', () => undefined).end(stdin);
  await running;
}
