import type { ApiGroup, ApiVersion, Pipe } from './api-versions.ts';
import type { GroupPorts } from './rpc-codec.ts';

/** What one version of a group cannot do. */
export interface Shortcoming {
  /** Methods of the group's port that the version has no rpc for. */
  readonly methods: readonly string[];
  /** What that costs, for `doctor` and the log. */
  readonly cost: string;
  /** True when the driver gets the same in another way, so that nothing is lost. */
  readonly harmless: boolean;
}

interface Entry<Port> {
  readonly methods: readonly (keyof Port & string)[];
  readonly versions: readonly ApiVersion[];
  readonly cost: string;
  readonly harmless?: true;
}

const BEFORE_V1BETA2 = ['v1beta1', 'v1alpha1'] as const;

/** The capability table of CSI Proxy: what is missing where. */
const TABLE: { readonly [Group in ApiGroup]: readonly Entry<GroupPorts[Group]>[] } = {
  disk: [
    {
      methods: ['listDiskIds'],
      versions: ['v1alpha1'],
      cost: 'a disk is found only by its page 83 id: one that has none is refused, and serial numbers prove nothing',
    },
    {
      methods: ['getDiskNumberByPage83'],
      versions: ['v1', 'v1beta3', 'v1beta2', 'v1beta1'],
      cost: 'nothing is lost: the list of disk ids tells more',
      harmless: true,
    },
    {
      methods: ['getDiskStats'],
      versions: ['v1alpha1'],
      cost: 'nothing is lost: a volume is grown to all that its disk has, and measured afterwards',
      harmless: true,
    },
    {
      methods: ['setDiskState', 'getDiskState'],
      versions: BEFORE_V1BETA2,
      cost: 'disks are neither taken online when they arrive nor offline before they leave: the SAN policy of the machine has to be OnlineAll',
    },
  ],
  volume: [
    {
      methods: ['getVolumeStats'],
      versions: ['v1alpha1'],
      cost: 'the size and use of a volume come from the file system of its mount, or not at all',
    },
    {
      methods: ['getVolumeIdFromTargetPath', 'getDiskNumberFromVolumeId'],
      versions: ['v1alpha1'],
      cost: 'which volume is mounted at a path is known only from the journal of the node',
    },
    {
      methods: ['writeVolumeCache'],
      versions: BEFORE_V1BETA2,
      cost: 'nothing is lost: a volume is flushed when it is unmounted',
      harmless: true,
    },
    {
      methods: ['getClosestVolumeIdFromTargetPath'],
      versions: ['v1', 'v1beta3', 'v1beta2', 'v1beta1', 'v1alpha1'],
      cost: 'nothing is lost: only folders below a mount point need it, and releases from 1.1 on serve it as v2alpha1',
      harmless: true,
    },
  ],
  filesystem: [
    {
      methods: ['rmdirContents'],
      versions: ['v1', 'v1beta2', 'v1beta1', 'v1alpha1'],
      cost: 'nothing is lost: no folder is ever emptied, and releases from 1.1 on serve it as v2alpha1',
      harmless: true,
    },
  ],
  smb: [],
  iscsi: [
    {
      methods: ['setMutualChapSecret'],
      versions: ['v1alpha1'],
      cost: 'mutual CHAP needs the secret of the initiator to be set by an administrator',
    },
  ],
  system: [],
};

/** What a pipe cannot do and what that costs; empty when it can do all. */
export function shortcomingsOf({ group, version }: Pipe): readonly Shortcoming[] {
  const entries: readonly Entry<never>[] = TABLE[group];
  return entries
    .filter(({ versions }) => versions.includes(version))
    .map(({ methods, cost, harmless = false }) => ({ methods, cost, harmless }));
}
