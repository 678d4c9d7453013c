// Generated from proto/csi-proxy/disk/v1.proto by `npm run generate`. Do not edit.
import type { INamespace } from 'protobufjs';

/** The rpcs of the service. */
export interface Rpcs {
  readonly ListDiskLocations: { readonly request: ListDiskLocationsRequest; readonly response: ListDiskLocationsResponse };
  readonly PartitionDisk: { readonly request: PartitionDiskRequest; readonly response: PartitionDiskResponse };
  readonly Rescan: { readonly request: RescanRequest; readonly response: RescanResponse };
  readonly ListDiskIDs: { readonly request: ListDiskIDsRequest; readonly response: ListDiskIDsResponse };
  readonly GetDiskStats: { readonly request: GetDiskStatsRequest; readonly response: GetDiskStatsResponse };
  readonly SetDiskState: { readonly request: SetDiskStateRequest; readonly response: SetDiskStateResponse };
  readonly GetDiskState: { readonly request: GetDiskStateRequest; readonly response: GetDiskStateResponse };
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
  readonly disk_number: number;
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
  readonly page83: string;
  readonly serial_number: string;
}

export interface ListDiskIDsResponse {
  readonly diskIDs: Readonly<Record<string, DiskIDs>>;
}

export interface GetDiskStatsRequest {
  readonly disk_number: number;
}

export interface GetDiskStatsResponse {
  readonly total_bytes: string;
}

export interface SetDiskStateRequest {
  readonly disk_number: number;
  readonly is_online: boolean;
}

export interface SetDiskStateResponse {
}

export interface GetDiskStateRequest {
  readonly disk_number: number;
}

export interface GetDiskStateResponse {
  readonly is_online: boolean;
}

export const descriptor = {
  "nested": {
    "v1": {
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
            "GetDiskStats": {
              "requestType": "GetDiskStatsRequest",
              "responseType": "GetDiskStatsResponse"
            },
            "SetDiskState": {
              "requestType": "SetDiskStateRequest",
              "responseType": "SetDiskStateResponse"
            },
            "GetDiskState": {
              "requestType": "GetDiskStateRequest",
              "responseType": "GetDiskStateResponse"
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
              "keyType": "uint32",
              "type": "DiskLocation",
              "id": 1
            }
          }
        },
        "PartitionDiskRequest": {
          "fields": {
            "disk_number": {
              "type": "uint32",
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
            "page83": {
              "type": "string",
              "id": 1
            },
            "serial_number": {
              "type": "string",
              "id": 2
            }
          }
        },
        "ListDiskIDsResponse": {
          "fields": {
            "diskIDs": {
              "keyType": "uint32",
              "type": "DiskIDs",
              "id": 1
            }
          }
        },
        "GetDiskStatsRequest": {
          "fields": {
            "disk_number": {
              "type": "uint32",
              "id": 1
            }
          }
        },
        "GetDiskStatsResponse": {
          "fields": {
            "total_bytes": {
              "type": "int64",
              "id": 1
            }
          }
        },
        "SetDiskStateRequest": {
          "fields": {
            "disk_number": {
              "type": "uint32",
              "id": 1
            },
            "is_online": {
              "type": "bool",
              "id": 2
            }
          }
        },
        "SetDiskStateResponse": {
          "fields": {}
        },
        "GetDiskStateRequest": {
          "fields": {
            "disk_number": {
              "type": "uint32",
              "id": 1
            }
          }
        },
        "GetDiskStateResponse": {
          "fields": {
            "is_online": {
              "type": "bool",
              "id": 1
            }
          }
        }
      }
    }
  }
} as unknown as INamespace; // its type asks every method for a comment
