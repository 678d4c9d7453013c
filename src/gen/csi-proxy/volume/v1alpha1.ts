// Generated from proto/csi-proxy/volume/v1alpha1.proto by `npm run generate`. Do not edit.
import type { INamespace } from 'protobufjs';

/** The rpcs of the service. */
export interface Rpcs {
  readonly ListVolumesOnDisk: { readonly request: ListVolumesOnDiskRequest; readonly response: ListVolumesOnDiskResponse };
  readonly MountVolume: { readonly request: MountVolumeRequest; readonly response: MountVolumeResponse };
  readonly DismountVolume: { readonly request: DismountVolumeRequest; readonly response: DismountVolumeResponse };
  readonly IsVolumeFormatted: { readonly request: IsVolumeFormattedRequest; readonly response: IsVolumeFormattedResponse };
  readonly FormatVolume: { readonly request: FormatVolumeRequest; readonly response: FormatVolumeResponse };
  readonly ResizeVolume: { readonly request: ResizeVolumeRequest; readonly response: ResizeVolumeResponse };
}

export interface ListVolumesOnDiskRequest {
  readonly disk_id: string;
}

export interface ListVolumesOnDiskResponse {
  readonly volume_ids: readonly string[];
}

export interface MountVolumeRequest {
  readonly volume_id: string;
  readonly path: string;
}

export interface MountVolumeResponse {
}

export interface DismountVolumeRequest {
  readonly volume_id: string;
  readonly path: string;
}

export interface DismountVolumeResponse {
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
  readonly size: string;
}

export interface ResizeVolumeResponse {
}

export const descriptor = {
  "nested": {
    "v1alpha1": {
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
            "DismountVolume": {
              "requestType": "DismountVolumeRequest",
              "responseType": "DismountVolumeResponse"
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
            }
          }
        },
        "ListVolumesOnDiskRequest": {
          "fields": {
            "disk_id": {
              "type": "string",
              "id": 1
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
            "path": {
              "type": "string",
              "id": 2
            }
          }
        },
        "MountVolumeResponse": {
          "fields": {}
        },
        "DismountVolumeRequest": {
          "fields": {
            "volume_id": {
              "type": "string",
              "id": 1
            },
            "path": {
              "type": "string",
              "id": 2
            }
          }
        },
        "DismountVolumeResponse": {
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
            "size": {
              "type": "int64",
              "id": 2
            }
          }
        },
        "ResizeVolumeResponse": {
          "fields": {}
        }
      }
    }
  }
} as unknown as INamespace; // its type asks every method for a comment
