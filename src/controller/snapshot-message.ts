import type { DiskSnapshot } from '../core/ports/disk-backend.ts';
import type { Snapshot } from '../gen/csi/csi/v1/Snapshot.ts';
import type { Timestamp } from '../gen/csi/google/protobuf/Timestamp.ts';

/** CSI's Snapshot. */
export function snapshotMessage(snapshot: DiskSnapshot): Snapshot {
  return {
    snapshot_id: snapshot.id,
    source_volume_id: snapshot.sourceVolumeId,
    size_bytes: snapshot.sizeBytes.toString(),
    creation_time: timestamp(snapshot.createdAt),
    ready_to_use: snapshot.readyToUse,
  };
}

function timestamp(time: Date): Timestamp {
  const milliseconds = time.getTime();
  const seconds = Math.floor(milliseconds / 1000);
  return { seconds: seconds.toString(), nanos: (milliseconds - seconds * 1000) * 1_000_000 };
}
