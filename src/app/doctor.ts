import { access, constants, lstat, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { probePool } from '../backends/file/pool-probe.ts';
import type { DoctorConfig } from '../config/modes.ts';
import { messageOf } from '../core/errors.ts';
import { attempt } from '../core/platform-errors.ts';
import { readinessOf } from '../hosts/linux/readiness.ts';
import { decodeJournalRecord } from '../node/journal-codec.ts';
import { JOURNAL_BIRTH_NAME } from '../node/file-journal.ts';
import type { JournalRecord } from '../node/journal.ts';
import { parseEndpoint } from '../rpc/endpoint.ts';
import { type SocketState, socketStateOf } from '../rpc/unix-socket.ts';
import { isTemporaryRecord, listRecordFolder, readRecord } from '../util/record-file.ts';
import { JOURNAL_FOLDER } from './node-app.ts';
import { hostLayer } from './open-host.ts';

/** One finding: what was looked at, what was found, and what to do when it is not good. */
interface Finding {
  readonly state: 'ok' | 'note' | 'bad';
  readonly subject: string;
  readonly found: string;
  readonly mend?: string;
}

const MARKS: Readonly<Record<Finding['state'], string>> = { ok: '✔', note: '·', bad: '✘' };

/** Says what this machine can do for the driver, a line each with the mend. Changes nothing: what it tries on the pool, it removes. Gives the exit code. */
export async function runDoctor(
  config: DoctorConfig,
  out: { write(text: string): unknown },
): Promise<number> {
  const findings = [
    nodeRelease(),
    ...(await look('endpoint', () => endpointFindings(config.endpoint))),
    await hostFinding(config),
    ...(await look('attach folder', () => folderFindings('attach folder', config.attachDir))),
    ...(await look('state folder', () => folderFindings('state folder', config.stateDir))),
    ...(await look('journal', () => journalFindings(join(config.stateDir, JOURNAL_FOLDER)))),
    ...(await look('pool', () => poolFindings(config.poolDir))),
  ];
  for (const { state, subject, found, mend } of findings) {
    out.write(`${MARKS[state]} ${subject.padEnd(14)} ${found}\n`);
    if (mend !== undefined) out.write(`  ${' '.repeat(14)} → ${mend}\n`);
  }
  return findings.some(({ state }) => state === 'bad') ? 1 : 0;
}

const nodeRelease = (): Finding => ({ state: 'ok', subject: 'Node.js', found: process.version });

/** That something cannot be looked at is a finding too. */
async function look(subject: string, find: () => Promise<readonly Finding[]>): Promise<readonly Finding[]> {
  try {
    return await attempt(`look at the ${subject}`, find);
  } catch (error) {
    const mend = 'mend that, and run doctor as the user that the driver runs as';
    return [{ state: 'bad', subject, found: messageOf(error), mend }];
  }
}

async function endpointFindings(text: string): Promise<readonly Finding[]> {
  const subject = 'endpoint';
  const endpoint = parseEndpoint(text);
  if (endpoint.kind !== 'unix') return [{ state: 'note', subject, found: `${text} is not a unix socket` }];
  const { path } = endpoint;
  const findings: Readonly<Record<SocketState, Finding>> = {
    live: { state: 'ok', subject, found: `a driver serves ${path}` },
    nothing: { state: 'note', subject, found: `nobody serves ${path}` },
    stale: {
      state: 'note',
      subject,
      found: `nobody serves ${path}; the next start removes the stale socket`,
    },
    'no-socket': { state: 'bad', subject, found: `${path} is no socket`, mend: 'move it away' },
  };
  return [findings[await socketStateOf(path)]];
}

/** Asks what the layer needs without opening it: a running driver may have it open. */
async function hostFinding(config: DoctorConfig): Promise<Finding> {
  const layer = hostLayer(config.host);
  const subject = 'host';
  if (layer === 'simulated') return { state: 'ok', subject, found: 'simulated: needs only its state folder' };
  const readiness = await readinessOf(process.getuid?.());
  if (readiness.ready) return { state: 'ok', subject, found: `${layer}: has all it needs` };
  return { state: 'bad', subject, found: `${layer}: ${readiness.reason}`, mend: readiness.mend };
}

/** A folder the driver writes to. One that is missing will be made, if its nearest parent lets us. */
async function folderFindings(subject: string, path: string): Promise<readonly Finding[]> {
  let nearest = path;
  while (!(await isThere(nearest)) && dirname(nearest) !== nearest) nearest = dirname(nearest);
  const mend = `make ${path} a folder this user can write, or name another one`;
  if (!(await stat(nearest)).isDirectory())
    return [{ state: 'bad', subject, found: `${nearest} is no folder`, mend }];
  const isWritable = await access(nearest, constants.W_OK).then(
    () => true,
    () => false,
  );
  if (!isWritable) return [{ state: 'bad', subject, found: `${nearest} cannot be written`, mend }];
  return nearest === path
    ? [{ state: 'ok', subject, found: path }]
    : [{ state: 'note', subject, found: `${path} is not there yet; it is made at the first start` }];
}

/** Reads the journal as it lies there; only a driver sets records aside or sweeps mounts. */
async function journalFindings(folder: string): Promise<Finding[]> {
  const names = await listRecordFolder(folder);
  if (names.length === 0)
    return [{ state: 'note', subject: 'journal', found: 'no volume was ever staged here' }];
  const paths = names
    .filter((name) => !isTemporaryRecord(name) && name !== JOURNAL_BIRTH_NAME)
    .map((name) => join(folder, name));
  const read = await Promise.all(paths.map(readJournal));
  const unreadable = paths.filter((_path, index) => read[index] === undefined);
  const records = read.filter((record) => record !== undefined);
  const staged = records.flatMap(({ phase, stagingPath }) =>
    phase === 'staged' && stagingPath ? [stagingPath] : [],
  );
  const live = await Promise.all(staged.map(isMounted));
  return [
    { state: 'ok', subject: 'journal', found: `${records.length} volumes known, ${staged.length} staged` },
    ...unreadable.map((path): Finding => ({
      state: 'bad',
      subject: 'journal',
      found: `${path} cannot be read`,
      mend: 'compare it with its neighbours and mend it; its volume is never formatted meanwhile',
    })),
    ...staged
      .filter((_path, index) => live[index] !== true)
      .map((path): Finding => ({
        state: 'bad',
        subject: 'stale mount',
        found: `${path} leads nowhere`,
        mend: 'start the driver: its sweep removes it',
      })),
  ];
}

async function readJournal(path: string): Promise<JournalRecord | undefined> {
  try {
    return path.endsWith('.json') ? decodeJournalRecord(await readRecord(path)) : undefined;
  } catch {
    return undefined;
  }
}

/** True for a link whose target is there and for a mount point. */
async function isMounted(path: string): Promise<boolean> {
  try {
    const [link, target, parent] = await Promise.all([lstat(path), stat(path), stat(dirname(path))]);
    return link.isSymbolicLink() || target.dev !== parent.dev;
  } catch {
    return false;
  }
}

async function poolFindings(path: string): Promise<readonly Finding[]> {
  const folder = await folderFindings('pool', path);
  if (!folder.every(({ state }) => state === 'ok')) return folder;
  const { bavail, bsize } = await statfs(path);
  const { reflink } = await probePool(path);
  const found = `${Math.floor((bavail * bsize) / 1024 ** 3)} GiB free, ${reflink ? 'with' : 'without'} reflink`;
  return [
    ...folder,
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
