// Original file: proto/csi.proto


export interface NodeGetVolumeStatsRequest {
  'volume_id'?: (string);
  'volume_path'?: (string);
  'staging_target_path'?: (string);
}

export interface NodeGetVolumeStatsRequest__Output {
  'volume_id': (string);
  'volume_path': (string);
  'staging_target_path': (string);
}
