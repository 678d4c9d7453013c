// Generated from proto/csi-proxy/volume/v1.proto by `npm run generate`. Do not edit.
import type { INamespace } from 'protobufjs';

/** The rpcs of the service. */
export interface Rpcs {
  readonly ListVolumesOnDisk: { readonly request: ListVolumesOnDiskRequest; readonly response: ListVolumesOnDiskResponse };
  readonly MountVolume: { readonly request: MountVolumeRequest; readonly response: MountVolumeResponse };
  readonly UnmountVolume: { readonly request: UnmountVolumeRequest; readonly response: UnmountVolumeResponse };
  readonly IsVolumeFormatted: { readonly request: IsVolumeFormattedRequest; readonly response: IsVolumeFormattedResponse };
  readonly FormatVolume: { readonly request: FormatVolumeRequest; readonly response: FormatVolumeResponse };
  readonly ResizeVolume: { readonly request: ResizeVolumeRequest; readonly response: ResizeVolumeResponse };
  readonly GetVolumeStats: { readonly request: GetVolumeStatsRequest; readonly response: GetVolumeStatsResponse };
  readonly GetDiskNumberFromVolumeID: { readonly request: GetDiskNumberFromVolumeIDRequest; readonly response: GetDiskNumberFromVolumeIDResponse };
  readonly GetVolumeIDFromTargetPath: { readonly request: GetVolumeIDFromTargetPathRequest; readonly response: GetVolumeIDFromTargetPathResponse };
  readonly WriteVolumeCache: { readonly request: WriteVolumeCacheRequest; readonly response: WriteVolumeCacheResponse };
}

export interface ListVolumesOnDiskRequest {
  readonly disk_number: number;
  readonly partition_number: number;
}

export interface ListVolumesOnDiskResponse {
  readonly volume_ids: readonly string[];
}

export interface MountVolumeRequest {
  readonly volume_id: string;
  readonly target_path: string;
}

export interface MountVolumeResponse {
}

export interface UnmountVolumeRequest {
  readonly volume_id: string;
  readonly target_path: string;
}

export interface UnmountVolumeResponse {
}

export interface IsVolumeFormattedRequest {
  readonly volume_id: string;
}

export interface IsVolumeFormattedResponse {
  readonly formatted: boolean;
}

export interface FormatVolumeRequest {
  readonly volume_id: string;
}

export interface FormatVolumeResponse {
}

export interface ResizeVolumeRequest {
  readonly volume_id: string;
  readonly size_bytes: string;
}

export interface ResizeVolumeResponse {
}

export interface GetVolumeStatsRequest {
  readonly volume_id: string;
}

export interface GetVolumeStatsResponse {
  readonly total_bytes: string;
  readonly used_bytes: string;
}

export interface GetDiskNumberFromVolumeIDRequest {
  readonly volume_id: string;
}

export interface GetDiskNumberFromVolumeIDResponse {
  readonly disk_number: number;
}

export interface GetVolumeIDFromTargetPathRequest {
  readonly target_path: string;
}

export interface GetVolumeIDFromTargetPathResponse {
  readonly volume_id: string;
}

export interface WriteVolumeCacheRequest {
  readonly volume_id: string;
}

export interface WriteVolumeCacheResponse {
}

export const descriptor = {
  "nested": {
    "v1": {
      "nested": {
        "Volume": {
          "methods": {
            "ListVolumesOnDisk": {
              "requestType": "ListVolumesOnDiskRequest",
              "responseType": "ListVolumesOnDiskResponse"
            },
            "MountVolume": {
              "requestType": "MountVolumeRequest",
              "responseType": "MountVolumeResponse"
            },
            "UnmountVolume": {
              "requestType": "UnmountVolumeRequest",
              "responseType": "UnmountVolumeResponse"
            },
            "IsVolumeFormatted": {
              "requestType": "IsVolumeFormattedRequest",
              "responseType": "IsVolumeFormattedResponse"
            },
            "FormatVolume": {
              "requestType": "FormatVolumeRequest",
              "responseType": "FormatVolumeResponse"
            },
            "ResizeVolume": {
              "requestType": "ResizeVolumeRequest",
              "responseType": "ResizeVolumeResponse"
            },
            "GetVolumeStats": {
              "requestType": "GetVolumeStatsRequest",
              "responseType": "GetVolumeStatsResponse"
            },
            "GetDiskNumberFromVolumeID": {
              "requestType": "GetDiskNumberFromVolumeIDRequest",
              "responseType": "GetDiskNumberFromVolumeIDResponse"
            },
            "GetVolumeIDFromTargetPath": {
              "requestType": "GetVolumeIDFromTargetPathRequest",
              "responseType": "GetVolumeIDFromTargetPathResponse"
            },
            "WriteVolumeCache": {
              "requestType": "WriteVolumeCacheRequest",
              "responseType": "WriteVolumeCacheResponse"
            }
          }
        },
        "ListVolumesOnDiskRequest": {
          "fields": {
            "disk_number": {
              "type": "uint32",
              "id": 1
            },
            "partition_number": {
              "type": "uint32",
              "id": 2
            }
          }
        },
        "ListVolumesOnDiskResponse": {
          "fields": {
            "volume_ids": {
              "rule": "repeated",
              "type": "string",
              "id": 1
            }
          }
        },
        "MountVolumeRequest": {
          "fields": {
            "volume_id": {
              "type": "string",
              "id": 1
            },
            "target_path": {
              "type": "string",
              "id": 2
            }
          }
        },
        "MountVolumeResponse": {
          "fields": {}
        },
        "UnmountVolumeRequest": {
          "fields": {
            "volume_id": {
              "type": "string",
              "id": 1
            },
            "target_path": {
              "type": "string",
              "id": 2
            }
          }
        },
        "UnmountVolumeResponse": {
          "fields": {}
        },
        "IsVolumeFormattedRequest": {
          "fields": {
            "volume_id": {
              "type": "string",
              "id": 1
            }
          }
        },
        "IsVolumeFormattedResponse": {
          "fields": {
            "formatted": {
              "type": "bool",
              "id": 1
            }
          }
        },
        "FormatVolumeRequest": {
          "fields": {
            "volume_id": {
              "type": "string",
              "id": 1
            }
          }
        },
        "FormatVolumeResponse": {
          "fields": {}
        },
        "ResizeVolumeRequest": {
          "fields": {
            "volume_id": {
              "type": "string",
              "id": 1
            },
            "size_bytes": {
              "type": "int64",
              "id": 2
            }
          }
        },
        "ResizeVolumeResponse": {
          "fields": {}
        },
        "GetVolumeStatsRequest": {
          "fields": {
            "volume_id": {
              "type": "string",
              "id": 1
            }
          }
        },
        "GetVolumeStatsResponse": {
          "fields": {
            "total_bytes": {
              "type": "int64",
              "id": 1
            },
            "used_bytes": {
              "type": "int64",
              "id": 2
            }
          }
        },
        "GetDiskNumberFromVolumeIDRequest": {
          "fields": {
            "volume_id": {
              "type": "string",
              "id": 1
            }
          }
        },
        "GetDiskNumberFromVolumeIDResponse": {
          "fields": {
            "disk_number": {
              "type": "uint32",
              "id": 1
            }
          }
        },
        "GetVolumeIDFromTargetPathRequest": {
          "fields": {
            "target_path": {
              "type": "string",
              "id": 1
            }
          }
        },
        "GetVolumeIDFromTargetPathResponse": {
          "fields": {
            "volume_id": {
              "type": "string",
              "id": 1
            }
          }
        },
        "WriteVolumeCacheRequest": {
          "fields": {
            "volume_id": {
              "type": "string",
              "id": 1
            }
          }
        },
        "WriteVolumeCacheResponse": {
          "fields": {}
        }
      }
    }
  }
} as unknown as INamespace; // its type asks every method for a comment
