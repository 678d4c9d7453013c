/** The access modes of CSI that one NTFS volume can honour: one node, reading and writing. */
export type AccessMode = 'SINGLE_NODE_WRITER' | 'SINGLE_NODE_SINGLE_WRITER' | 'SINGLE_NODE_MULTI_WRITER';

const SUPPORTED_MODES: ReadonlySet<string> = new Set<AccessMode>([
  'SINGLE_NODE_WRITER',
  'SINGLE_NODE_SINGLE_WRITER',
  'SINGLE_NODE_MULTI_WRITER',
]);

/** A capability as a CO asks for it, before anyone has said that it can be had. */
export interface AskedCapability {
  readonly access: 'mount' | 'block' | 'missing';
  readonly fsType: string;
  readonly mountFlags: readonly string[];
  readonly volumeMountGroup: string;
  /** CSI's enum name. */
  readonly accessMode: string;
}

/**
 * Why this driver cannot honour a capability, and what to ask for instead; `undefined` when it can.
 * What cannot be honoured is refused, never ignored (law 11).
 */
export function unsupportedReason(asked: AskedCapability): string | undefined {
  if (asked.access === 'missing') return 'volume_capability has no access type: set mount with fs_type ntfs';
  if (asked.access === 'block') {
    return 'block access is not possible on a Windows node: set volumeMode: Filesystem on the claim';
  }
  if (asked.fsType !== '' && asked.fsType.toLowerCase() !== 'ntfs') {
    return `fs_type "${asked.fsType}" is not supported, only ntfs: set csi.storage.k8s.io/fstype: ntfs in the StorageClass`;
  }
  if (asked.mountFlags.length > 0) {
    return `mount flags (${asked.mountFlags.join(' ')}) cannot be honoured on NTFS: remove mountOptions from the StorageClass`;
  }
  if (asked.volumeMountGroup !== '') {
    return 'volume_mount_group cannot be honoured on NTFS: use Windows permissions inside the pod';
  }
  if (!SUPPORTED_MODES.has(asked.accessMode)) {
    return `access mode ${asked.accessMode} is not supported: an NTFS volume is written by one node; use ReadWriteOnce or ReadWriteOncePod`;
  }
  return undefined;
}
