// Generated from proto/csi-proxy/disk/v1beta2.proto by `npm run generate`. Do not edit.
import type { INamespace } from 'protobufjs';

/** The rpcs of the service. */
export interface Rpcs {
  readonly ListDiskLocations: { readonly request: ListDiskLocationsRequest; readonly response: ListDiskLocationsResponse };
  readonly PartitionDisk: { readonly request: PartitionDiskRequest; readonly response: PartitionDiskResponse };
  readonly Rescan: { readonly request: RescanRequest; readonly response: RescanResponse };
  readonly ListDiskIDs: { readonly request: ListDiskIDsRequest; readonly response: ListDiskIDsResponse };
  readonly DiskStats: { readonly request: DiskStatsRequest; readonly response: DiskStatsResponse };
  readonly SetAttachState: { readonly request: SetAttachStateRequest; readonly response: SetAttachStateResponse };
  readonly GetAttachState: { readonly request: GetAttachStateRequest; readonly response: GetAttachStateResponse };
}

export interface ListDiskLocationsRequest {
}

export interface DiskLocation {
  readonly Adapter: string;
  readonly Bus: string;
  readonly Target: string;
  readonly LUNID: string;
}

export interface ListDiskLocationsResponse {
  readonly disk_locations: Readonly<Record<string, DiskLocation>>;
}

export interface PartitionDiskRequest {
  readonly diskID: string;
}

export interface PartitionDiskResponse {
}

export interface RescanRequest {
}

export interface RescanResponse {
}

export interface ListDiskIDsRequest {
}

export interface DiskIDs {
  readonly identifiers: Readonly<Record<string, string>>;
}

export interface ListDiskIDsResponse {
  readonly diskIDs: Readonly<Record<string, DiskIDs>>;
}

export interface DiskStatsRequest {
  readonly diskID: string;
}

export interface DiskStatsResponse {
  readonly diskSize: string;
}

export interface SetAttachStateRequest {
  readonly diskID: string;
  readonly isOnline: boolean;
}

export interface SetAttachStateResponse {
}

export interface GetAttachStateRequest {
  readonly diskID: string;
}

export interface GetAttachStateResponse {
  readonly isOnline: boolean;
}

export const descriptor = {
  "nested": {
    "v1beta2": {
      "nested": {
        "Disk": {
          "methods": {
            "ListDiskLocations": {
              "requestType": "ListDiskLocationsRequest",
              "responseType": "ListDiskLocationsResponse"
            },
            "PartitionDisk": {
              "requestType": "PartitionDiskRequest",
              "responseType": "PartitionDiskResponse"
            },
            "Rescan": {
              "requestType": "RescanRequest",
              "responseType": "RescanResponse"
            },
            "ListDiskIDs": {
              "requestType": "ListDiskIDsRequest",
              "responseType": "ListDiskIDsResponse"
            },
            "DiskStats": {
              "requestType": "DiskStatsRequest",
              "responseType": "DiskStatsResponse"
            },
            "SetAttachState": {
              "requestType": "SetAttachStateRequest",
              "responseType": "SetAttachStateResponse"
            },
            "GetAttachState": {
              "requestType": "GetAttachStateRequest",
              "responseType": "GetAttachStateResponse"
            }
          }
        },
        "ListDiskLocationsRequest": {
          "fields": {}
        },
        "DiskLocation": {
          "fields": {
            "Adapter": {
              "type": "string",
              "id": 1
            },
            "Bus": {
              "type": "string",
              "id": 2
            },
            "Target": {
              "type": "string",
              "id": 3
            },
            "LUNID": {
              "type": "string",
              "id": 4
            }
          }
        },
        "ListDiskLocationsResponse": {
          "fields": {
            "disk_locations": {
              "keyType": "string",
              "type": "DiskLocation",
              "id": 1
            }
          }
        },
        "PartitionDiskRequest": {
          "fields": {
            "diskID": {
              "type": "string",
              "id": 1
            }
          }
        },
        "PartitionDiskResponse": {
          "fields": {}
        },
        "RescanRequest": {
          "fields": {}
        },
        "RescanResponse": {
          "fields": {}
        },
        "ListDiskIDsRequest": {
          "fields": {}
        },
        "DiskIDs": {
          "fields": {
            "identifiers": {
              "keyType": "string",
              "type": "string",
              "id": 1
            }
          }
        },
        "ListDiskIDsResponse": {
          "fields": {
            "diskIDs": {
              "keyType": "string",
              "type": "DiskIDs",
              "id": 1
            }
          }
        },
        "DiskStatsRequest": {
          "fields": {
            "diskID": {
              "type": "string",
              "id": 1
            }
          }
        },
        "DiskStatsResponse": {
          "fields": {
            "diskSize": {
              "type": "int64",
              "id": 1
            }
          }
        },
        "SetAttachStateRequest": {
          "fields": {
            "diskID": {
              "type": "string",
              "id": 1
            },
            "isOnline": {
              "type": "bool",
              "id": 2
            }
          }
        },
        "SetAttachStateResponse": {
          "fields": {}
        },
        "GetAttachStateRequest": {
          "fields": {
            "diskID": {
              "type": "string",
              "id": 1
            }
          }
        },
        "GetAttachStateResponse": {
          "fields": {
            "isOnline": {
              "type": "bool",
              "id": 1
            }
          }
        }
      }
    }
  }
} as unknown as INamespace; // its type asks every method for a comment
