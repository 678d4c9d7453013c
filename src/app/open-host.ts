import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { HostConfig, NodeConfig } from '../config/modes.ts';
import { nodeFolderName } from '../core/attach-folder.ts';
import { StorageError } from '../core/errors.ts';
import type { HostStorage } from '../core/ports/host-storage.ts';
import type { Logger } from '../core/ports/logger.ts';
import { linuxHostStorage } from '../hosts/linux/linux-host-storage.ts';
import { watchHotPlug } from '../hosts/hot-plug.ts';
import { simulatedHostStorage } from '../hosts/simulated/simulated-host-storage.ts';
import { grpcPipeTransport } from '../proxyclient/grpc-pipe-transport.ts';
import { proxyHostStorage } from '../proxyclient/proxy-host-storage.ts';
import type { Metrics } from '../telemetry/metrics.ts';

export type HostLayer = 'proxy' | 'linux' | 'simulated';

/** A host layer, and what keeps it going. */
export interface OpenedHost {
  readonly host: HostStorage;
  /** Runs until the signal aborts. */
  readonly maintain: (stop: AbortSignal) => Promise<unknown>;
  /** Lets go of what would keep the process alive. */
  readonly close: () => void;
}

/** The host layer that a `--host` means on this machine. */
export const hostLayer = (wanted: 'auto' | HostLayer): HostLayer => {
  if (wanted !== 'auto') return wanted;
  if (process.platform === 'win32') return 'proxy';
  return process.getuid?.() === 0 ? 'linux' : 'simulated';
};

/** This node's own attach folder. */
export const attachFolderOf = (config: Pick<HostConfig, 'attachDir' | 'nodeId'>): string =>
  join(config.attachDir, nodeFolderName(config.nodeId));

/** Opens the host layer that the node works with: a CSI Proxy, or one of this very process. */
export function openHost(
  config: NodeConfig,
  { log, metrics }: { readonly log: Logger; readonly metrics: Metrics },
): OpenedHost {
  if (hostLayer(config.host) !== 'proxy') return openOwnHost(config, log);
  const host = proxyHostStorage(
    {
      log: log.child({ component: 'proxy' }),
      transport: grpcPipeTransport({
        pipeDir: config.pipeDir,
        handshakeTimeoutSeconds: HANDSHAKE_TIMEOUT_SECONDS,
      }),
      observer: metrics.proxyClient,
      isPlainFile,
    },
    {
      concurrency: config.proxyConcurrency,
      fileTimeoutSeconds: config.proxyFileTimeoutSeconds,
      readTimeoutSeconds: config.proxyReadTimeoutSeconds,
      storageTimeoutSeconds: config.proxyStorageTimeoutSeconds,
      kubeletPath: config.kubeletPath,
      localStat: true,
      maxVolumes: MAX_VOLUMES,
    },
  );
  log.info({ layer: 'proxy', pipeDir: config.pipeDir }, 'host layer opened');
  return {
    host,
    maintain: () => Promise.resolve(),
    close: () => {
      host.close();
    },
  };
}

/** A server that is there says its first word at once. */
export const HANDSHAKE_TIMEOUT_SECONDS = 3;
/** CSI Proxy does not say what its machine can take; `--max-volumes-per-node` does where this is too much. */
const MAX_VOLUMES = 256;

/** CSI Proxy's Rmdir removes files as well. What cannot be looked at from here is left to the proxy. */
const isPlainFile = (path: string): Promise<boolean> =>
  lstat(path).then(
    (found) => found.isFile(),
    () => false,
  );

const OWN_HOSTS: Readonly<Partial<Record<HostLayer, typeof linuxHostStorage & typeof simulatedHostStorage>>> =
  {
    linux: linuxHostStorage,
    simulated: simulatedHostStorage,
  };

/** Opens a host layer of this process. Throws `unimplemented` where there is none. */
export function openOwnHost(config: HostConfig, log: Logger): OpenedHost {
  const layer = hostLayer(config.host);
  const deps = { log: log.child({ component: 'host' }) };
  const options = {
    attachDir: attachFolderOf(config),
    stateDir: join(config.stateDir, 'host'),
    sanPolicy: config.sanPolicy,
  };
  const open = OWN_HOSTS[layer];
  if (open === undefined)
    throw new StorageError(
      'unimplemented',
      `this release has no host layer of its own on ${process.platform}`,
    );
  log.info({ layer }, 'host layer opened');
  const host = open(deps, options);
  const watched = { ...deps, attachDir: options.attachDir, host };
  return { host, maintain: (stop) => watchHotPlug(watched, stop), close: () => undefined };
}
