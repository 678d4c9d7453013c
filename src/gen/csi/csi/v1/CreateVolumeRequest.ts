// Original file: proto/csi.proto

import type { CapacityRange as _csi_v1_CapacityRange, CapacityRange__Output as _csi_v1_CapacityRange__Output } from '../../csi/v1/CapacityRange.ts';
import type { VolumeCapability as _csi_v1_VolumeCapability, VolumeCapability__Output as _csi_v1_VolumeCapability__Output } from '../../csi/v1/VolumeCapability.ts';
import type { VolumeContentSource as _csi_v1_VolumeContentSource, VolumeContentSource__Output as _csi_v1_VolumeContentSource__Output } from '../../csi/v1/VolumeContentSource.ts';
import type { TopologyRequirement as _csi_v1_TopologyRequirement, TopologyRequirement__Output as _csi_v1_TopologyRequirement__Output } from '../../csi/v1/TopologyRequirement.ts';

export interface CreateVolumeRequest {
  'name'?: (string);
  'capacity_range'?: (_csi_v1_CapacityRange | null);
  'volume_capabilities'?: (_csi_v1_VolumeCapability)[];
  'parameters'?: ({[key: string]: string});
  'secrets'?: ({[key: string]: string});
  'volume_content_source'?: (_csi_v1_VolumeContentSource | null);
  'accessibility_requirements'?: (_csi_v1_TopologyRequirement | null);
  'mutable_parameters'?: ({[key: string]: string});
}

export interface CreateVolumeRequest__Output {
  'name': (string);
  'capacity_range': (_csi_v1_CapacityRange__Output | null);
  'volume_capabilities': (_csi_v1_VolumeCapability__Output)[];
  'parameters': ({[key: string]: string});
  'secrets': ({[key: string]: string});
  'volume_content_source': (_csi_v1_VolumeContentSource__Output | null);
  'accessibility_requirements': (_csi_v1_TopologyRequirement__Output | null);
  'mutable_parameters': ({[key: string]: string});
}
