import { join } from 'node:path';
import { nodeFolderName } from '../core/attach-folder.ts';
import { StorageError } from '../core/errors.ts';
import type { HostStorage } from '../core/ports/host-storage.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { HostConfig } from '../config/modes.ts';
import { linuxHostStorage } from '../hosts/linux/linux-host-storage.ts';
import { simulatedHostStorage } from '../hosts/simulated/simulated-host-storage.ts';

export type HostLayer = 'proxy' | 'linux' | 'simulated';

/** The host layer that a `--host` means on this machine. */
export const hostLayer = (wanted: 'auto' | HostLayer): HostLayer => {
  if (wanted !== 'auto') return wanted;
  if (process.platform === 'win32') return 'proxy';
  return process.getuid?.() === 0 ? 'linux' : 'simulated';
};

/** This node's own attach folder. */
export const attachFolderOf = (config: Pick<HostConfig, 'attachDir' | 'nodeId'>): string =>
  join(config.attachDir, nodeFolderName(config.nodeId));

/** Opens the host layer of this very process. */
export function openOwnHost(config: HostConfig, log: Logger): HostStorage {
  const layer = hostLayer(config.host);
  const deps = { log: log.child({ component: 'host' }) };
  const options = { attachDir: attachFolderOf(config), stateDir: join(config.stateDir, 'host') };
  log.info({ layer }, 'host layer opened');
  if (layer === 'linux') return linuxHostStorage(deps, options);
  if (layer === 'simulated') return simulatedHostStorage(deps, options);
  throw new StorageError('unimplemented', 'this build has no host layer of its own on Windows');
}
