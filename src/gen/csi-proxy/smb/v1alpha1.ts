// Generated from proto/csi-proxy/smb/v1alpha1.proto by `npm run generate`. Do not edit.
import type { INamespace } from 'protobufjs';

/** The rpcs of the service. */
export interface Rpcs {
  readonly NewSmbGlobalMapping: { readonly request: NewSmbGlobalMappingRequest; readonly response: NewSmbGlobalMappingResponse };
  readonly RemoveSmbGlobalMapping: { readonly request: RemoveSmbGlobalMappingRequest; readonly response: RemoveSmbGlobalMappingResponse };
}

export interface NewSmbGlobalMappingRequest {
  readonly remote_path: string;
  readonly local_path: string;
  readonly username: string;
  readonly password: string;
}

export interface NewSmbGlobalMappingResponse {
  readonly error: string;
}

export interface RemoveSmbGlobalMappingRequest {
  readonly remote_path: string;
}

export interface RemoveSmbGlobalMappingResponse {
  readonly error: string;
}

export const descriptor = {
  "nested": {
    "v1alpha1": {
      "nested": {
        "Smb": {
          "methods": {
            "NewSmbGlobalMapping": {
              "requestType": "NewSmbGlobalMappingRequest",
              "responseType": "NewSmbGlobalMappingResponse"
            },
            "RemoveSmbGlobalMapping": {
              "requestType": "RemoveSmbGlobalMappingRequest",
              "responseType": "RemoveSmbGlobalMappingResponse"
            }
          }
        },
        "NewSmbGlobalMappingRequest": {
          "fields": {
            "remote_path": {
              "type": "string",
              "id": 1
            },
            "local_path": {
              "type": "string",
              "id": 2
            },
            "username": {
              "type": "string",
              "id": 3
            },
            "password": {
              "type": "string",
              "id": 4
            }
          }
        },
        "NewSmbGlobalMappingResponse": {
          "fields": {
            "error": {
              "type": "string",
              "id": 1
            }
          }
        },
        "RemoveSmbGlobalMappingRequest": {
          "fields": {
            "remote_path": {
              "type": "string",
              "id": 1
            }
          }
        },
        "RemoveSmbGlobalMappingResponse": {
          "fields": {
            "error": {
              "type": "string",
              "id": 1
            }
          }
        }
      }
    }
  }
} as unknown as INamespace; // its type asks every method for a comment
