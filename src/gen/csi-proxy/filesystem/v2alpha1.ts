// Generated from proto/csi-proxy/filesystem/v2alpha1.proto by `npm run generate`. Do not edit.
import type { INamespace } from 'protobufjs';

/** The rpcs of the service. */
export interface Rpcs {
  readonly PathExists: { readonly request: PathExistsRequest; readonly response: PathExistsResponse };
  readonly Mkdir: { readonly request: MkdirRequest; readonly response: MkdirResponse };
  readonly Rmdir: { readonly request: RmdirRequest; readonly response: RmdirResponse };
  readonly RmdirContents: { readonly request: RmdirContentsRequest; readonly response: RmdirContentsResponse };
  readonly CreateSymlink: { readonly request: CreateSymlinkRequest; readonly response: CreateSymlinkResponse };
  readonly IsSymlink: { readonly request: IsSymlinkRequest; readonly response: IsSymlinkResponse };
}

export interface PathExistsRequest {
  readonly path: string;
}

export interface PathExistsResponse {
  readonly exists: boolean;
}

export interface MkdirRequest {
  readonly path: string;
}

export interface MkdirResponse {
}

export interface RmdirRequest {
  readonly path: string;
  readonly force: boolean;
}

export interface RmdirResponse {
}

export interface RmdirContentsRequest {
  readonly path: string;
}

export interface RmdirContentsResponse {
}

export interface CreateSymlinkRequest {
  readonly source_path: string;
  readonly target_path: string;
}

export interface CreateSymlinkResponse {
}

export interface IsSymlinkRequest {
  readonly path: string;
}

export interface IsSymlinkResponse {
  readonly is_symlink: boolean;
}

export const descriptor = {
  "nested": {
    "v2alpha1": {
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
            "RmdirContents": {
              "requestType": "RmdirContentsRequest",
              "responseType": "RmdirContentsResponse"
            },
            "CreateSymlink": {
              "requestType": "CreateSymlinkRequest",
              "responseType": "CreateSymlinkResponse"
            },
            "IsSymlink": {
              "requestType": "IsSymlinkRequest",
              "responseType": "IsSymlinkResponse"
            }
          }
        },
        "PathExistsRequest": {
          "fields": {
            "path": {
              "type": "string",
              "id": 1
            }
          }
        },
        "PathExistsResponse": {
          "fields": {
            "exists": {
              "type": "bool",
              "id": 1
            }
          }
        },
        "MkdirRequest": {
          "fields": {
            "path": {
              "type": "string",
              "id": 1
            }
          }
        },
        "MkdirResponse": {
          "fields": {}
        },
        "RmdirRequest": {
          "fields": {
            "path": {
              "type": "string",
              "id": 1
            },
            "force": {
              "type": "bool",
              "id": 2
            }
          }
        },
        "RmdirResponse": {
          "fields": {}
        },
        "RmdirContentsRequest": {
          "fields": {
            "path": {
              "type": "string",
              "id": 1
            }
          }
        },
        "RmdirContentsResponse": {
          "fields": {}
        },
        "CreateSymlinkRequest": {
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
        "CreateSymlinkResponse": {
          "fields": {}
        },
        "IsSymlinkRequest": {
          "fields": {
            "path": {
              "type": "string",
              "id": 1
            }
          }
        },
        "IsSymlinkResponse": {
          "fields": {
            "is_symlink": {
              "type": "bool",
              "id": 1
            }
          }
        }
      }
    }
  }
} as unknown as INamespace; // its type asks every method for a comment
