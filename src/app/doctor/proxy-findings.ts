import {
  ALL_PIPES,
  API_GROUPS,
  type ApiGroup,
  type ApiVersion,
  EXTENSION_VERSION,
  type Pipe,
} from '../../proxyapi/api-versions.ts';
import { unusablePipe } from '../../proxyclient/no-version.ts';
import { type PipeTransport, PipeUnusable } from '../../proxyclient/pipe-transport.ts';
import { Offer } from '../offer.ts';
import type { Finding } from './finding.ts';
import { releaseFinding } from './release-finding.ts';

interface Proxy {
  readonly transport: PipeTransport;
  readonly pipeDir: string;
  /** Whether it is bad when there is none. */
  readonly isNeeded: boolean;
}

/** A pipe somebody listens on: a server that speaks, or the reason why it cannot be used. */
interface FoundPipe extends Pipe {
  readonly fault: PipeUnusable | undefined;
}

/** Without these no volume can be staged. */
const NEEDED_GROUPS: readonly ApiGroup[] = ['disk', 'volume', 'filesystem'];

/** What a CSI Proxy offers, what a driver makes of it, and what is lost. Asks every pipe; sends no call. */
export async function proxyFindings(proxy: Proxy): Promise<readonly Finding[]> {
  const looked = await Promise.all(ALL_PIPES.map((pipe) => look(proxy.transport, pipe)));
  const found = looked.filter((pipe) => pipe !== undefined);
  if (found.length === 0) return [noProxy(proxy)];
  const faults = found.flatMap(({ fault, ...pipe }) =>
    fault === undefined ? [] : [faultFinding(proxy.transport, pipe, fault)],
  );
  const offer = new Offer(found.filter(({ fault }) => fault === undefined));
  const groups: Finding[] = [];
  for (const group of API_GROUPS) groups.push(...(await groupFindings(proxy, group, found, offer)));
  const isLess = API_GROUPS.some((group) => offer.costsOf(group).length > 0);
  return [{ ...releaseFinding(found), ...(isLess ? { mend: NEWER } : {}) }, ...groups, ...faults];
}

const NEWER = 'nothing is lost with csi-proxy 1.1 or newer, when all its pipes are mounted';

/** `undefined`: nobody listens. */
async function look(transport: PipeTransport, pipe: Pipe): Promise<FoundPipe | undefined> {
  try {
    const connection = await transport.connect(pipe, new AbortController().signal);
    connection.close();
    return { ...pipe, fault: undefined };
  } catch (error) {
    if (!(error instanceof PipeUnusable)) throw error;
    return error.fault === 'absent' ? undefined : { ...pipe, fault: error };
  }
}

const noProxy = ({ pipeDir, isNeeded }: Proxy): Finding =>
  isNeeded
    ? {
        state: 'bad',
        subject: 'CSI Proxy',
        found: `no pipe of a CSI Proxy in ${pipeDir}`,
        mend: 'install or start the service csiproxy, and mount its pipes in the DaemonSet (hostPath); the driver waits for it',
      }
    : { state: 'note', subject: 'CSI Proxy', found: `none in ${pipeDir}; this host layer needs none` };

function faultFinding(transport: PipeTransport, pipe: Pipe, fault: PipeUnusable): Finding {
  const { reason: found, mend } = unusablePipe(transport.address(pipe), fault);
  return { state: 'bad', subject: subjectOf(pipe.group), found, mend };
}

async function groupFindings(
  { transport }: Proxy,
  group: ApiGroup,
  found: readonly FoundPipe[],
  offer: Offer,
): Promise<readonly Finding[]> {
  const subject = subjectOf(group);
  const offered = found.filter((pipe) => pipe.group === group).map(({ version }) => version);
  const version = offer.versionOf(group);
  if (version === undefined) return [notOffered(group)];
  if (isShadowed(version, group, found))
    return [
      { state: 'note', subject, found: `${version} answers, but a newer one is there and comes first` },
    ];
  const milliseconds = await handshakeTime(transport, { group, version });
  const choice = `${version} is used, out of ${offered.join(', ')}; handshake ${milliseconds.toFixed(1)} ms`;
  return [{ state: 'ok', subject, found: choice }, ...missingFindings(group, offered, offer.costsOf(group))];
}

/** The versions above those offered, and what it costs that they are not there. Older ones are of no use to anybody. */
function missingFindings(
  group: ApiGroup,
  offered: readonly ApiVersion[],
  costs: readonly string[],
): readonly Finding[] {
  const subject = subjectOf(group);
  const versions = ALL_PIPES.filter((pipe) => pipe.group === group).map(({ version }) => version);
  const newest = versions.findIndex((version) => version !== EXTENSION_VERSION && offered.includes(version));
  const missing = versions.slice(0, newest).filter((version) => !offered.includes(version));
  if (missing.length === 0) return [];
  const found = `without ${missing.join(', ')}`;
  if (costs.length === 0)
    return [{ state: 'note', subject, found: `${found}: that costs nothing this driver needs` }];
  return [
    { state: 'note', subject, found: `${found}, which costs:` },
    ...costs.map((cost): Finding => ({ state: 'note', subject, found: `– ${cost}` })),
  ];
}

/** A newer pipe that cannot be used is a fault to be mended: a client does not pass it by. */
const isShadowed = (version: string, group: ApiGroup, found: readonly FoundPipe[]): boolean => {
  const ofGroup = found.filter((pipe) => pipe.group === group && pipe.version !== EXTENSION_VERSION);
  return ofGroup[0]?.version !== version;
};

function notOffered(group: ApiGroup): Finding {
  const subject = subjectOf(group);
  return NEEDED_GROUPS.includes(group)
    ? {
        state: 'bad',
        subject,
        found: 'no usable pipe: no volume can be staged',
        mend: 'mount the pipes of this API in the DaemonSet, or look into the log of the service csiproxy',
      }
    : { state: 'note', subject, found: 'not offered; nothing that needs it can be done' };
}

/** Of a connection of its own, when nothing else goes on. */
async function handshakeTime(transport: PipeTransport, pipe: Pipe): Promise<number> {
  const begin = performance.now();
  const connection = await transport.connect(pipe, new AbortController().signal);
  const milliseconds = performance.now() - begin;
  connection.close();
  return milliseconds;
}

const subjectOf = (group: ApiGroup): string => `${group} API`;
