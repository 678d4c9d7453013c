import { join } from 'node:path';
import type { HostStorage } from '../../src/core/ports/host-storage.ts';
import { linuxHostStorage } from '../../src/hosts/linux/linux-host-storage.ts';
import { simulatedHostStorage } from '../../src/hosts/simulated/simulated-host-storage.ts';
import { RecordingLogger } from '../support/recording-logger.ts';
import type { Hands } from './hands.ts';
import { localFiles } from './local-files.ts';
import { OurDisks } from './our-disks.ts';
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

const ONLY_WINDOWS = 'the volume of drive C:, which a machine without drive letters has not';

/** Hands on the machine of a server of ours. */
export function ourHands(wire: Wire, options: OurHandsOptions): Hands {
  const { host, rootDir, attachDir, stateDir } = options;
  const state = join(stateDir, 'host');
  const openHost = (): HostStorage => {
    const open = host === 'linux' ? linuxHostStorage : simulatedHostStorage;
    return open({ log: new RecordingLogger() }, { attachDir, stateDir: state, sanPolicy: 'online' });
  };
  return {
    lacks: { systemVolume: ONLY_WINDOWS },
    files: localFiles(rootDir),
    disks: new OurDisks(wire, openHost, { attachDir, imageDir: join(stateDir, 'images') }),
    close: () => Promise.resolve(),
  };
}
