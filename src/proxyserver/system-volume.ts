import { decodeGuid, GUID_BYTES } from '../core/guid.ts';
import { hostVolumeIdOf, type HostVolumeId } from '../core/ids.ts';
import { sha256Hex } from '../util/digest.ts';

/** The id of the volume that drive `C:` of a server is on: always the same for the same folder. */
export const systemVolumeOf = (root: string): HostVolumeId =>
  hostVolumeIdOf(
    decodeGuid(Buffer.from(sha256Hex(`the volume of drive C: at ${root}`, GUID_BYTES * 2), 'hex')),
  );
