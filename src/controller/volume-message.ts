import type { ContentSource, DiskVolume } from '../core/ports/disk-backend.ts';
import type { Topology } from '../core/topology.ts';
import type { Volume } from '../gen/csi/csi/v1/Volume.ts';
import type { VolumeCondition } from '../gen/csi/csi/v1/VolumeCondition.ts';
import type { VolumeContentSource } from '../gen/csi/csi/v1/VolumeContentSource.ts';

/** CSI's Volume. Its volume_context is empty: all a node needs comes with publish_context. */
export function volumeMessage(volume: DiskVolume, topology: Topology): Volume {
  return {
    volume_id: volume.id,
    capacity_bytes: volume.capacityBytes.toString(),
    volume_context: {},
    content_source: volume.source === undefined ? null : sourceMessage(volume.source),
    accessible_topology: Object.keys(topology).length === 0 ? [] : [{ segments: { ...topology } }],
  };
}

/** The VolumeStatus that ListVolumes and ControllerGetVolume share. */
export function volumeStatusMessage(volume: DiskVolume): {
  published_node_ids: string[];
  volume_condition: VolumeCondition;
} {
  return {
    published_node_ids: [...volume.attachedTo],
    volume_condition: { abnormal: volume.condition.abnormal, message: volume.condition.message },
  };
}

function sourceMessage(source: ContentSource): VolumeContentSource {
  return source.kind === 'snapshot'
    ? { snapshot: { snapshot_id: source.snapshotId } }
    : { volume: { volume_id: source.volumeId } };
}
