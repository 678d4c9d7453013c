// Generated from proto/csi-proxy/system/v1alpha1.proto by `npm run generate`. Do not edit.
import type { INamespace } from 'protobufjs';

/** The rpcs of the service. */
export interface Rpcs {
  readonly GetBIOSSerialNumber: { readonly request: GetBIOSSerialNumberRequest; readonly response: GetBIOSSerialNumberResponse };
  readonly StartService: { readonly request: StartServiceRequest; readonly response: StartServiceResponse };
  readonly StopService: { readonly request: StopServiceRequest; readonly response: StopServiceResponse };
  readonly GetService: { readonly request: GetServiceRequest; readonly response: GetServiceResponse };
}

export interface GetBIOSSerialNumberRequest {
}

export interface GetBIOSSerialNumberResponse {
  readonly serial_number: string;
}

export interface StartServiceRequest {
  readonly name: string;
}

export interface StartServiceResponse {
}

export interface StopServiceRequest {
  readonly name: string;
  readonly force: boolean;
}

export interface StopServiceResponse {
}

export interface GetServiceRequest {
  readonly name: string;
}

export type StartType = 'BOOT' | 'SYSTEM' | 'AUTOMATIC' | 'MANUAL' | 'DISABLED';

export type ServiceStatus = 'UNKNOWN' | 'STOPPED' | 'START_PENDING' | 'STOP_PENDING' | 'RUNNING' | 'CONTINUE_PENDING' | 'PAUSE_PENDING' | 'PAUSED';

export interface GetServiceResponse {
  readonly display_name: string;
  readonly start_type: StartType;
  readonly status: ServiceStatus;
}

export const descriptor = {
  "nested": {
    "v1alpha1": {
      "nested": {
        "System": {
          "methods": {
            "GetBIOSSerialNumber": {
              "requestType": "GetBIOSSerialNumberRequest",
              "responseType": "GetBIOSSerialNumberResponse"
            },
            "StartService": {
              "requestType": "StartServiceRequest",
              "responseType": "StartServiceResponse"
            },
            "StopService": {
              "requestType": "StopServiceRequest",
              "responseType": "StopServiceResponse"
            },
            "GetService": {
              "requestType": "GetServiceRequest",
              "responseType": "GetServiceResponse"
            }
          }
        },
        "GetBIOSSerialNumberRequest": {
          "fields": {}
        },
        "GetBIOSSerialNumberResponse": {
          "fields": {
            "serial_number": {
              "type": "string",
              "id": 1
            }
          }
        },
        "StartServiceRequest": {
          "fields": {
            "name": {
              "type": "string",
              "id": 1
            }
          }
        },
        "StartServiceResponse": {
          "fields": {}
        },
        "StopServiceRequest": {
          "fields": {
            "name": {
              "type": "string",
              "id": 1
            },
            "force": {
              "type": "bool",
              "id": 2
            }
          }
        },
        "StopServiceResponse": {
          "fields": {}
        },
        "GetServiceRequest": {
          "fields": {
            "name": {
              "type": "string",
              "id": 1
            }
          }
        },
        "StartType": {
          "values": {
            "BOOT": 0,
            "SYSTEM": 1,
            "AUTOMATIC": 2,
            "MANUAL": 3,
            "DISABLED": 4
          }
        },
        "ServiceStatus": {
          "values": {
            "UNKNOWN": 0,
            "STOPPED": 1,
            "START_PENDING": 2,
            "STOP_PENDING": 3,
            "RUNNING": 4,
            "CONTINUE_PENDING": 5,
            "PAUSE_PENDING": 6,
            "PAUSED": 7
          }
        },
        "GetServiceResponse": {
          "fields": {
            "display_name": {
              "type": "string",
              "id": 1
            },
            "start_type": {
              "type": "StartType",
              "id": 2
            },
            "status": {
              "type": "ServiceStatus",
              "id": 3
            }
          }
        }
      }
    }
  }
} as unknown as INamespace; // its type asks every method for a comment
