import { mkdir, mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf, StorageError } from '../../core/errors.ts';
import { attempt } from '../../core/platform-errors.ts';
import { pipesOf } from '../../proxyapi/releases.ts';
import { Offer } from '../offer.ts';
import { findLeftovers, removeLeftovers } from './leftovers.ts';
import { Life } from './life.ts';
import { installPackages, isRoot, missingPackages, mountXfsPool, unmountPool } from './machine.ts';
import { type Output, Reporter } from './reporter.ts';
import { versionLines } from './version-lines.ts';
import { type HostLayer, World } from './world.ts';

export interface DemoOptions {
  readonly host: 'auto' | HostLayer;
  readonly pool: 'auto' | 'xfs' | 'plain';
  /** What the demo's CSI Proxy offers, as `--api-versions` takes it. */
  readonly apiVersion: string;
}

/**
 * The main job on one machine: starts a controller, a CSI Proxy and a node as processes of their own, walks a volume
 * through its whole life and takes everything down again. Gives the exit code: 0 only if every check held, every
 * operation was within its call budget and nothing is left; that of the signal when it was interrupted.
 */
export async function runDemo(options: DemoOptions, out: Output): Promise<number> {
  const start = Date.now();
  const offer = new Offer(pipesOf(options.apiVersion));
  const host = await prepareMachine(options.host, out);
  const folder = await makeFolder();
  // Where the proxy has no way to take a disk online, disks have to arrive so, as Windows' SAN policy says.
  const sanPolicy = offer.can('disk', 'setDiskState') ? 'offline' : 'online';
  const world = new World(folder, { host, apiVersions: options.apiVersion, sanPolicy });
  const report = new Reporter(out, () => world.proxyCalls());
  const interrupt = onInterrupt(() => world.abandon());
  try {
    const unmount = await preparePool(options.pool, host, world, report);
    await live(world, report, offer);
    const negotiated = await world.negotiated();
    await report.step('stop, look for leftovers', () => proveNothingIsLeft(world, unmount));
    await rm(folder, { recursive: true });
    for (const line of versionLines(negotiated, offer)) report.line(line);
    const isWithin = report.budgets();
    const end = isWithin ? 'Every check held.' : 'Not every operation was within its call budget.';
    report.summary((Date.now() - start) / 1000, end);
    return isWithin ? 0 : 1;
  } catch (error) {
    await world.abandon();
    await removeLeftovers(folder);
    if (interrupt.received !== undefined) {
      report.line(`\n${interrupt.received}: the demo ends. ${await removeFolder(folder)}`);
      return 128 + constants.signals[interrupt.received];
    }
    report.line(`\nThe demo failed: ${messageOf(error)}`);
    report.line(await whereLogsAre(folder));
    return 1;
  } finally {
    interrupt.forget();
  }
}

/** Its real path, because that is what the kernel's lists of mounts and loop devices have. */
function makeFolder(): Promise<string> {
  return attempt(`make a folder for the demo in ${tmpdir()} (TMPDIR names another)`, async () =>
    realpath(await mkdtemp(join(tmpdir(), 'csi-ntfs-demo-'))),
  );
}

/** Never reaches into a file system that is still mounted there. */
async function removeFolder(folder: string): Promise<string> {
  const { mounts } = await findLeftovers(folder);
  if (mounts.length > 0) return `Still mounted: ${mounts.join(', ')}; unmount them and remove ${folder}.`;
  await rm(folder, { recursive: true, force: true });
  return 'Nothing is left of it.';
}

async function prepareMachine(wanted: DemoOptions['host'], out: Output): Promise<HostLayer> {
  const host = wanted === 'auto' ? (isRoot() ? 'linux' : 'simulated') : wanted;
  if (host === 'simulated') {
    const why = isRoot() ? 'as asked' : 'because this user is not root: no loop device, no NTFS is made';
    out.write(`Host layer: simulated, ${why}.\n`);
    return host;
  }
  if (!isRoot()) {
    throw new StorageError(
      'failed-precondition',
      'the linux host needs root for loop devices and mounts: run it as root, or with --host simulated',
    );
  }
  out.write('Host layer: linux, with real loop devices and NTFS.\n');
  const missing = await missingPackages();
  if (missing.length > 0) await installPackages(missing, (line) => out.write(`${line}\n`));
  return host;
}

/** Gives what unmounts the pool again. */
async function preparePool(
  wanted: DemoOptions['pool'],
  host: HostLayer,
  world: World,
  report: Reporter,
): Promise<() => Promise<void>> {
  await mkdir(world.poolDir);
  // The simulated file system reaches its disk at unmount, so only a detached volume has a meaningful snapshot.
  const kind = wanted === 'auto' ? (host === 'linux' ? 'xfs' : 'plain') : wanted;
  if (kind === 'xfs') {
    const obstacle = await mountXfsPool(join(world.folder, 'pool.img'), world.poolDir);
    if (obstacle === undefined) {
      report.line('Pool: an xfs image with reflink; the snapshot is taken of the attached volume.\n');
      return () => unmountPool(world.poolDir);
    }
    if (wanted === 'xfs')
      throw new StorageError(
        'failed-precondition',
        `cannot mount an xfs pool: ${obstacle}; use --pool plain`,
      );
    report.line(`No xfs here (${obstacle}).`);
  }
  report.line('Pool: a plain folder; the snapshot is taken while the volume is detached.\n');
  return () => Promise.resolve();
}

async function live(world: World, report: Reporter, offer: Offer): Promise<void> {
  let life: Life | undefined;
  await report.step('start proxy, node and controller', async () => {
    await world.startProxy();
    const node = await world.startNode();
    const controller = await world.startController();
    const answers = await Promise.all([node.identity.probe({}), controller.identity.probe({})]);
    if (!answers.every(({ ready }) => ready?.value === true)) {
      throw new StorageError('unavailable', 'Probe answers not ready: run csi-driver-ntfs doctor');
    }
    life = new Life({ world, report, offer, controller: controller.controller, node });
    return 'all ready';
  });
  await life?.walk();
}

async function proveNothingIsLeft(world: World, unmountPool: () => Promise<void>): Promise<string> {
  await world.stop();
  const files = await world.remains();
  await unmountPool();
  const { mounts, loops } = await findLeftovers(world.folder);
  const left = [...mounts.map((mount) => `mount ${mount}`), ...loops, ...files];
  if (left.length > 0) throw new StorageError('internal', `left behind: ${left.join(', ')}`);
  return 'no loop device, no mount, no socket, no image';
}

async function whereLogsAre(folder: string): Promise<string> {
  const logs = (await readdir(folder)).filter((name) => name.endsWith('.log'));
  return (
    `What the processes said: ${logs.map((name) => join(folder, name)).join(', ') || `nothing, in ${folder}`}.\n` +
    'Mounts and loop devices were taken down. Run `csi-driver-ntfs doctor` to see what this machine lacks.'
  );
}

interface Interrupt {
  readonly received: NodeJS.Signals | undefined;
  forget(): void;
}

/** Ctrl-C ends the processes, which fails the step under way: the demo then cleans up as after any failure. */
function onInterrupt(end: () => Promise<void>): Interrupt {
  let received: NodeJS.Signals | undefined;
  const handler = (signal: NodeJS.Signals): void => {
    received = signal;
    void end();
  };
  process.once('SIGINT', handler);
  process.once('SIGTERM', handler);
  return {
    get received() {
      return received;
    },
    forget: () => {
      process.removeListener('SIGINT', handler);
      process.removeListener('SIGTERM', handler);
    },
  };
}
