// Generated from proto/csi-proxy/iscsi/v1alpha1.proto by `npm run generate`. Do not edit.
import type { INamespace } from 'protobufjs';

/** The rpcs of the service. */
export interface Rpcs {
  readonly AddTargetPortal: { readonly request: AddTargetPortalRequest; readonly response: AddTargetPortalResponse };
  readonly DiscoverTargetPortal: { readonly request: DiscoverTargetPortalRequest; readonly response: DiscoverTargetPortalResponse };
  readonly RemoveTargetPortal: { readonly request: RemoveTargetPortalRequest; readonly response: RemoveTargetPortalResponse };
  readonly ListTargetPortals: { readonly request: ListTargetPortalsRequest; readonly response: ListTargetPortalsResponse };
  readonly ConnectTarget: { readonly request: ConnectTargetRequest; readonly response: ConnectTargetResponse };
  readonly DisconnectTarget: { readonly request: DisconnectTargetRequest; readonly response: DisconnectTargetResponse };
  readonly GetTargetDisks: { readonly request: GetTargetDisksRequest; readonly response: GetTargetDisksResponse };
}

export interface TargetPortal {
  readonly target_address: string;
  readonly target_port: number;
}

export interface AddTargetPortalRequest {
  readonly target_portal: TargetPortal | null;
}

export interface AddTargetPortalResponse {
}

export interface DiscoverTargetPortalRequest {
  readonly target_portal: TargetPortal | null;
}

export interface DiscoverTargetPortalResponse {
  readonly iqns: readonly string[];
}

export interface RemoveTargetPortalRequest {
  readonly target_portal: TargetPortal | null;
}

export interface RemoveTargetPortalResponse {
}

export interface ListTargetPortalsRequest {
}

export interface ListTargetPortalsResponse {
  readonly target_portals: readonly TargetPortal[];
}

export type AuthenticationType = 'NONE' | 'ONE_WAY_CHAP' | 'MUTUAL_CHAP';

export interface ConnectTargetRequest {
  readonly target_portal: TargetPortal | null;
  readonly iqn: string;
  readonly auth_type: AuthenticationType;
  readonly chap_username: string;
  readonly chap_secret: string;
}

export interface ConnectTargetResponse {
}

export interface DisconnectTargetRequest {
  readonly target_portal: TargetPortal | null;
  readonly iqn: string;
}

export interface DisconnectTargetResponse {
}

export interface GetTargetDisksRequest {
  readonly target_portal: TargetPortal | null;
  readonly iqn: string;
}

export interface GetTargetDisksResponse {
  readonly diskIDs: readonly string[];
}

export const descriptor = {
  "nested": {
    "v1alpha1": {
      "nested": {
        "Iscsi": {
          "methods": {
            "AddTargetPortal": {
              "requestType": "AddTargetPortalRequest",
              "responseType": "AddTargetPortalResponse"
            },
            "DiscoverTargetPortal": {
              "requestType": "DiscoverTargetPortalRequest",
              "responseType": "DiscoverTargetPortalResponse"
            },
            "RemoveTargetPortal": {
              "requestType": "RemoveTargetPortalRequest",
              "responseType": "RemoveTargetPortalResponse"
            },
            "ListTargetPortals": {
              "requestType": "ListTargetPortalsRequest",
              "responseType": "ListTargetPortalsResponse"
            },
            "ConnectTarget": {
              "requestType": "ConnectTargetRequest",
              "responseType": "ConnectTargetResponse"
            },
            "DisconnectTarget": {
              "requestType": "DisconnectTargetRequest",
              "responseType": "DisconnectTargetResponse"
            },
            "GetTargetDisks": {
              "requestType": "GetTargetDisksRequest",
              "responseType": "GetTargetDisksResponse"
            }
          }
        },
        "TargetPortal": {
          "fields": {
            "target_address": {
              "type": "string",
              "id": 1
            },
            "target_port": {
              "type": "uint32",
              "id": 2
            }
          }
        },
        "AddTargetPortalRequest": {
          "fields": {
            "target_portal": {
              "type": "TargetPortal",
              "id": 1
            }
          }
        },
        "AddTargetPortalResponse": {
          "fields": {}
        },
        "DiscoverTargetPortalRequest": {
          "fields": {
            "target_portal": {
              "type": "TargetPortal",
              "id": 1
            }
          }
        },
        "DiscoverTargetPortalResponse": {
          "fields": {
            "iqns": {
              "rule": "repeated",
              "type": "string",
              "id": 1
            }
          }
        },
        "RemoveTargetPortalRequest": {
          "fields": {
            "target_portal": {
              "type": "TargetPortal",
              "id": 1
            }
          }
        },
        "RemoveTargetPortalResponse": {
          "fields": {}
        },
        "ListTargetPortalsRequest": {
          "fields": {}
        },
        "ListTargetPortalsResponse": {
          "fields": {
            "target_portals": {
              "rule": "repeated",
              "type": "TargetPortal",
              "id": 1
            }
          }
        },
        "AuthenticationType": {
          "values": {
            "NONE": 0,
            "ONE_WAY_CHAP": 1,
            "MUTUAL_CHAP": 2
          }
        },
        "ConnectTargetRequest": {
          "fields": {
            "target_portal": {
              "type": "TargetPortal",
              "id": 1
            },
            "iqn": {
              "type": "string",
              "id": 2
            },
            "auth_type": {
              "type": "AuthenticationType",
              "id": 3
            },
            "chap_username": {
              "type": "string",
              "id": 4
            },
            "chap_secret": {
              "type": "string",
              "id": 5
            }
          }
        },
        "ConnectTargetResponse": {
          "fields": {}
        },
        "DisconnectTargetRequest": {
          "fields": {
            "target_portal": {
              "type": "TargetPortal",
              "id": 1
            },
            "iqn": {
              "type": "string",
              "id": 2
            }
          }
        },
        "DisconnectTargetResponse": {
          "fields": {}
        },
        "GetTargetDisksRequest": {
          "fields": {
            "target_portal": {
              "type": "TargetPortal",
              "id": 1
            },
            "iqn": {
              "type": "string",
              "id": 2
            }
          }
        },
        "GetTargetDisksResponse": {
          "fields": {
            "diskIDs": {
              "rule": "repeated",
              "type": "string",
              "id": 1
            }
          }
        }
      }
    }
  }
} as unknown as INamespace; // its type asks every method for a comment
