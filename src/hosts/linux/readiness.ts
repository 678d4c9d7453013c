import { access, constants } from 'node:fs/promises';
import type { HostReadiness } from '../../core/ports/host-storage.ts';
import { missingTools, TOOL_PATH } from './tools.ts';

const DEVICES: readonly (readonly [path: string, mend: string])[] = [
  ['/dev/loop-control', 'modprobe loop, and in a container run privileged with /dev of the host'],
  ['/dev/fuse', 'modprobe fuse, and in a container run privileged with /dev of the host'],
];

/** Whether this machine can serve: the first thing that is missing, and how it is mended. */
export async function readinessOf(userId: number | undefined): Promise<HostReadiness> {
  if (userId !== 0) {
    return {
      ready: false,
      reason: `loop devices and mounts need root, this process runs as user ${userId ?? 'unknown'}`,
      mend: 'run as root, or use --host simulated',
    };
  }
  const missing = await missingTools();
  if (missing.length > 0) {
    const packages = [...new Set(missing.map(({ debianPackage }) => debianPackage))];
    return {
      ready: false,
      reason: `${missing.map(({ tool }) => tool).join(', ')} not found in ${TOOL_PATH.join(':')}`,
      mend: `apt-get install ${packages.join(' ')}`,
    };
  }
  for (const [path, mend] of DEVICES) {
    if (!(await may(path, constants.R_OK | constants.W_OK))) {
      return { ready: false, reason: `${path} is missing or cannot be opened`, mend };
    }
  }
  return { ready: true };
}

async function may(path: string, mode: number): Promise<boolean> {
  return access(path, mode).then(
    () => true,
    () => false,
  );
}
