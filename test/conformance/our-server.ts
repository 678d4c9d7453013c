import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type DriverProcess, startDriver } from '../../src/app/demo/driver-process.ts';
import type { Era } from './sequence.ts';

const NODE_ID = 'conformance';

/** The built driver in mode `proxy`, with every version of the API. All it touches is below `folder`. */
export interface OurServerOptions {
  readonly folder: string;
  readonly host: 'simulated' | 'linux';
  readonly era: Era;
}

export const ourFolders = (
  folder: string,
): { pipeDir: string; rootDir: string; attachDir: string; stateDir: string } => ({
  pipeDir: join(folder, 'pipes'),
  rootDir: join(folder, 'c'),
  attachDir: join(folder, 'attach', NODE_ID),
  stateDir: join(folder, 'state'),
});

/** New disks arrive online, as a virtual disk on a Windows machine does. */
export async function startOurServer({ folder, host, era }: OurServerOptions): Promise<DriverProcess> {
  const { pipeDir, rootDir, attachDir, stateDir } = ourFolders(folder);
  for (const path of [pipeDir, rootDir, attachDir]) await mkdir(path, { recursive: true });
  return startDriver({
    program: [process.execPath, 'dist/csi-driver-ntfs.cjs'],
    mode: 'proxy',
    logFile: join(folder, 'proxy.log'),
    flags: {
      host,
      era,
      'pipe-dir': pipeDir,
      'root-dir': rootDir,
      'node-id': NODE_ID,
      'attach-dir': join(folder, 'attach'),
      'state-dir': stateDir,
      'san-policy': 'online',
    },
  });
}
