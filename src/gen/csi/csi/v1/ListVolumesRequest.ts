// Original file: proto/csi.proto


export interface ListVolumesRequest {
  'max_entries'?: (number);
  'starting_token'?: (string);
}

export interface ListVolumesRequest__Output {
  'max_entries': (number);
  'starting_token': (string);
}
