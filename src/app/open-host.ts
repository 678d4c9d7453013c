import { join } from 'node:path';
import type { HostStorage } from '../core/ports/host-storage.ts';
import type { Logger } from '../core/ports/logger.ts';
import { linuxHostStorage } from '../hosts/linux/linux-host-storage.ts';
import { simulatedHostStorage } from '../hosts/simulated/simulated-host-storage.ts';

export type HostLayer = 'linux' | 'simulated';

/** The host layer that a `--host` means on this machine. */
export const hostLayer = (wanted: 'auto' | HostLayer): HostLayer => {
  if (wanted !== 'auto') return wanted;
  return process.getuid?.() === 0 ? 'linux' : 'simulated';
};

/** Opens this node's host layer. `attachDir` is the node's own attach folder. */
export function openHost(
  config: { readonly host: 'auto' | HostLayer; readonly stateDir: string },
  attachDir: string,
  log: Logger,
): HostStorage {
  const layer = hostLayer(config.host);
  const deps = { log: log.child({ component: 'host' }) };
  const options = { attachDir, stateDir: join(config.stateDir, 'host') };
  log.info({ layer }, 'host layer opened');
  return layer === 'linux' ? linuxHostStorage(deps, options) : simulatedHostStorage(deps, options);
}
