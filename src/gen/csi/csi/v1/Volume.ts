// Original file: proto/csi.proto

import type { VolumeContentSource as _csi_v1_VolumeContentSource, VolumeContentSource__Output as _csi_v1_VolumeContentSource__Output } from '../../csi/v1/VolumeContentSource.ts';
import type { Topology as _csi_v1_Topology, Topology__Output as _csi_v1_Topology__Output } from '../../csi/v1/Topology.ts';
import type { Long } from '@grpc/proto-loader';

export interface Volume {
  'capacity_bytes'?: (number | string | Long);
  'volume_id'?: (string);
  'volume_context'?: ({[key: string]: string});
  'content_source'?: (_csi_v1_VolumeContentSource | null);
  'accessible_topology'?: (_csi_v1_Topology)[];
}

export interface Volume__Output {
  'capacity_bytes': (string);
  'volume_id': (string);
  'volume_context': ({[key: string]: string});
  'content_source': (_csi_v1_VolumeContentSource__Output | null);
  'accessible_topology': (_csi_v1_Topology__Output)[];
}
