import { access, constants, readdir, statfs } from 'node:fs/promises';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import type { DoctorConfig } from '../config/modes.ts';
import { nodeFolderName } from '../core/attach-folder.ts';
import { messageOf } from '../core/errors.ts';
import type { HostStorage } from '../core/ports/host-storage.ts';
import { openFileJournal } from '../node/file-journal.ts';
import { createLogger } from '../telemetry/logger.ts';
import { hostLayer, openHost } from './open-host.ts';
import { probePool } from '../backends/file/pool-probe.ts';

/** One finding: what was looked at, what was found, and what to do when it is not good. */
interface Finding {
  readonly state: 'ok' | 'note' | 'bad';
  readonly subject: string;
  readonly found: string;
  readonly mend?: string;
}

const MARKS: Readonly<Record<Finding['state'], string>> = { ok: '✔', note: '·', bad: '✘' };
/** A host that takes longer than this to say whether it can work, cannot. */
const PATIENCE_MS = 10_000;

/** Says what this machine can do for the driver, a line each with the mend. Changes nothing. Gives the exit code. */
export async function runDoctor(
  config: DoctorConfig,
  out: { write(text: string): unknown },
): Promise<number> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const log = createLogger({ level: 'silent', format: 'json' });
  const attachDir = join(config.attachDir, nodeFolderName(config.nodeId));
  const host = await openHost(config, attachDir, log);
  const journalDir = join(config.stateDir, 'journal');
  const findings = [
    nodeRelease(),
    await endpointFinding(config.endpoint),
    await hostFinding(config, host, signal),
    await folderFinding('attach folder', config.attachDir),
    await folderFinding('state folder', config.stateDir),
    ...(await journalFindings(journalDir, host, signal)),
    await folderFinding('pool', config.poolDir),
    ...(await poolFindings(config.poolDir)),
  ];
  for (const { state, subject, found, mend } of findings) {
    out.write(`${MARKS[state]} ${subject.padEnd(14)} ${found}\n`);
    if (mend !== undefined) out.write(`  ${' '.repeat(14)} → ${mend}\n`);
  }
  return findings.some(({ state }) => state === 'bad') ? 1 : 0;
}

const nodeRelease = (): Finding => ({ state: 'ok', subject: 'Node.js', found: process.version });

async function endpointFinding(endpoint: string): Promise<Finding> {
  const subject = 'endpoint';
  const path = endpoint.replace(/^unix:(\/\/)?/, '');
  if (path === endpoint) return { state: 'note', subject, found: `${endpoint} is not a unix socket` };
  const answers = await new Promise<boolean>((resolve) => {
    const socket = connect(path, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => {
      resolve(false);
    });
  });
  if (answers) return { state: 'ok', subject, found: `a driver serves ${path}` };
  return (await isThere(path))
    ? { state: 'note', subject, found: `nobody serves ${path}; the next start removes the stale socket` }
    : { state: 'note', subject, found: `nobody serves ${path}` };
}

async function hostFinding(config: DoctorConfig, host: HostStorage, signal: AbortSignal): Promise<Finding> {
  const layer = hostLayer(config.host);
  const subject = 'host';
  const readiness = await host.readiness(signal).catch((error: unknown) => ({
    ready: false as const,
    reason: messageOf(error),
    mend: 'run doctor as the user that runs the driver',
  }));
  if (readiness.ready) return { state: 'ok', subject, found: `${layer}: has all it needs` };
  return { state: 'bad', subject, found: `${layer}: ${readiness.reason}`, mend: readiness.mend };
}

/** A folder the driver writes to. One that is missing will be made, if its nearest parent lets us. */
async function folderFinding(subject: string, path: string): Promise<Finding> {
  let nearest = path;
  while (!(await isThere(nearest)) && dirname(nearest) !== nearest) nearest = dirname(nearest);
  const isWritable = await access(nearest, constants.W_OK).then(
    () => true,
    () => false,
  );
  if (!isWritable) {
    const mend = `make ${path} writable for this user, or name another folder`;
    return { state: 'bad', subject, found: `${nearest} cannot be written`, mend };
  }
  return nearest === path
    ? { state: 'ok', subject, found: path }
    : { state: 'note', subject, found: `${path} is not there yet; it is made at the first start` };
}

async function journalFindings(folder: string, host: HostStorage, signal: AbortSignal): Promise<Finding[]> {
  const names = await readdir(folder).catch(() => []);
  if (names.length === 0)
    return [{ state: 'note', subject: 'journal', found: 'no volume was ever staged here' }];
  const aside = names.filter((name) => name.includes('.unreadable-'));
  const log = createLogger({ level: 'silent', format: 'json' });
  const records = await (await openFileJournal(folder, { log, now: () => new Date() })).list();
  const staged = records.filter(({ phase }) => phase === 'staged');
  const dangling: string[] = [];
  for (const { stagingPath } of staged) {
    if (stagingPath === undefined) continue;
    const isLive = await host.files.isSymlink(stagingPath, signal).catch(() => false);
    if (!isLive) dangling.push(stagingPath);
  }
  return [
    { state: 'ok', subject: 'journal', found: `${records.length} volumes known, ${staged.length} staged` },
    ...aside.map((name): Finding => ({
      state: 'bad',
      subject: 'journal',
      found: `${join(folder, name)} could not be read and was set aside`,
      mend: 'compare it with its neighbours, mend it and move it back; its volume is not formatted meanwhile',
    })),
    ...dangling.map((path): Finding => ({
      state: 'bad',
      subject: 'stale mount',
      found: `${path} leads nowhere`,
      mend: 'start the driver: its sweep removes it',
    })),
  ];
}

async function poolFindings(path: string): Promise<Finding[]> {
  if (!(await isThere(path))) return [];
  const { bavail, bsize } = await statfs(path);
  const { reflink } = await probePool(path);
  const found = `${Math.floor((bavail * bsize) / 1024 ** 3)} GiB free, ${reflink ? 'with' : 'without'} reflink`;
  return [
    reflink
      ? { state: 'ok', subject: 'pool', found: `${found}: snapshots are instant` }
      : {
          state: 'note',
          subject: 'pool',
          found: `${found}: snapshots only of detached volumes`,
          mend: 'put the pool on xfs or btrfs for instant snapshots of attached volumes',
        },
  ];
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
