import { StorageError } from '../core/errors.ts';
import type { DiskNumber, HostVolumeId } from '../core/ids.ts';
import type { HostStorage } from '../core/ports/host-storage.ts';
import type { DiskIdentity } from './disk-identity.ts';
import { formatRefused } from './format-guard.ts';

/** The one volume of the disk. It may take Windows a moment to show it, so none means: look once more. */
export async function onlyVolume(
  host: HostStorage,
  identity: DiskIdentity,
  state: { readonly disk: DiskNumber; readonly mustNotFormat: string | undefined },
  signal: AbortSignal,
): Promise<HostVolumeId> {
  let volumes = await volumesOn(host, state.disk, signal);
  if (volumes.length === 0) {
    await host.disks.rescan(signal);
    volumes = await volumesOn(host, state.disk, signal);
  }
  const [first, ...others] = volumes;
  if (first === undefined) throw await noVolume(host, identity, state, signal);
  if (others.length === 0) return first;
  throw new StorageError(
    'failed-precondition',
    `disk ${state.disk} (serial number ${identity.serialNumber}) holds ${volumes.length} volumes (${volumes.join(', ')}): ` +
      'nothing tells which one is meant, so none is mounted; this driver uses disks with one partition',
  );
}

async function noVolume(
  host: HostStorage,
  identity: DiskIdentity,
  { disk, mustNotFormat }: { readonly disk: DiskNumber; readonly mustNotFormat: string | undefined },
  signal: AbortSignal,
): Promise<StorageError> {
  const { diskState } = await host.capabilities(signal);
  const hint = diskState
    ? ''
    : ' (an offline disk shows none, and this host cannot take disks online: do it by hand, set the SAN policy of the ' +
      'node to OnlineAll, or upgrade CSI Proxy to a release with the disk API v1beta2 or newer)';
  if (mustNotFormat !== undefined) return formatRefused(identity, `no volume on it${hint}`, mustNotFormat);
  return new StorageError(
    'unavailable',
    `disk ${disk} (serial number ${identity.serialNumber}) was partitioned but the host shows no volume on it yet${hint}; try again`,
  );
}

/** Older CSI Proxies answer one empty text for "none". */
async function volumesOn(
  { volumes }: Pick<HostStorage, 'volumes'>,
  disk: DiskNumber,
  signal: AbortSignal,
): Promise<readonly HostVolumeId[]> {
  const found = await volumes.listVolumesOnDisk(disk, 0, signal);
  return found.filter((volume) => volume.trim() !== '');
}
