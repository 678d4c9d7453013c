import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, lstat, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { builtDriver, driverFolder, runDriver } from '../../support/built-driver.ts';

let folder: string;
let remove: () => Promise<void>;

beforeEach(async () => {
  ({ folder, remove } = await driverFolder());
});

afterEach(() => remove());

const flags = (): readonly string[] => [
  'doctor',
  ...['--host', 'simulated'],
  ...['--endpoint', `unix://${folder}/csi.sock`],
  ...['--pool-dir', join(folder, 'pool')],
  ...['--attach-dir', join(folder, 'attach')],
  ...['--state-dir', join(folder, 'state')],
];

const doctor = (...more: readonly string[]): ReturnType<typeof runDriver> => runDriver([...flags(), ...more]);

/** A listener that is killed leaves its socket; one that ends by itself removes it. */
const leaveStale = (path: string): Promise<unknown> =>
  promisify(execFile)(process.execPath, [
    '-e',
    `require('net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))`,
    path,
  ]).catch(() => undefined);

describe('doctor', () => {
  it('finds nothing wrong with a machine on which the driver has never run', async () => {
    const { code, stdout } = await doctor();
    expect(code).toBe(0);
    expect(stdout).toMatch(/host +simulated: needs only its state folder/);
    expect(stdout).toMatch(/endpoint +nobody serves/);
    expect(stdout).not.toContain('✘');
  });

  it('law 8: reports a journal record that was set aside, with the mend, and fails', async () => {
    const journal = join(folder, 'state', 'journal');
    await mkdir(journal, { recursive: true });
    await writeFile(join(journal, 'vol-1.json.unreadable-1700000000000'), '{');
    const { code, stdout } = await doctor();
    expect(code).toBe(1);
    expect(stdout).toMatch(/✘ journal .*vol-1\.json\.unreadable/);
    expect(stdout).toMatch(/→ compare it with its neighbours/);
  });

  it('changes nothing, not even a record that it cannot read', async () => {
    const journal = join(folder, 'state', 'journal');
    await mkdir(journal, { recursive: true });
    await writeFile(join(journal, 'vol-2.json'), 'not json');
    await writeFile(join(journal, '.vol-3.json.0123456789ab.tmp'), 'half');
    const before = await readdir(folder, { recursive: true });
    await doctor();
    expect(await readdir(folder, { recursive: true })).toEqual(before);
  });

  it('reports a stale socket without touching it', async () => {
    const path = join(folder, 'csi.sock');
    await leaveStale(path);
    const { code, stdout } = await doctor();
    expect(code).toBe(0);
    expect(stdout).toContain('stale socket');
    expect((await lstat(path)).isSocket()).toBe(true);
  });

  it.each([
    ['a socket path where a file is', 'csi.sock', /✘ endpoint .*csi\.sock is no socket/],
    ['a pool that is a file', 'pool', /✘ pool .*pool is no folder/],
    ['an attach folder below a file', 'attach', /✘ attach folder .*attach is no folder/],
    ['a journal that is a file', 'state/journal', /✘ journal .*not a directory/],
  ])('names %s, says what to do, and looks at the rest', async (_id, name, says) => {
    await mkdir(join(folder, 'state'));
    await writeFile(join(folder, name), '');
    const { code, stdout, stderr } = await doctor();
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout).toMatch(says);
    expect(stdout).toMatch(/^[✔·✘] pool/m);
  });

  it.each(['node', 'reactor'])('tells what is at the endpoint through the sockets of %s', async (backend) => {
    const path = join(folder, 'csi.sock');
    const endpointLine = async (): Promise<string | undefined> => {
      const { stdout } = await doctor('--socket-backend', backend);
      return /^.*endpoint +(.*)$/m.exec(stdout)?.[1]?.replace(path, 'csi.sock');
    };
    expect(await endpointLine()).toBe('nobody serves csi.sock');
    await leaveStale(path);
    expect(await endpointLine()).toBe('nobody serves csi.sock; the next start removes the stale socket');
    await rm(path);
    const server = createServer().listen(path);
    await once(server, 'listening');
    try {
      expect(await endpointLine()).toBe('a driver serves csi.sock');
    } finally {
      server.close();
      await once(server, 'close');
    }
    await writeFile(path, '');
    expect(await endpointLine()).toBe('csi.sock is no socket');
  });

  it('says that the reactor does not load, and looks at the rest', async () => {
    const alone = join(folder, 'driver.cjs');
    await copyFile(await builtDriver(), alone);
    const args = [alone, ...flags(), '--socket-backend', 'reactor'];
    const failed = await promisify(execFile)(process.execPath, args).catch((error: unknown) => error);
    const output: unknown = Reflect.get(Object(failed), 'stdout');
    expect(Reflect.get(Object(failed), 'code')).toBe(1);
    expect(output).toMatch(/✘ endpoint .*koffi does not load/);
    expect(output).toMatch(/^[✔·✘] pool/m);
  });

  it('reports an endpoint that cannot be meant', async () => {
    const { code, stdout } = await runDriver(['doctor', '--host', 'simulated', '--endpoint', 'csi.sock']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/✘ endpoint .*neither unix: nor tcp:/);
  });

  it('says what the pool can do', async () => {
    await mkdir(join(folder, 'pool'));
    const { stdout } = await doctor();
    expect(stdout).toMatch(/pool +\d+ GiB free, with(out)? reflink/);
  });
});
