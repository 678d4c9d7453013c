import type { HostVolumeId } from '../core/ids.ts';
import type { HostStorage } from '../core/ports/host-storage.ts';
import { pathState } from './paths.ts';

/** An unmount that failed but left nothing mounted has done its work, or its disk went meanwhile. */
export async function unmountAndSee(
  host: HostStorage,
  volume: HostVolumeId,
  stagingPath: string,
  signal: AbortSignal,
): Promise<void> {
  try {
    await host.volumes.unmountVolume(volume, stagingPath, signal);
  } catch (error) {
    const state = await pathState(host.files, stagingPath, signal);
    if (state === 'live') throw error;
    if (state === 'plain') await clearDangling(host, stagingPath, signal);
  }
}

/** Leaves an empty folder in place of a dangling mount point, and a full folder as it is (law 4). */
export async function clearDangling(
  host: HostStorage,
  stagingPath: string,
  signal: AbortSignal,
): Promise<void> {
  try {
    await host.files.rmdir(stagingPath, false, signal);
  } catch {
    return;
  }
  await host.files.mkdir(stagingPath, signal);
}
