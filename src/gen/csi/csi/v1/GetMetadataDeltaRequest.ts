// Original file: proto/csi.proto

import type { Long } from '@grpc/proto-loader';

export interface GetMetadataDeltaRequest {
  'base_snapshot_id'?: (string);
  'target_snapshot_id'?: (string);
  'starting_offset'?: (number | string | Long);
  'max_results'?: (number);
  'secrets'?: ({[key: string]: string});
}

export interface GetMetadataDeltaRequest__Output {
  'base_snapshot_id': (string);
  'target_snapshot_id': (string);
  'starting_offset': (string);
  'max_results': (number);
  'secrets': ({[key: string]: string});
}
