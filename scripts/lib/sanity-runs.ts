import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type DriverProcess, startDriver } from '../../src/app/demo/driver-process.ts';
import { pipesOf } from '../../src/proxyapi/releases.ts';
import { shortcomingsOf } from '../../src/proxyapi/shortcomings.ts';
import { CSI_SANITY_VERSIONS, type CsiSanityVersion } from './csi-sanity.ts';

/** What csi-sanity is pointed at. */
export interface SanityTarget {
  readonly host: 'simulated' | 'linux';
  /** Versions of the CSI Proxy between node and host; `undefined`: there is none between. */
  readonly proxy?: string;
  /** Whose sockets CSI is served on; `undefined`: those of Node.js. */
  readonly sockets?: 'reactor';
}

/** The newest API, the last one of 0.x that numbers disks, and the first one. */
const PROXY_VERSIONS = ['v1', 'v1beta3', 'v1alpha1'];
const NODE_ID = 'sanity-node';
const PROGRAM = [process.execPath, 'dist/csi-driver-ntfs.cjs'] as const;

/** Each host by itself; with the newest csi-sanity also through a CSI Proxy, and once on the sockets that Windows uses. */
export function targetsOf(
  version: CsiSanityVersion,
  hosts: readonly SanityTarget['host'][],
): readonly SanityTarget[] {
  const isNewest = version === CSI_SANITY_VERSIONS.at(-1);
  const proxies = isNewest ? PROXY_VERSIONS : [];
  return [
    ...hosts.flatMap((host) => [{ host }, ...proxies.map((proxy) => ({ host, proxy }))]),
    ...(isNewest ? [{ host: 'simulated', sockets: 'reactor' } as const] : []),
  ];
}

export const targetTitle = ({ host, proxy, sockets }: SanityTarget): string =>
  [
    `the ${host} host`,
    ...(proxy === undefined ? [] : [`through CSI Proxy ${proxy}`]),
    ...(sockets === undefined ? [] : [`served by the ${sockets}`]),
  ].join(' ');

/** Controller and node in one process; the host in it too, or behind a CSI Proxy that is started before it. */
export async function startTarget(
  { host, proxy, sockets }: SanityTarget,
  folder: string,
  endpoint: string,
): Promise<readonly DriverProcess[]> {
  if (proxy === undefined) {
    const backend = sockets === undefined ? {} : { 'socket-backend': sockets };
    return [await startAll(folder, endpoint, { host, ...backend })];
  }
  const pipeDir = join(folder, 'pipes');
  await mkdir(pipeDir);
  const windowsFolder = `C:${folder.replaceAll('/', '\\')}`;
  const common = { 'pipe-dir': pipeDir, 'kubelet-path': `${windowsFolder}\\kubelet` };
  const server = await startDriver({
    program: PROGRAM,
    mode: 'proxy',
    logFile: join(folder, 'proxy.log'),
    flags: {
      ...common,
      host,
      'api-versions': proxy,
      'node-id': NODE_ID,
      'attach-dir': join(folder, 'attach'),
      'state-dir': join(folder, 'proxy-state'),
      'san-policy': canTakeOnline(proxy) ? 'offline' : 'online',
    },
  });
  return [server, await startAll(folder, endpoint, { ...common, host: 'proxy' })];
}

/** Room for every volume of the suite, and few enough per node to test the limit. */
const startAll = (
  folder: string,
  endpoint: string,
  flags: Readonly<Record<string, string>>,
): Promise<DriverProcess> =>
  startDriver({
    program: PROGRAM,
    mode: 'all',
    logFile: join(folder, 'driver.log'),
    flags: {
      endpoint,
      'node-id': NODE_ID,
      'pool-dir': join(folder, 'pool'),
      'attach-dir': join(folder, 'attach'),
      'state-dir': join(folder, 'state'),
      'max-volumes-per-node': '8',
      'overcommit-ratio': '10',
      ...flags,
    },
  });

/** Through the oldest versions nobody can take a disk online, so they have to arrive so. */
const canTakeOnline = (proxy: string): boolean =>
  pipesOf(proxy).every(
    (pipe) => !shortcomingsOf(pipe).some(({ methods }) => methods.includes('setDiskState')),
  );

/** What a target cannot do because of the versions of its CSI Proxy, and what that costs. */
export const shortcomingsIn = ({ proxy }: SanityTarget): readonly string[] =>
  proxy === undefined
    ? []
    : pipesOf(proxy).flatMap((pipe) =>
        shortcomingsOf(pipe)
          .filter(({ harmless }) => !harmless)
          .map(({ methods, cost }) => `${pipe.group} ${pipe.version} has no ${methods.join(', ')}: ${cost}`),
      );
