import { StorageError } from '../../core/errors.ts';
import type { Run } from './command.ts';

/**
 * `windows_names`: refuses what Windows could not open. `permissions`: owner and mode are kept.
 * A volume from elsewhere must not bring devices or privileges along.
 */
const MOUNT_OPTIONS = 'rw,noatime,nodev,nosuid,permissions,windows_names';

/** The tools of ntfs-3g, on a partition device. */
export class NtfsTools {
  readonly #run: Run;

  constructor(run: Run) {
    this.#run = run;
  }

  /** Quick format. The geometry Windows would write, which the tool cannot find out on a loop device. */
  async format(device: string, firstLba: bigint): Promise<void> {
    const geometry = ['-p', String(firstLba), '-H', '255', '-S', '63'];
    await this.#run(`format ${device}`, 'mkfs.ntfs', ['--fast', '--quiet', ...geometry, device]);
  }

  async mount(device: string, path: string): Promise<void> {
    await this.#run(`mount ${device} at ${path}`, 'mount.ntfs-3g', [device, path, '-o', MOUNT_OPTIONS]);
  }

  /** Stretches the file system to its partition; must not be mounted. May be repeated after it was cut off. */
  async grow(device: string): Promise<void> {
    // Forced twice: once because it asks, once because its own last run left the volume marked for a check.
    await this.#run(`grow the file system on ${device}`, 'ntfsresize', ['--force', '--force', device]);
    await this.#run(`clear the check mark of ${device}`, 'ntfsfix', ['--clear-dirty', device]);
  }

  /** Size and use of a file system that is not mounted, in bytes. */
  async usage(device: string): Promise<{ readonly totalBytes: bigint; readonly usedBytes: bigint }> {
    const text = await this.#run(`measure ${device}`, 'ntfsinfo', ['--mft', '--force', device]);
    const cluster = numberAfter(text, 'Cluster Size', device);
    const total = numberAfter(text, 'Volume Size in Clusters', device);
    const free = numberAfter(text, 'Free Clusters', device);
    return { totalBytes: total * cluster, usedBytes: (total - free) * cluster };
  }
}

function numberAfter(text: string, label: string, device: string): bigint {
  const found = new RegExp(`^\\s*${label}:\\s*(\\d+)`, 'm').exec(text)?.[1];
  if (found !== undefined) return BigInt(found);
  throw new StorageError('internal', `cannot measure ${device}: ntfsinfo does not say "${label}"`);
}
