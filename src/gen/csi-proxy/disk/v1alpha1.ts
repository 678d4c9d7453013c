// Generated from proto/csi-proxy/disk/v1alpha1.proto by `npm run generate`. Do not edit.
import type { INamespace } from 'protobufjs';

/** The rpcs of the service. */
export interface Rpcs {
  readonly ListDiskLocations: { readonly request: ListDiskLocationsRequest; readonly response: ListDiskLocationsResponse };
  readonly PartitionDisk: { readonly request: PartitionDiskRequest; readonly response: PartitionDiskResponse };
  readonly Rescan: { readonly request: RescanRequest; readonly response: RescanResponse };
  readonly GetDiskNumberByName: { readonly request: GetDiskNumberByNameRequest; readonly response: GetDiskNumberByNameResponse };
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

export interface GetDiskNumberByNameRequest {
  readonly disk_name: string;
}

export interface GetDiskNumberByNameResponse {
  readonly disk_number: string;
}

export const descriptor = {
  "nested": {
    "v1alpha1": {
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
            "GetDiskNumberByName": {
              "requestType": "GetDiskNumberByNameRequest",
              "responseType": "GetDiskNumberByNameResponse"
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
        "GetDiskNumberByNameRequest": {
          "fields": {
            "disk_name": {
              "type": "string",
              "id": 1
            }
          }
        },
        "GetDiskNumberByNameResponse": {
          "fields": {
            "disk_number": {
              "type": "string",
              "id": 1
            }
          }
        }
      }
    }
  }
} as unknown as INamespace; // its type asks every method for a comment
