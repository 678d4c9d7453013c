import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { HostSmb, SmbMapping } from '../../../src/core/ports/host-storage.ts';
import type { ShareOptions, TestShare } from '../../support/simulated-smb-share.ts';
import { readMarker, SIGNAL, writeMarker } from './bench.ts';
import type { Bench } from './bench.ts';

const USER = { username: 'corp\\someone', password: 'a secret of 20 bytes' };

export function describeSmb(bench: () => Bench): void {
  describe('smb', () => {
    describeMapping(bench);
    describeLink(bench);
    describeGiveUp(bench);
  });
}

/** A share and its host; `undefined` on a host without the group, which has refused it then. */
async function network(
  { hands, host }: Bench,
  options: ShareOptions = {},
): Promise<{ readonly smb: HostSmb; readonly share: TestShare; readonly mapping: SmbMapping } | undefined> {
  const mapping = { remotePath: '\\\\server\\share', localPath: '', ...USER };
  if (hands.lacks.includes('smb')) {
    await expect(host.smb.newSmbGlobalMapping(mapping, SIGNAL)).rejects.toThrow();
    return undefined;
  }
  if (hands.createShare === undefined) throw new Error('a host that has smb must come with createShare');
  const share = await hands.createShare(options);
  return { smb: host.smb, share, mapping: { ...mapping, remotePath: share.remotePath } };
}

function describeMapping(bench: () => Bench): void {
  it('maps a share for those it admits', async () => {
    const world = await network(bench(), USER);
    if (world === undefined) return;
    const { mapping, share, smb } = world;
    const strangers = [{ password: 'wrong' }, { username: 'nobody' }, { username: '', password: '' }];
    for (const wrong of strangers) {
      const refused = await smb.newSmbGlobalMapping({ ...mapping, ...wrong }, SIGNAL).catch(String);
      expect(refused).toEqual(expect.any(String));
      expect(refused).not.toContain(USER.password);
      await expect(share.isMapped()).resolves.toBe(false);
    }
    await smb.newSmbGlobalMapping(mapping, SIGNAL);
    await expect(share.isMapped()).resolves.toBe(true);
  });

  it('law 3: leaves a mapping that works as it is, whatever the credentials', async () => {
    const world = await network(bench(), USER);
    if (world === undefined) return;
    await world.smb.newSmbGlobalMapping(world.mapping, SIGNAL);
    await world.smb.newSmbGlobalMapping({ ...world.mapping, password: 'rotated' }, SIGNAL);
    await expect(world.share.isMapped()).resolves.toBe(true);
  });

  it('knows a share whatever the case and the slashes of its path, and from a path below it', async () => {
    const world = await network(bench(), { host: 'Server', share: 'Data' });
    if (world === undefined) return;
    const { mapping, share, smb } = world;
    for (const remotePath of ['//SERVER/data', '\\\\server\\DATA\\', '\\\\server\\data\\below\\it']) {
      await smb.newSmbGlobalMapping({ ...mapping, remotePath }, SIGNAL);
      await expect(share.isMapped()).resolves.toBe(true);
      await smb.removeSmbGlobalMapping('\\\\sErver\\daTa', SIGNAL);
      await expect(share.isMapped()).resolves.toBe(false);
    }
  });

  it('has its mappings again after a restart', async () => {
    const world = await network(bench());
    if (world === undefined) return;
    await world.smb.newSmbGlobalMapping(world.mapping, SIGNAL);
    await bench().restart();
    await bench().host.smb.removeSmbGlobalMapping(world.share.remotePath, SIGNAL);
    await expect(world.share.isMapped()).resolves.toBe(false);
  });

  it.each(['', 'server\\share', '\\\\server', '\\\\server\\', '\\\\..\\share', '\\\\server\\share\\..\\..'])(
    'refuses the share "%s"',
    async (remotePath) => {
      const { smb } = bench().host;
      const mapping = { remotePath, localPath: '', username: '', password: '' };
      await expect(smb.newSmbGlobalMapping(mapping, SIGNAL)).rejects.toThrow();
      await expect(smb.removeSmbGlobalMapping(remotePath, SIGNAL)).rejects.toThrow();
    },
  );

  it('refuses a share that is not there', async () => {
    const { smb } = bench().host;
    const mapping = { remotePath: '\\\\server\\missing', localPath: '', username: '', password: '' };
    await expect(smb.newSmbGlobalMapping(mapping, SIGNAL)).rejects.toThrow();
  });
}

function describeLink(bench: () => Bench): void {
  it('links a path to the share, or to a folder of it', async () => {
    const world = await network(bench());
    if (world === undefined) return;
    const { mapping, share, smb } = world;
    await mkdir(join(share.folder, 'below', 'it'), { recursive: true });
    await writeMarker(share.folder);
    const folder = await bench().hands.tempPath();
    const whole = join(folder, 'whole');
    const part = join(folder, 'part');
    await smb.newSmbGlobalMapping({ ...mapping, localPath: whole }, SIGNAL);
    const remotePath = `${share.remotePath}\\below`;
    await smb.newSmbGlobalMapping({ ...mapping, remotePath, localPath: part }, SIGNAL);
    await expect(readMarker(whole)).resolves.toBe('kept');
    await writeFile(join(part, 'it', 'hello.txt'), 'hello');
    await expect(readFile(join(share.folder, 'below', 'it', 'hello.txt'), 'utf8')).resolves.toBe('hello');
    await expect(bench().host.files.isSymlink(whole, SIGNAL)).resolves.toBe(true);
  });

  it('links nothing over what is there', async () => {
    const world = await network(bench());
    if (world === undefined) return;
    const { mapping, share, smb } = world;
    const localPath = await bench().stagingPath();
    await expect(smb.newSmbGlobalMapping({ ...mapping, localPath }, SIGNAL)).rejects.toThrow();
    await expect(readdir(localPath)).resolves.toEqual([]);
    await expect(readdir(share.folder)).resolves.toEqual([]);
  });

  it('law 4: removing the link leaves the files of the share', async () => {
    const world = await network(bench());
    if (world === undefined) return;
    await writeMarker(world.share.folder);
    const localPath = join(await bench().hands.tempPath(), 'link');
    await world.smb.newSmbGlobalMapping({ ...world.mapping, localPath }, SIGNAL);
    await bench().host.files.rmdir(localPath, true, SIGNAL);
    await expect(readMarker(world.share.folder)).resolves.toBe('kept');
  });
}

function describeGiveUp(bench: () => Bench): void {
  it('fails to remove a mapping that is not there', async () => {
    const world = await network(bench());
    if (world === undefined) return;
    const { mapping, share, smb } = world;
    await expect(smb.removeSmbGlobalMapping(share.remotePath, SIGNAL)).rejects.toThrow();
    await smb.newSmbGlobalMapping(mapping, SIGNAL);
    await smb.removeSmbGlobalMapping(share.remotePath, SIGNAL);
    await expect(smb.removeSmbGlobalMapping(share.remotePath, SIGNAL)).rejects.toThrow();
  });

  it('maps a share anew that has gone meanwhile, with the credentials it is told then', async () => {
    const options = { host: 'server', share: 'again' };
    const world = await network(bench(), { ...options, ...USER });
    if (world === undefined) return;
    const { mapping, share, smb } = world;
    await smb.newSmbGlobalMapping(mapping, SIGNAL);
    await share.remove();
    await expect(smb.newSmbGlobalMapping(mapping, SIGNAL)).rejects.toThrow();
    await network(bench(), { ...options, username: USER.username, password: 'rotated' });
    await expect(smb.newSmbGlobalMapping(mapping, SIGNAL)).rejects.toThrow();
    await smb.newSmbGlobalMapping({ ...mapping, password: 'rotated' }, SIGNAL);
    await expect(share.isMapped()).resolves.toBe(true);
  });

  it('maps nothing when the caller has gone before', async () => {
    const world = await network(bench());
    if (world === undefined) return;
    const gone = AbortSignal.abort(new Error('the caller has gone'));
    await expect(world.smb.newSmbGlobalMapping(world.mapping, gone)).rejects.toThrow();
    await expect(world.share.isMapped()).resolves.toBe(false);
  });
}
