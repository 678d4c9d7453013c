import type { ApiGroup, ApiVersion } from './api-versions.ts';
import { diskV1 } from './codecs/disk-v1.ts';
import { diskV1alpha1 } from './codecs/disk-v1alpha1.ts';
import { diskV1beta1, diskV1beta2 } from './codecs/disk-v1beta2.ts';
import { filesystemV1, filesystemV2alpha1 } from './codecs/filesystem-v1.ts';
import { filesystemV1beta1 } from './codecs/filesystem-v1beta1.ts';
import { iscsiV1alpha1, iscsiV1alpha2 } from './codecs/iscsi-v1alpha1.ts';
import { smbV1, smbV1beta1 } from './codecs/smb-v1.ts';
import { systemV1alpha1 } from './codecs/system-v1alpha1.ts';
import { volumeV1, volumeV2alpha1 } from './codecs/volume-v1.ts';
import { volumeV1alpha1, volumeV1beta1, volumeV1beta2 } from './codecs/volume-v1beta2.ts';
import { DEFAULT_KUBELET_PATH, type PathContext, pathContextOf } from './path-context.ts';
import type { GroupCodec, GroupPorts } from './rpc-codec.ts';

export interface CodecOptions {
  /** Which root a path is below: filesystem v1beta1 and v1alpha1 say it. Default: of a kubelet in its usual folder. */
  readonly pathContextOf?: (path: string) => PathContext;
}

type CodecTable = {
  readonly [Group in ApiGroup]: Readonly<Partial<Record<ApiVersion, GroupCodec<GroupPorts[Group]>>>>;
};

/** The codec of one version of a group. Throws when the group never had that version. */
export function codecOf<Group extends ApiGroup>(
  group: Group,
  version: ApiVersion,
  options: CodecOptions = {},
): GroupCodec<GroupPorts[Group]> {
  const codecs: CodecTable[Group] = codecTable(options)[group];
  const codec = codecs[version];
  if (codec === undefined) throw new Error(`CSI Proxy never had ${group} ${version}`);
  return codec;
}

function codecTable(options: CodecOptions): CodecTable {
  const filesystemWithContext = filesystemV1beta1(
    options.pathContextOf ?? pathContextOf(DEFAULT_KUBELET_PATH),
  );
  return {
    disk: {
      v1: diskV1,
      v1beta3: diskV1,
      v1beta2: diskV1beta2,
      v1beta1: diskV1beta1,
      v1alpha1: diskV1alpha1,
    },
    volume: {
      v2alpha1: volumeV2alpha1,
      v1: volumeV1,
      v1beta3: volumeV1,
      v1beta2: volumeV1beta2,
      v1beta1: volumeV1beta1,
      v1alpha1: volumeV1alpha1,
    },
    filesystem: {
      v2alpha1: filesystemV2alpha1,
      v1: filesystemV1,
      v1beta2: filesystemV1,
      v1beta1: filesystemWithContext,
      v1alpha1: filesystemWithContext,
    },
    smb: { v1: smbV1, v1beta2: smbV1, v1beta1: smbV1beta1, v1alpha1: smbV1beta1 },
    iscsi: { v1alpha2: iscsiV1alpha2, v1alpha1: iscsiV1alpha1 },
    system: { v1alpha1: systemV1alpha1 },
  };
}
