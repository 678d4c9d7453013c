import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { HostStorage } from '../../../../src/core/ports/host-storage.ts';
import { hashSecret, isSecret } from '../../../../src/hosts/simulated/secret-hash.ts';
import { simulatedHostStorage } from '../../../../src/hosts/simulated/simulated-host-storage.ts';
import { parseSmbPath } from '../../../../src/hosts/simulated/smb-path.ts';
import { LocalDisks } from '../../../support/local-disks.ts';
import { RecordingLogger } from '../../../support/recording-logger.ts';
import { createTarget } from '../../../support/simulated-iscsi-target.ts';
import { createShare } from '../../../support/simulated-smb-share.ts';

const SIGNAL = new AbortController().signal;
const NONE = { type: 'none' } as const;

describe('the network of the simulated machine', () => {
  let disks: LocalDisks;
  let log: RecordingLogger;
  let boot: string;

  beforeEach(async () => {
    disks = await LocalDisks.create();
    log = new RecordingLogger();
    boot = 'first';
  });

  afterEach(async () => {
    await disks.cleanup();
  });

  const start = (): HostStorage => {
    const { attachDir, stateDir } = disks;
    return simulatedHostStorage({ log, bootId: () => Promise.resolve(boot) }, { attachDir, stateDir });
  };

  it('law 9: keeps no secret in a record, a log line or an error', async () => {
    const secrets = ['smb-password-1', 'chap-secret-12', 'own-secret-123', 'wrong-secret-1'] as const;
    const [password, secret, own, wrong] = secrets;
    const { iscsi, smb, system } = start();
    const { remotePath } = await createShare(disks.stateDir, { username: 'someone', password });
    const { iqn, portal } = await createTarget(disks, {
      chap: { username: 'someone', secret },
      mutualSecret: own,
    });
    const mapping = { remotePath, localPath: '', username: 'someone', password };
    const login = { type: 'mutual-chap', username: 'someone', secret } as const;
    await system.startService('MSiSCSI', SIGNAL);
    await iscsi.addTargetPortal(portal, SIGNAL);
    const outcomes = await Promise.allSettled([
      smb.newSmbGlobalMapping({ ...mapping, password: wrong }, SIGNAL),
      iscsi.connectTarget(portal, iqn, { ...login, secret: wrong }, SIGNAL),
      iscsi.connectTarget(portal, iqn, login, SIGNAL),
      iscsi.setMutualChapSecret(`${wrong}-too-long`, SIGNAL),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected', 'rejected']);
    await iscsi.setMutualChapSecret(own, SIGNAL);
    await iscsi.connectTarget(portal, iqn, login, SIGNAL);
    await smb.newSmbGlobalMapping(mapping, SIGNAL);

    const said = inspect([outcomes, log.lines], { depth: 9 }) + (await recordsOf(disks.stateDir));
    expect(said).toContain('own-secret.json');
    for (const one of secrets) expect(said).not.toContain(one);
  });

  it('ends sessions with the machine, and knows its portals and its own secret again', async () => {
    const target = await createTarget(disks);
    const { portal, iqn } = target;
    const before = start();
    await before.system.startService('MSiSCSI', SIGNAL);
    await before.iscsi.addTargetPortal(portal, SIGNAL);
    await before.iscsi.connectTarget(portal, iqn, NONE, SIGNAL);
    await expect(before.disks.listDiskIds(SIGNAL)).resolves.toHaveProperty('size', 1);
    boot = 'second';
    const { disks: hostDisks, iscsi, system } = start();
    await expect(hostDisks.listDiskIds(SIGNAL)).resolves.toHaveProperty('size', 0);
    await system.startService('MSiSCSI', SIGNAL);
    await expect(iscsi.listTargetPortals(SIGNAL)).resolves.toEqual([portal]);
    await expect(iscsi.getTargetDisks(portal, iqn, SIGNAL)).resolves.toEqual([]);
    await iscsi.connectTarget(portal, iqn, NONE, SIGNAL);
    await expect(iscsi.getTargetDisks(portal, iqn, SIGNAL)).resolves.toHaveLength(1);
  });

  it('lets go of a session whose target has left the network', async () => {
    const target = await createTarget(disks);
    const { portal, iqn } = target;
    const { iscsi, system, disks: hostDisks } = start();
    await system.startService('MSiSCSI', SIGNAL);
    await iscsi.addTargetPortal(portal, SIGNAL);
    await iscsi.connectTarget(portal, iqn, NONE, SIGNAL);
    await target.remove();
    await iscsi.disconnectTarget(portal, iqn, SIGNAL);
    await expect(hostDisks.listDiskIds(SIGNAL)).resolves.toHaveProperty('size', 0);
    await expect(iscsi.connectTarget(portal, iqn, NONE, SIGNAL)).rejects.toMatchObject({ code: 'not-found' });
  });

  it('law 8: sets aside records of the initiator that cannot be read, and has its other disks', async () => {
    const one = await createTarget(disks);
    const host = start();
    await host.system.startService('MSiSCSI', SIGNAL);
    await host.iscsi.addTargetPortal(one.portal, SIGNAL);
    await host.iscsi.connectTarget(one.portal, one.iqn, NONE, SIGNAL);
    const folder = join(disks.stateDir, 'iscsi');
    await writeFile(join(folder, 'sessions', 'broken.json'), '{"schema":1,"boot":"first","iqn":1}');
    await writeFile(join(folder, 'portals.json'), '{"schema":1,"portals":[{"address":1}]}');
    await writeFile(join(disks.stateDir, 'iscsi-targets', 'broken.json'), '{"disk":{}}');
    await expect(host.disks.listDiskIds(SIGNAL)).resolves.toHaveProperty('size', 1);
    await expect(host.iscsi.listTargetPortals(SIGNAL)).resolves.toEqual([]);
    await host.iscsi.addTargetPortal(one.portal, SIGNAL);
    await expect(host.iscsi.discoverTargetPortal(one.portal, SIGNAL)).resolves.toEqual([one.iqn]);
    const aside = [...(await readdir(folder)), ...(await readdir(join(folder, 'sessions')))];
    expect(aside.filter((name) => name.includes('.unreadable-'))).toHaveLength(2);
  });

  it.each([
    [{ address: '', port: 0 }],
    [{ address: 'storage', port: -1 }],
    [{ address: 'storage', port: 65_536 }],
    [{ address: 'storage', port: 1.5 }],
  ])('refuses the portal %j', async (portal) => {
    const { iscsi, system } = start();
    await system.startService('MSiSCSI', SIGNAL);
    await expect(iscsi.addTargetPortal(portal, SIGNAL)).rejects.toMatchObject({ code: 'invalid-argument' });
  });

  it('adds no portal where nobody answers', async () => {
    const { iscsi, system } = start();
    await system.startService('MSiSCSI', SIGNAL);
    const portal = { address: 'nobody.test', port: 3260 };
    await expect(iscsi.addTargetPortal(portal, SIGNAL)).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('recognises a secret by its hash, and by no other', () => {
    const known = hashSecret('verysecretpass');
    expect(isSecret('verysecretpass', known)).toBe(true);
    expect(isSecret('verysecretpasS', known)).toBe(false);
    expect(hashSecret('verysecretpass').hash).not.toBe(known.hash);
  });

  it.each([
    ['\\\\hostname\\path', '\\\\hostname\\path', []],
    ['\\\\hostname\\path\\', '\\\\hostname\\path', []],
    ['\\\\HostName\\Path\\Sub\\path', '\\\\hostname\\path', ['Sub', 'path']],
    ['//hostname/path', '\\\\hostname\\path', []],
  ])('maps %s as %s', (path, key, below) => {
    expect(parseSmbPath(path)).toMatchObject({ key, below });
  });

  it.each([
    '',
    'hostname',
    '\\hostname\\path',
    '\\\\hostname',
    '\\\\hostname\\..\\x',
    '\\\\h\\a:b',
    '\\\\\\a\\b',
  ])('takes "%s" for no share', (path) => {
    expect(() => parseSmbPath(path)).toThrow(/is not the path of an SMB share/);
  });
});

/** The names and texts of all records, but for the definitions of shares and targets, which are not the host's. */
async function recordsOf(stateDir: string): Promise<string> {
  const names = (await readdir(stateDir, { recursive: true })).filter((name) => name.endsWith('.json'));
  const own = names.filter((name) => !/^(smb-shares|iscsi-targets)\//.test(name));
  const texts = await Promise.all(own.map((name) => readFile(join(stateDir, name), 'utf8')));
  return [...own, ...texts].join('\n');
}
