// Generated from proto/csi-proxy/filesystem/v1beta1.proto by `npm run generate`. Do not edit.
import type { INamespace } from 'protobufjs';

/** The rpcs of the service. */
export interface Rpcs {
  readonly PathExists: { readonly request: PathExistsRequest; readonly response: PathExistsResponse };
  readonly Mkdir: { readonly request: MkdirRequest; readonly response: MkdirResponse };
  readonly Rmdir: { readonly request: RmdirRequest; readonly response: RmdirResponse };
  readonly LinkPath: { readonly request: LinkPathRequest; readonly response: LinkPathResponse };
  readonly IsMountPoint: { readonly request: IsMountPointRequest; readonly response: IsMountPointResponse };
}

export type PathContext = 'PLUGIN' | 'POD';

export interface PathExistsRequest {
  readonly path: string;
  readonly context: PathContext;
}

export interface PathExistsResponse {
  readonly error: string;
  readonly exists: boolean;
}

export interface MkdirRequest {
  readonly path: string;
  readonly context: PathContext;
}

export interface MkdirResponse {
  readonly error: string;
}

export interface RmdirRequest {
  readonly path: string;
  readonly context: PathContext;
  readonly force: boolean;
}

export interface RmdirResponse {
  readonly error: string;
}

export interface LinkPathRequest {
  readonly source_path: string;
  readonly target_path: string;
}

export interface LinkPathResponse {
  readonly error: string;
}

export interface IsMountPointRequest {
  readonly path: string;
}

export interface IsMountPointResponse {
  readonly error: string;
  readonly is_mount_point: boolean;
}

export const descriptor = {
  "nested": {
    "v1beta1": {
      "nested": {
        "Filesystem": {
          "methods": {
            "PathExists": {
              "requestType": "PathExistsRequest",
              "responseType": "PathExistsResponse"
            },
            "Mkdir": {
              "requestType": "MkdirRequest",
              "responseType": "MkdirResponse"
            },
            "Rmdir": {
              "requestType": "RmdirRequest",
              "responseType": "RmdirResponse"
            },
            "LinkPath": {
              "requestType": "LinkPathRequest",
              "responseType": "LinkPathResponse"
            },
            "IsMountPoint": {
              "requestType": "IsMountPointRequest",
              "responseType": "IsMountPointResponse"
            }
          }
        },
        "PathContext": {
          "values": {
            "PLUGIN": 0,
            "POD": 1
          }
        },
        "PathExistsRequest": {
          "fields": {
            "path": {
              "type": "string",
              "id": 1
            },
            "context": {
              "type": "PathContext",
              "id": 2
            }
          }
        },
        "PathExistsResponse": {
          "fields": {
            "error": {
              "type": "string",
              "id": 1
            },
            "exists": {
              "type": "bool",
              "id": 2
            }
          }
        },
        "MkdirRequest": {
          "fields": {
            "path": {
              "type": "string",
              "id": 1
            },
            "context": {
              "type": "PathContext",
              "id": 2
            }
          }
        },
        "MkdirResponse": {
          "fields": {
            "error": {
              "type": "string",
              "id": 1
            }
          }
        },
        "RmdirRequest": {
          "fields": {
            "path": {
              "type": "string",
              "id": 1
            },
            "context": {
              "type": "PathContext",
              "id": 2
            },
            "force": {
              "type": "bool",
              "id": 3
            }
          }
        },
        "RmdirResponse": {
          "fields": {
            "error": {
              "type": "string",
              "id": 1
            }
          }
        },
        "LinkPathRequest": {
          "fields": {
            "source_path": {
              "type": "string",
              "id": 1
            },
            "target_path": {
              "type": "string",
              "id": 2
            }
          }
        },
        "LinkPathResponse": {
          "fields": {
            "error": {
              "type": "string",
              "id": 1
            }
          }
        },
        "IsMountPointRequest": {
          "fields": {
            "path": {
              "type": "string",
              "id": 1
            }
          }
        },
        "IsMountPointResponse": {
          "fields": {
            "error": {
              "type": "string",
              "id": 1
            },
            "is_mount_point": {
              "type": "bool",
              "id": 2
            }
          }
        }
      }
    }
  }
} as unknown as INamespace; // its type asks every method for a comment
