import { access, constants, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { probePool } from '../../backends/file/pool-probe.ts';
import { FLAGS } from '../../config/flags.ts';
import type { DoctorConfig } from '../../config/modes.ts';
import { messageOf } from '../../core/errors.ts';
import { attempt } from '../../core/platform-errors.ts';
import { readinessOf } from '../../hosts/linux/readiness.ts';
import { grpcPipeTransport } from '../../proxyclient/grpc-pipe-transport.ts';
import { parseEndpoint } from '../../rpc/endpoint.ts';
import { type SocketState, socketStateOf } from '../../rpc/unix-socket.ts';
import { JOURNAL_FOLDER } from '../node-app.ts';
import { HANDSHAKE_TIMEOUT_SECONDS, hostLayer } from '../open-host.ts';
import { probeOf } from '../sockets-of.ts';
import { type Finding, printFinding } from './finding.ts';
import { journalFindings } from './journal-findings.ts';
import { proxyFindings } from './proxy-findings.ts';

/** Says what this machine can do for the driver, a line each with the mend. Changes nothing: what it tries on the pool, it removes. Gives the exit code. */
export async function runDoctor(
  config: DoctorConfig,
  out: { write(text: string): unknown },
): Promise<number> {
  const findings = [
    nodeRelease(),
    ...(await look('endpoint', () => endpointFindings(config))),
    await hostFinding(config),
    ...(await look('CSI Proxy', () => findProxy(config))),
    ...(await look('attach folder', () => folderFindings('attach folder', config.attachDir))),
    ...(await look('state folder', () => folderFindings('state folder', config.stateDir))),
    ...(await look('journal', () => journalFindings(join(config.stateDir, JOURNAL_FOLDER)))),
    ...(await look('pool', () => poolFindings(config.poolDir))),
  ];
  for (const finding of findings) printFinding(finding, out);
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

async function endpointFindings({
  endpoint: text,
  socketBackend,
}: DoctorConfig): Promise<readonly Finding[]> {
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
  return [findings[await socketStateOf(path, probeOf(socketBackend))]];
}

/** Asks what the layer needs without opening it: a running driver may have it open. */
async function hostFinding(config: DoctorConfig): Promise<Finding> {
  const layer = hostLayer(config.host);
  const subject = 'host';
  if (layer === 'proxy') return { state: 'ok', subject, found: 'proxy: a CSI Proxy does the work' };
  if (layer === 'simulated') return { state: 'ok', subject, found: 'simulated: needs only its state folder' };
  const readiness = await readinessOf(process.getuid?.());
  if (readiness.ready) return { state: 'ok', subject, found: `${layer}: has all it needs` };
  return { state: 'bad', subject, found: `${layer}: ${readiness.reason}`, mend: readiness.mend };
}

/** Also where the host layer needs none: one that was started for others is of interest. */
function findProxy({ host, pipeDir }: DoctorConfig): Promise<readonly Finding[]> {
  const transport = grpcPipeTransport({ pipeDir, handshakeTimeoutSeconds: HANDSHAKE_TIMEOUT_SECONDS });
  const isNeeded = hostLayer(host) === 'proxy' || pipeDir !== FLAGS.pipeDir.default;
  return proxyFindings({ transport, pipeDir, isNeeded });
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
