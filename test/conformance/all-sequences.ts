import type { Sequence } from './sequence.ts';
import { DISK_SEQUENCES } from './sequences/disk.ts';
import { ERA_SEQUENCES } from './sequences/eras.ts';
import { FILESYSTEM_SEQUENCES } from './sequences/filesystem.ts';
import { ISCSI_SEQUENCES } from './sequences/iscsi.ts';
import { PATH_SEQUENCES } from './sequences/paths.ts';
import { SMB_SEQUENCES } from './sequences/smb.ts';
import { SYSTEM_SEQUENCES } from './sequences/system.ts';
import { VOLUME_SEQUENCES } from './sequences/volume.ts';

/**
 * The sequences of CSI Proxy's own integration tests by their numbers, 1 to 26, and some of ours. Its numbers 27 and 28
 * are about the framework that generates its servers, which another server does not have.
 */
export const ALL_SEQUENCES: readonly Sequence[] = [
  ...DISK_SEQUENCES,
  ...VOLUME_SEQUENCES,
  ...FILESYSTEM_SEQUENCES,
  ...SMB_SEQUENCES,
  ...SYSTEM_SEQUENCES,
  ...ISCSI_SEQUENCES,
  ...ERA_SEQUENCES,
  ...PATH_SEQUENCES,
];
