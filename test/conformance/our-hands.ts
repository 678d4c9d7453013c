import { join } from 'node:path';
import type { HostStorage } from '../../src/core/ports/host-storage.ts';
import { linuxHostStorage } from '../../src/hosts/linux/linux-host-storage.ts';
import { simulatedHostStorage } from '../../src/hosts/simulated/simulated-host-storage.ts';
import { systemVolumeOf } from '../../src/proxyserver/system-volume.ts';
import { RecordingLogger } from '../support/recording-logger.ts';
import type { Hands, ServiceHands } from './hands.ts';
import { localFiles } from './local-files.ts';
import { OurDisks } from './our-disks.ts';
import { SimulatedNetwork } from './simulated-network.ts';
import type { Wire } from './wire.ts';

export interface OurHandsOptions {
  readonly host: 'simulated' | 'linux';
  /** The folder that is `C:\` for the server. */
  readonly rootDir: string;
  /** The node's own attach folder. */
  readonly attachDir: string;
  /** The server's `--state-dir`. */
  readonly stateDir: string;
}

const SIGNAL = new AbortController().signal;

/** Hands on the machine of a server of ours. */
export function ourHands(wire: Wire, options: OurHandsOptions): Hands {
  const { host, rootDir, attachDir, stateDir } = options;
  const hostState = join(stateDir, 'host');
  const openHost = (): HostStorage => {
    const open = host === 'linux' ? linuxHostStorage : simulatedHostStorage;
    return open({ log: new RecordingLogger() }, { attachDir, stateDir: hostState, sanPolicy: 'online' });
  };
  const common: Hands = {
    lacks: {
      shares: 'SMB, which the Linux host has not: only Windows has global mappings',
      targets: "Windows' iSCSI initiator, which the Linux host has not",
    },
    files: localFiles(rootDir),
    disks: new OurDisks(wire, openHost, { attachDir, imageDir: join(stateDir, 'images') }),
    services: servicesOf(openHost),
    biosSerialNumber: () => openHost().system.getBiosSerialNumber(SIGNAL),
    systemVolume: () => Promise.resolve(systemVolumeOf(rootDir)),
    close: () => Promise.resolve(),
  };
  if (host === 'linux') return common;
  const network = new SimulatedNetwork(hostState);
  return { ...common, lacks: {}, shares: network, targets: network.targets, close: () => network.close() };
}

/** In the words of the API. */
const word = (text: string): string => text.replaceAll('-', '_').toUpperCase();

/** The machine's services, past the server. */
const servicesOf = (openHost: () => HostStorage): ServiceHands => ({
  state: async (name) => {
    const { displayName, startType, status } = await openHost().system.getService(name, SIGNAL);
    return { displayName, startType: word(startType), status: word(status) };
  },
  stop: (name) => openHost().system.stopService(name, true, SIGNAL),
});
