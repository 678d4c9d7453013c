import type { StorageErrorCode } from '../core/errors.ts';

/** What the CSI spec demands of the fields of one message, beyond its general size limits. */
export interface MessageRules {
  /** Fields and oneofs the caller must set. */
  readonly required?: readonly string[];
  /** At least one of these must be set. */
  readonly oneOrMore?: readonly string[];
  /** Numbers that must not be negative. */
  readonly notNegative?: readonly string[];
  /** Texts without the control characters that CSI bans from names. */
  readonly noControlCharacters?: readonly string[];
}

/** The one table of CSI 1.13's field requirements for requests, by message. What is not here has none. */
export const RULES: Readonly<Record<string, MessageRules>> = {
  CreateVolumeRequest: { required: ['name', 'volume_capabilities'], noControlCharacters: ['name'] },
  DeleteVolumeRequest: { required: ['volume_id'] },
  ControllerPublishVolumeRequest: { required: ['volume_id', 'node_id', 'volume_capability'] },
  ControllerUnpublishVolumeRequest: { required: ['volume_id'] },
  ValidateVolumeCapabilitiesRequest: { required: ['volume_id', 'volume_capabilities'] },
  ListVolumesRequest: { notNegative: ['max_entries'] },
  ControllerGetVolumeRequest: { required: ['volume_id'] },
  ControllerModifyVolumeRequest: { required: ['volume_id', 'mutable_parameters'] },
  CreateSnapshotRequest: { required: ['source_volume_id', 'name'], noControlCharacters: ['name'] },
  DeleteSnapshotRequest: { required: ['snapshot_id'] },
  ListSnapshotsRequest: { notNegative: ['max_entries'] },
  GetSnapshotRequest: { required: ['snapshot_id'] },
  ControllerExpandVolumeRequest: { required: ['volume_id', 'capacity_range'] },
  NodeStageVolumeRequest: {
    required: ['volume_id', 'staging_target_path', 'volume_capability'],
    noControlCharacters: ['staging_target_path'],
  },
  NodeUnstageVolumeRequest: {
    required: ['volume_id', 'staging_target_path'],
    noControlCharacters: ['staging_target_path'],
  },
  NodePublishVolumeRequest: {
    required: ['volume_id', 'target_path', 'volume_capability', 'staging_target_path'],
    noControlCharacters: ['staging_target_path', 'target_path'],
  },
  NodeUnpublishVolumeRequest: {
    required: ['volume_id', 'target_path'],
    noControlCharacters: ['target_path'],
  },
  NodeGetVolumeStatsRequest: {
    required: ['volume_id', 'volume_path'],
    noControlCharacters: ['volume_path', 'staging_target_path'],
  },
  NodeExpandVolumeRequest: {
    required: ['volume_id', 'volume_path'],
    noControlCharacters: ['volume_path', 'staging_target_path'],
  },
  CapacityRange: {
    oneOrMore: ['required_bytes', 'limit_bytes'],
    notNegative: ['required_bytes', 'limit_bytes'],
  },
  VolumeCapability: { required: ['access_type', 'access_mode'] },
  'VolumeCapability.AccessMode': { required: ['mode'] },
  VolumeContentSource: { required: ['type'] },
  'VolumeContentSource.SnapshotSource': { required: ['snapshot_id'] },
  'VolumeContentSource.VolumeSource': { required: ['volume_id'] },
  TopologyRequirement: { oneOrMore: ['requisite', 'preferred'] },
};

/**
 * The status for a missing field. CSI, NodePublishVolume: a plugin that stages answers a missing
 * staging_target_path with FAILED_PRECONDITION.
 */
export const missingCode = (message: string, field: string): StorageErrorCode =>
  message === 'NodePublishVolumeRequest' && field === 'staging_target_path'
    ? 'failed-precondition'
    : 'invalid-argument';

/** CSI spec, "Size Limits". */
export const MAX_STRING_BYTES = 128;
/** Of all keys and values of a map together. */
export const MAX_MAP_BYTES = 4096;
/** Of the flags of a VolumeCapability.MountVolume together. */
export const MAX_MOUNT_FLAGS_BYTES = 4096;

/** Fields whose description overrides the general limit: paths as long as the longest of Linux, and node ids. */
const MAX_PATH_BYTES = 4096;
export const STRING_LIMITS: Readonly<Record<string, number>> = {
  staging_target_path: MAX_PATH_BYTES,
  target_path: MAX_PATH_BYTES,
  volume_path: MAX_PATH_BYTES,
  node_id: 256,
};
