import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { inTempFolder } from '../../support/temp-folder.ts';

const SCRIPT = join(__dirname, '../../support/copy-a-disk.ts');

interface Copying {
  /** Of the process that copies for it. */
  readonly toolPid: number;
  /** It has nothing else to do any more. */
  readonly finish: () => void;
  readonly kill: () => void;
  readonly said: () => string;
  /** How it ended and what it said. */
  readonly ended: Promise<{ readonly code: number | null; readonly output: string }>;
}

/** A driver process whose `cp` writes down its process id and never ends. */
async function whileCopying(work: (copying: Copying) => Promise<void>): Promise<void> {
  await inTempFolder(async (folder) => {
    const pidFile = join(folder, 'pid');
    await mkdir(join(folder, 'tools'));
    const tool = join(folder, 'tools', 'cp');
    await writeFile(
      tool,
      `#!/bin/sh\necho $$ > ${pidFile}.new\nmv ${pidFile}.new ${pidFile}\nexec sleep 300\n`,
    );
    await chmod(tool, 0o755);
    const args = [join(folder, 'a'), join(folder, 'b')];
    const child = spawn(process.execPath, ['--import', 'tsx', SCRIPT, ...args], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, PATH: `${join(folder, 'tools')}:${process.env['PATH'] ?? ''}` },
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    const ended = once(child, 'exit').then(([code]) => ({ code: code as number | null, output }));
    await until(() => isThere(pidFile));
    const toolPid = Number(await readFile(pidFile, 'utf8'));
    try {
      await work({
        toolPid,
        said: () => output,
        finish: () => child.stdin.end(),
        kill: () => child.kill('SIGKILL'),
        ended,
      });
    } finally {
      child.kill('SIGKILL');
      if (await isAlive(toolPid)) process.kill(toolPid, 'SIGKILL');
    }
  });
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** A zombie that nobody has buried yet is dead. */
const isAlive = (pid: number): Promise<boolean> =>
  readFile(`/proc/${pid}/stat`, 'utf8').then(
    (stat) => !/\) [ZX] /.test(stat),
    () => false,
  );

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await isSo()); tries++) {
    if (tries === 400) throw new Error('waited in vain');
    await setTimeout(25);
  }
}

describe('a copy that has begun', () => {
  it('law 8: ends with the driver when that is done, and does not hold it up', async () => {
    await whileCopying(async ({ toolPid, finish, ended }) => {
      finish();
      expect(await ended).toEqual({ code: 0, output: '' });
      await until(async () => !(await isAlive(toolPid)));
    });
  });

  it('law 8: ends with a driver that is killed', async () => {
    await whileCopying(async ({ toolPid, kill, ended }) => {
      expect(await isAlive(toolPid)).toBe(true);
      kill();
      await ended;
      await until(async () => !(await isAlive(toolPid)));
    });
  });

  it('says what went wrong when it fails', async () => {
    await whileCopying(async ({ toolPid, finish, said, ended }) => {
      process.kill(toolPid, 'SIGTERM');
      await until(() => Promise.resolve(said() !== ''));
      finish();
      expect(await ended).toEqual({ code: 0, output: 'Error: cp failed (SIGTERM): \n' });
    });
  });
});
