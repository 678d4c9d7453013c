import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ALL_PIPES, type Pipe, pipeName } from '../../../src/proxyapi/api-versions.ts';
import { RELEASES } from '../../../src/proxyapi/releases.ts';
import { wireService } from '../../../src/proxyapi/wire-service.ts';
import { WireError } from '../../conformance/wire.ts';
import { inTempFolder } from '../../support/temp-folder.ts';
import { ServedMachine } from './served-machine.ts';

const sockets = (pipes: readonly Pipe[]): readonly string[] =>
  pipes.map((pipe) => `${pipeName(pipe)}.sock`).sort();

/** A process that listens on a socket and is killed: nothing removes the file. */
async function leaveStaleSocket(path: string): Promise<void> {
  const script = `require('net').createServer().listen(process.argv[1], () => console.log('up'))`;
  const child = spawn(process.execPath, ['-e', script, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  child.kill('SIGKILL');
  await once(child, 'exit');
}

describe('the pipes of a server', () => {
  it.each(Object.entries(RELEASES))(
    'are those of release %s, in a folder of its owner',
    async (_name, pipes) => {
      await ServedMachine.run({ pipes }, async ({ log, pipeDir }) => {
        expect((await readdir(pipeDir)).sort()).toEqual(sockets(pipes));
        expect((await stat(pipeDir)).mode & 0o777).toBe(0o700);
        expect(log.lines).toContainEqual({
          level: 'info',
          fields: { pipeDir, pipes: pipes.length, era: '1.3' },
          message: 'serving CSI Proxy',
        });
      });
    },
  );

  it('go when it stops', async () => {
    await ServedMachine.run({}, async ({ pipeDir, server }) => {
      await server.stop(1);
      await expect(readdir(pipeDir)).resolves.toEqual([]);
    });
  });

  it('law 5: every rpc of every pipe answers OK or UNKNOWN with a text, also to an empty request', async () => {
    await ServedMachine.run({}, async (machine) => {
      for (const pipe of ALL_PIPES) {
        for (const rpc of Object.keys(wireService(pipe))) {
          const where = `${pipe.group} ${pipe.version}` as const;
          const outcome = await machine.call(where, rpc).then(
            () => 'OK',
            (error: unknown) =>
              error instanceof WireError ? `${error.code} ${error.details}` : String(error),
          );
          expect([where, rpc, outcome]).toEqual([where, rpc, expect.stringMatching(/^(OK|2 .+)$/s)]);
        }
      }
      expect(machine.calls).toHaveLength(
        ALL_PIPES.reduce((rpcs, pipe) => rpcs + Object.keys(wireService(pipe)).length, 0),
      );
      expect(machine.log.lines.filter(({ level }) => level === 'error')).toEqual([]);
    });
  });
});

describe('a pipe that cannot be had', () => {
  it('is one of a server that is at work, which goes on undisturbed', async () => {
    await ServedMachine.run({}, async (first) => {
      const second = await ServedMachine.create({ pipeDir: first.pipeDir });
      try {
        await expect(second.server.listen()).rejects.toMatchObject({
          code: 'failed-precondition',
          message: expect.stringMatching(/another process listens there/),
        });
        expect(await readdir(first.pipeDir)).toHaveLength(ALL_PIPES.length);
      } finally {
        await second.cleanup();
      }
      await expect(first.call('disk', 'Rescan')).resolves.toEqual({});
    });
  });

  it('leaves none of the others open', async () => {
    const machine = await ServedMachine.create();
    try {
      await mkdir(machine.pipeDir);
      const last = ALL_PIPES.at(-1);
      if (last === undefined) throw new Error('there are no pipes');
      const precious = join(machine.pipeDir, `${pipeName(last)}.sock`);
      await writeFile(precious, 'not a socket');
      await expect(machine.server.listen()).rejects.toMatchObject({ code: 'failed-precondition' });
      await expect(readdir(machine.pipeDir)).resolves.toEqual([`${pipeName(last)}.sock`]);
    } finally {
      await machine.cleanup();
    }
  });

  it('is not the stale one of a server that was killed', async () => {
    const machine = await ServedMachine.create();
    try {
      await mkdir(machine.pipeDir);
      const [first, second] = ALL_PIPES;
      for (const pipe of [first, second]) {
        if (pipe !== undefined) await leaveStaleSocket(join(machine.pipeDir, `${pipeName(pipe)}.sock`));
      }
      expect(await readdir(machine.pipeDir)).toHaveLength(2);
      await machine.server.listen();
      await expect(machine.call('disk', 'Rescan')).resolves.toEqual({});
    } finally {
      await machine.cleanup();
    }
  });

  it('is one whose folder cannot be made', async () => {
    await inTempFolder(async (folder) => {
      await writeFile(join(folder, 'file'), '');
      const machine = await ServedMachine.create({ pipeDir: join(folder, 'file', 'pipes') });
      try {
        await expect(machine.server.listen()).rejects.toMatchObject({
          code: 'failed-precondition',
          message: expect.stringMatching(/--pipe-dir/),
        });
      } finally {
        await machine.cleanup();
      }
    });
  });
});
