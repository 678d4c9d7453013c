import { describe, expect, it } from '@jest/globals';
import type { DiskNumber } from '../../../src/core/ids.ts';
import type { HostIscsi, IscsiAuthentication, IscsiPortal } from '../../../src/core/ports/host-storage.ts';
import type { TargetOptions, TestTarget } from '../../support/simulated-iscsi-target.ts';
import { either, expectState, readMarker, SIGNAL, writeMarker } from './bench.ts';
import type { Bench } from './bench.ts';

const SERVICE = 'MSiSCSI';
const NONE: IscsiAuthentication = { type: 'none' };
const CHAP = { username: 'someuser', secret: 'verysecretpass' };
const OWN_SECRET = 'also-a-secret';

export function describeIscsi(bench: () => Bench): void {
  describe('iscsi', () => {
    describePortals(bench);
    describeLogin(bench);
    describeSession(bench);
  });
}

interface Network {
  readonly iscsi: HostIscsi;
  readonly target: TestTarget;
}

/** A target, and an initiator that can run; `undefined` on a host without the group, which has refused it then. */
async function network({ hands, host }: Bench, options: TargetOptions = {}): Promise<Network | undefined> {
  if (hands.lacks.includes('iscsi')) {
    await expect(host.iscsi.listTargetPortals(SIGNAL)).rejects.toThrow();
    return undefined;
  }
  if (hands.createTarget === undefined) throw new Error('a host that has iscsi must come with createTarget');
  await host.system.startService(SERVICE, SIGNAL);
  return { iscsi: host.iscsi, target: await hands.createTarget(options) };
}

/** The same, with the portal added. */
async function knownTarget(bench: Bench, options: TargetOptions = {}): Promise<Network | undefined> {
  const world = await network(bench, options);
  await world?.iscsi.addTargetPortal(world.target.portal, SIGNAL);
  return world;
}

/** Logged in to, with the number of its disk. */
async function session(bench: Bench): Promise<(Network & { readonly number: DiskNumber }) | undefined> {
  const world = await knownTarget(bench);
  if (world === undefined) return undefined;
  const { iscsi, target } = world;
  await iscsi.connectTarget(target.portal, target.iqn, NONE, SIGNAL);
  const [number, ...others] = await iscsi.getTargetDisks(target.portal, target.iqn, SIGNAL);
  if (number === undefined || others.length > 0) throw new Error('expected one disk behind the target');
  return { ...world, number };
}

function describePortals(bench: () => Bench): void {
  it.each([3260, 0])('law 3: adds a portal with port %s, again as a no-op, and removes it', async (port) => {
    const world = await network(bench());
    if (world === undefined) return;
    const { iscsi, target } = world;
    const portal: IscsiPortal = { ...target.portal, port };
    await expect(iscsi.listTargetPortals(SIGNAL)).resolves.toEqual([]);
    await iscsi.addTargetPortal(portal, SIGNAL);
    await either(iscsi.addTargetPortal(portal, SIGNAL));
    await expect(iscsi.listTargetPortals(SIGNAL)).resolves.toEqual([target.portal]);
    await iscsi.removeTargetPortal(portal, SIGNAL);
    await expect(iscsi.listTargetPortals(SIGNAL)).resolves.toEqual([]);
    await expect(iscsi.removeTargetPortal(portal, SIGNAL)).rejects.toThrow();
  });

  it('discovers the targets of a portal it knows, also after a restart', async () => {
    const world = await network(bench());
    if (world === undefined) return;
    const { target } = world;
    await expect(world.iscsi.discoverTargetPortal(target.portal, SIGNAL)).rejects.toThrow();
    await world.iscsi.addTargetPortal(target.portal, SIGNAL);
    await bench().restart();
    await expect(bench().host.iscsi.discoverTargetPortal(target.portal, SIGNAL)).resolves.toEqual([
      target.iqn,
    ]);
  });

  it('does nothing while its service is stopped', async () => {
    const world = await knownTarget(bench());
    if (world === undefined) return;
    const { iscsi, target } = world;
    await bench().host.system.stopService(SERVICE, true, SIGNAL);
    await expect(iscsi.listTargetPortals(SIGNAL)).rejects.toThrow();
    await expect(iscsi.connectTarget(target.portal, target.iqn, NONE, SIGNAL)).rejects.toThrow();
  });
}

function describeLogin(bench: () => Bench): void {
  it('logs in with the right CHAP secret only', async () => {
    const world = await knownTarget(bench(), { chap: CHAP });
    if (world === undefined) return;
    const { iscsi, target } = world;
    const login = (authentication: IscsiAuthentication): Promise<void> =>
      iscsi.connectTarget(target.portal, target.iqn, authentication, SIGNAL);
    const right = { type: 'one-way-chap', ...CHAP } as const;
    await expect(login(NONE)).rejects.toThrow();
    const wrong = [
      { ...right, secret: 'not-the-secret' },
      { ...right, username: 'somebody' },
      { ...right, secret: 'too short' },
      { ...right, secret: `${CHAP.secret}-too-long` },
    ];
    for (const authentication of wrong) {
      const refused = await login(authentication).catch(String);
      expect(refused).toEqual(expect.any(String));
      expect(refused).not.toContain(authentication.secret);
      expect(refused).not.toContain(CHAP.secret);
      await expect(iscsi.getTargetDisks(target.portal, target.iqn, SIGNAL)).resolves.toEqual([]);
    }
    await login(right);
    await expect(iscsi.getTargetDisks(target.portal, target.iqn, SIGNAL)).resolves.toHaveLength(1);
  });

  it("logs in with mutual CHAP when the target knows the initiator's secret", async () => {
    const world = await knownTarget(bench(), { chap: CHAP, mutualSecret: OWN_SECRET });
    if (world === undefined) return;
    const { iscsi, target } = world;
    const login = (): Promise<void> =>
      iscsi.connectTarget(target.portal, target.iqn, { type: 'mutual-chap', ...CHAP }, SIGNAL);
    if (await bench().refuses('setMutualChapSecret', () => iscsi.setMutualChapSecret(OWN_SECRET, SIGNAL)))
      return;
    await expect(login()).rejects.toThrow();
    await iscsi.setMutualChapSecret('made-up-pass', SIGNAL);
    await expect(login()).rejects.toThrow();
    await expect(iscsi.setMutualChapSecret('too short', SIGNAL)).rejects.toThrow();
    await iscsi.setMutualChapSecret(OWN_SECRET, SIGNAL);
    await login();
    await expect(iscsi.getTargetDisks(target.portal, target.iqn, SIGNAL)).resolves.toHaveLength(1);
  });

  it('refuses a target that is not there', async () => {
    const world = await knownTarget(bench());
    if (world === undefined) return;
    const { iscsi, target } = world;
    const missing = 'iqn.2024-01.io.csi.ntfs:missing';
    await expect(iscsi.connectTarget(target.portal, missing, NONE, SIGNAL)).rejects.toThrow();
    await either(iscsi.disconnectTarget(target.portal, missing, SIGNAL));
    await expect(bench().findDisk(target.disk)).resolves.toBeUndefined();
  });

  it('logs in to nothing when the caller has gone before', async () => {
    const world = await knownTarget(bench());
    if (world === undefined) return;
    const { iscsi, target } = world;
    const gone = AbortSignal.abort(new Error('the caller has gone'));
    await expect(iscsi.connectTarget(target.portal, target.iqn, NONE, gone)).rejects.toThrow();
    await expect(iscsi.getTargetDisks(target.portal, target.iqn, SIGNAL)).resolves.toEqual([]);
  });
}

function describeSession(bench: () => Bench): void {
  it('has the disk of a target while it is logged in, as its SAN policy says', async () => {
    const world = await session(bench());
    if (world === undefined) return;
    const { iscsi, number, target } = world;
    await expect(bench().findDisk(target.disk)).resolves.toBe(number);
    await expectState(bench(), number, bench().hands.sanPolicy === 'online');
    await iscsi.disconnectTarget(target.portal, target.iqn, SIGNAL);
    await expect(bench().findDisk(target.disk)).resolves.toBeUndefined();
    await expect(iscsi.getTargetDisks(target.portal, target.iqn, SIGNAL)).resolves.toEqual([]);
  });

  it('law 3: logging in and out again changes nothing, whether that succeeds or fails', async () => {
    const world = await session(bench());
    if (world === undefined) return;
    const { iscsi, number, target } = world;
    await either(iscsi.connectTarget(target.portal, target.iqn, NONE, SIGNAL));
    await expect(iscsi.getTargetDisks(target.portal, target.iqn, SIGNAL)).resolves.toEqual([number]);
    await iscsi.disconnectTarget(target.portal, target.iqn, SIGNAL);
    await either(iscsi.disconnectTarget(target.portal, target.iqn, SIGNAL));
    await expect(iscsi.getTargetDisks(target.portal, target.iqn, SIGNAL)).resolves.toEqual([]);
  });

  it('keeps files on the disk of a target over a restart, and over logging out and in', async () => {
    const world = await session(bench());
    if (world === undefined) return;
    const { target } = world;
    const { disks, volumes } = bench().host;
    const number = await bench().takeOnline(target.disk);
    await disks.partitionDisk(number, SIGNAL);
    const volume = await bench().onlyVolumeOf(number);
    await volumes.formatVolume(volume, SIGNAL);
    const path = await bench().mount(volume);
    await writeMarker(path);

    await bench().restart();
    const { host } = bench();
    await expect(readMarker(path)).resolves.toBe('kept');
    await expect(host.iscsi.disconnectTarget(target.portal, target.iqn, SIGNAL)).rejects.toThrow();
    await host.volumes.unmountVolume(volume, path, SIGNAL);
    await host.iscsi.disconnectTarget(target.portal, target.iqn, SIGNAL);
    await host.iscsi.connectTarget(target.portal, target.iqn, NONE, SIGNAL);
    await bench().takeOnline(target.disk);
    await expect(readMarker(await bench().mount(volume))).resolves.toBe('kept');
  });
}
