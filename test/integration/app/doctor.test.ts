import { execFile } from 'node:child_process';
import { lstat, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { driverFolder, runDriver } from '../../support/built-driver.ts';

let folder: string;
let remove: () => Promise<void>;

beforeEach(async () => {
  ({ folder, remove } = await driverFolder());
});

afterEach(() => remove());

const doctor = (): ReturnType<typeof runDriver> =>
  runDriver([
    'doctor',
    ...['--host', 'simulated'],
    ...['--endpoint', `unix://${folder}/csi.sock`],
    ...['--pool-dir', join(folder, 'pool')],
    ...['--attach-dir', join(folder, 'attach')],
    ...['--state-dir', join(folder, 'state')],
  ]);

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
    // A listener that is killed leaves its socket; one that ends by itself removes it.
    await promisify(execFile)(process.execPath, [
      '-e',
      `require('net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))`,
      path,
    ]).catch(() => undefined);
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
