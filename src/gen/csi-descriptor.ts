// Generated from proto/csi.proto by `npm run generate`. Do not edit.
import type { INamespace } from 'protobufjs';

/**
 * Package csi.v1 and the google.protobuf messages it uses. Options are kept, `(csi_secret)` too. Load it with
 * `protoLoader.fromJSON(csiDescriptor, { keepCase: true, longs: String, enums: String, defaults: true, oneofs: true })`.
 */
export const csiDescriptor = {
  "nested": {
    "csi": {
      "nested": {
        "v1": {
          "nested": {
            "alpha_enum": {
              "type": "bool",
              "id": 1060,
              "extend": "google.protobuf.EnumOptions"
            },
            "alpha_enum_value": {
              "type": "bool",
              "id": 1060,
              "extend": "google.protobuf.EnumValueOptions"
            },
            "csi_secret": {
              "type": "bool",
              "id": 1059,
              "extend": "google.protobuf.FieldOptions"
            },
            "alpha_field": {
              "type": "bool",
              "id": 1060,
              "extend": "google.protobuf.FieldOptions"
            },
            "alpha_message": {
              "type": "bool",
              "id": 1060,
              "extend": "google.protobuf.MessageOptions"
            },
            "alpha_method": {
              "type": "bool",
              "id": 1060,
              "extend": "google.protobuf.MethodOptions"
            },
            "alpha_service": {
              "type": "bool",
              "id": 1060,
              "extend": "google.protobuf.ServiceOptions"
            },
            "Identity": {
              "methods": {
                "GetPluginInfo": {
                  "requestType": "GetPluginInfoRequest",
                  "responseType": "GetPluginInfoResponse"
                },
                "GetPluginCapabilities": {
                  "requestType": "GetPluginCapabilitiesRequest",
                  "responseType": "GetPluginCapabilitiesResponse"
                },
                "Probe": {
                  "requestType": "ProbeRequest",
                  "responseType": "ProbeResponse"
                }
              }
            },
            "Controller": {
              "methods": {
                "CreateVolume": {
                  "requestType": "CreateVolumeRequest",
                  "responseType": "CreateVolumeResponse"
                },
                "DeleteVolume": {
                  "requestType": "DeleteVolumeRequest",
                  "responseType": "DeleteVolumeResponse"
                },
                "ControllerPublishVolume": {
                  "requestType": "ControllerPublishVolumeRequest",
                  "responseType": "ControllerPublishVolumeResponse"
                },
                "ControllerUnpublishVolume": {
                  "requestType": "ControllerUnpublishVolumeRequest",
                  "responseType": "ControllerUnpublishVolumeResponse"
                },
                "ValidateVolumeCapabilities": {
                  "requestType": "ValidateVolumeCapabilitiesRequest",
                  "responseType": "ValidateVolumeCapabilitiesResponse"
                },
                "ListVolumes": {
                  "requestType": "ListVolumesRequest",
                  "responseType": "ListVolumesResponse"
                },
                "GetCapacity": {
                  "requestType": "GetCapacityRequest",
                  "responseType": "GetCapacityResponse"
                },
                "ControllerGetCapabilities": {
                  "requestType": "ControllerGetCapabilitiesRequest",
                  "responseType": "ControllerGetCapabilitiesResponse"
                },
                "CreateSnapshot": {
                  "requestType": "CreateSnapshotRequest",
                  "responseType": "CreateSnapshotResponse"
                },
                "DeleteSnapshot": {
                  "requestType": "DeleteSnapshotRequest",
                  "responseType": "DeleteSnapshotResponse"
                },
                "ListSnapshots": {
                  "requestType": "ListSnapshotsRequest",
                  "responseType": "ListSnapshotsResponse"
                },
                "GetSnapshot": {
                  "requestType": "GetSnapshotRequest",
                  "responseType": "GetSnapshotResponse",
                  "options": {
                    "(alpha_method)": true
                  },
                  "parsedOptions": [
                    {
                      "(alpha_method)": true
                    }
                  ]
                },
                "ControllerExpandVolume": {
                  "requestType": "ControllerExpandVolumeRequest",
                  "responseType": "ControllerExpandVolumeResponse"
                },
                "ControllerGetVolume": {
                  "requestType": "ControllerGetVolumeRequest",
                  "responseType": "ControllerGetVolumeResponse",
                  "options": {
                    "(alpha_method)": true
                  },
                  "parsedOptions": [
                    {
                      "(alpha_method)": true
                    }
                  ]
                },
                "ControllerModifyVolume": {
                  "requestType": "ControllerModifyVolumeRequest",
                  "responseType": "ControllerModifyVolumeResponse"
                }
              }
            },
            "Node": {
              "methods": {
                "NodeStageVolume": {
                  "requestType": "NodeStageVolumeRequest",
                  "responseType": "NodeStageVolumeResponse"
                },
                "NodeUnstageVolume": {
                  "requestType": "NodeUnstageVolumeRequest",
                  "responseType": "NodeUnstageVolumeResponse"
                },
                "NodePublishVolume": {
                  "requestType": "NodePublishVolumeRequest",
                  "responseType": "NodePublishVolumeResponse"
                },
                "NodeUnpublishVolume": {
                  "requestType": "NodeUnpublishVolumeRequest",
                  "responseType": "NodeUnpublishVolumeResponse"
                },
                "NodeGetVolumeStats": {
                  "requestType": "NodeGetVolumeStatsRequest",
                  "responseType": "NodeGetVolumeStatsResponse"
                },
                "NodeExpandVolume": {
                  "requestType": "NodeExpandVolumeRequest",
                  "responseType": "NodeExpandVolumeResponse"
                },
                "NodeGetCapabilities": {
                  "requestType": "NodeGetCapabilitiesRequest",
                  "responseType": "NodeGetCapabilitiesResponse"
                },
                "NodeGetInfo": {
                  "requestType": "NodeGetInfoRequest",
                  "responseType": "NodeGetInfoResponse"
                }
              }
            },
            "GroupController": {
              "methods": {
                "GroupControllerGetCapabilities": {
                  "requestType": "GroupControllerGetCapabilitiesRequest",
                  "responseType": "GroupControllerGetCapabilitiesResponse"
                },
                "CreateVolumeGroupSnapshot": {
                  "requestType": "CreateVolumeGroupSnapshotRequest",
                  "responseType": "CreateVolumeGroupSnapshotResponse"
                },
                "DeleteVolumeGroupSnapshot": {
                  "requestType": "DeleteVolumeGroupSnapshotRequest",
                  "responseType": "DeleteVolumeGroupSnapshotResponse"
                },
                "GetVolumeGroupSnapshot": {
                  "requestType": "GetVolumeGroupSnapshotRequest",
                  "responseType": "GetVolumeGroupSnapshotResponse"
                }
              }
            },
            "SnapshotMetadata": {
              "methods": {
                "GetMetadataAllocated": {
                  "requestType": "GetMetadataAllocatedRequest",
                  "responseType": "GetMetadataAllocatedResponse",
                  "responseStream": true
                },
                "GetMetadataDelta": {
                  "requestType": "GetMetadataDeltaRequest",
                  "responseType": "GetMetadataDeltaResponse",
                  "responseStream": true
                }
              }
            },
            "GetPluginInfoRequest": {
              "fields": {}
            },
            "GetPluginInfoResponse": {
              "fields": {
                "name": {
                  "type": "string",
                  "id": 1
                },
                "vendor_version": {
                  "type": "string",
                  "id": 2
                },
                "manifest": {
                  "keyType": "string",
                  "type": "string",
                  "id": 3
                }
              }
            },
            "GetPluginCapabilitiesRequest": {
              "fields": {}
            },
            "GetPluginCapabilitiesResponse": {
              "fields": {
                "capabilities": {
                  "rule": "repeated",
                  "type": "PluginCapability",
                  "id": 1
                }
              }
            },
            "PluginCapability": {
              "oneofs": {
                "type": {
                  "oneof": [
                    "service",
                    "volume_expansion"
                  ]
                }
              },
              "fields": {
                "service": {
                  "type": "Service",
                  "id": 1
                },
                "volume_expansion": {
                  "type": "VolumeExpansion",
                  "id": 2
                }
              },
              "nested": {
                "Service": {
                  "fields": {
                    "type": {
                      "type": "Type",
                      "id": 1
                    }
                  },
                  "nested": {
                    "Type": {
                      "values": {
                        "UNKNOWN": 0,
                        "CONTROLLER_SERVICE": 1,
                        "VOLUME_ACCESSIBILITY_CONSTRAINTS": 2,
                        "GROUP_CONTROLLER_SERVICE": 3,
                        "SNAPSHOT_METADATA_SERVICE": 4
                      }
                    }
                  }
                },
                "VolumeExpansion": {
                  "fields": {
                    "type": {
                      "type": "Type",
                      "id": 1
                    }
                  },
                  "nested": {
                    "Type": {
                      "values": {
                        "UNKNOWN": 0,
                        "ONLINE": 1,
                        "OFFLINE": 2
                      }
                    }
                  }
                }
              }
            },
            "ProbeRequest": {
              "fields": {}
            },
            "ProbeResponse": {
              "fields": {
                "ready": {
                  "type": "google.protobuf.BoolValue",
                  "id": 1
                }
              }
            },
            "CreateVolumeRequest": {
              "fields": {
                "name": {
                  "type": "string",
                  "id": 1
                },
                "capacity_range": {
                  "type": "CapacityRange",
                  "id": 2
                },
                "volume_capabilities": {
                  "rule": "repeated",
                  "type": "VolumeCapability",
                  "id": 3
                },
                "parameters": {
                  "keyType": "string",
                  "type": "string",
                  "id": 4
                },
                "secrets": {
                  "keyType": "string",
                  "type": "string",
                  "id": 5,
                  "options": {
                    "(csi_secret)": true
                  }
                },
                "volume_content_source": {
                  "type": "VolumeContentSource",
                  "id": 6
                },
                "accessibility_requirements": {
                  "type": "TopologyRequirement",
                  "id": 7
                },
                "mutable_parameters": {
                  "keyType": "string",
                  "type": "string",
                  "id": 8
                }
              }
            },
            "VolumeContentSource": {
              "oneofs": {
                "type": {
                  "oneof": [
                    "snapshot",
                    "volume"
                  ]
                }
              },
              "fields": {
                "snapshot": {
                  "type": "SnapshotSource",
                  "id": 1
                },
                "volume": {
                  "type": "VolumeSource",
                  "id": 2
                }
              },
              "nested": {
                "SnapshotSource": {
                  "fields": {
                    "snapshot_id": {
                      "type": "string",
                      "id": 1
                    }
                  }
                },
                "VolumeSource": {
                  "fields": {
                    "volume_id": {
                      "type": "string",
                      "id": 1
                    }
                  }
                }
              }
            },
            "CreateVolumeResponse": {
              "fields": {
                "volume": {
                  "type": "Volume",
                  "id": 1
                }
              }
            },
            "VolumeCapability": {
              "oneofs": {
                "access_type": {
                  "oneof": [
                    "block",
                    "mount"
                  ]
                }
              },
              "fields": {
                "block": {
                  "type": "BlockVolume",
                  "id": 1
                },
                "mount": {
                  "type": "MountVolume",
                  "id": 2
                },
                "access_mode": {
                  "type": "AccessMode",
                  "id": 3
                }
              },
              "nested": {
                "BlockVolume": {
                  "fields": {}
                },
                "MountVolume": {
                  "fields": {
                    "fs_type": {
                      "type": "string",
                      "id": 1
                    },
                    "mount_flags": {
                      "rule": "repeated",
                      "type": "string",
                      "id": 2
                    },
                    "volume_mount_group": {
                      "type": "string",
                      "id": 3
                    }
                  }
                },
                "AccessMode": {
                  "fields": {
                    "mode": {
                      "type": "Mode",
                      "id": 1
                    }
                  },
                  "nested": {
                    "Mode": {
                      "values": {
                        "UNKNOWN": 0,
                        "SINGLE_NODE_WRITER": 1,
                        "SINGLE_NODE_READER_ONLY": 2,
                        "MULTI_NODE_READER_ONLY": 3,
                        "MULTI_NODE_SINGLE_WRITER": 4,
                        "MULTI_NODE_MULTI_WRITER": 5,
                        "SINGLE_NODE_SINGLE_WRITER": 6,
                        "SINGLE_NODE_MULTI_WRITER": 7
                      }
                    }
                  }
                }
              }
            },
            "CapacityRange": {
              "fields": {
                "required_bytes": {
                  "type": "int64",
                  "id": 1
                },
                "limit_bytes": {
                  "type": "int64",
                  "id": 2
                }
              }
            },
            "Volume": {
              "fields": {
                "capacity_bytes": {
                  "type": "int64",
                  "id": 1
                },
                "volume_id": {
                  "type": "string",
                  "id": 2
                },
                "volume_context": {
                  "keyType": "string",
                  "type": "string",
                  "id": 3
                },
                "content_source": {
                  "type": "VolumeContentSource",
                  "id": 4
                },
                "accessible_topology": {
                  "rule": "repeated",
                  "type": "Topology",
                  "id": 5
                }
              }
            },
            "TopologyRequirement": {
              "fields": {
                "requisite": {
                  "rule": "repeated",
                  "type": "Topology",
                  "id": 1
                },
                "preferred": {
                  "rule": "repeated",
                  "type": "Topology",
                  "id": 2
                }
              }
            },
            "Topology": {
              "fields": {
                "segments": {
                  "keyType": "string",
                  "type": "string",
                  "id": 1
                }
              }
            },
            "DeleteVolumeRequest": {
              "fields": {
                "volume_id": {
                  "type": "string",
                  "id": 1
                },
                "secrets": {
                  "keyType": "string",
                  "type": "string",
                  "id": 2,
                  "options": {
                    "(csi_secret)": true
                  }
                }
              }
            },
            "DeleteVolumeResponse": {
              "fields": {}
            },
            "ControllerPublishVolumeRequest": {
              "fields": {
                "volume_id": {
                  "type": "string",
                  "id": 1
                },
                "node_id": {
                  "type": "string",
                  "id": 2
                },
                "volume_capability": {
                  "type": "VolumeCapability",
                  "id": 3
                },
                "readonly": {
                  "type": "bool",
                  "id": 4
                },
                "secrets": {
                  "keyType": "string",
                  "type": "string",
                  "id": 5,
                  "options": {
                    "(csi_secret)": true
                  }
                },
                "volume_context": {
                  "keyType": "string",
                  "type": "string",
                  "id": 6
                }
              }
            },
            "ControllerPublishVolumeResponse": {
              "fields": {
                "publish_context": {
                  "keyType": "string",
                  "type": "string",
                  "id": 1
                }
              }
            },
            "ControllerUnpublishVolumeRequest": {
              "fields": {
                "volume_id": {
                  "type": "string",
                  "id": 1
                },
                "node_id": {
                  "type": "string",
                  "id": 2
                },
                "secrets": {
                  "keyType": "string",
                  "type": "string",
                  "id": 3,
                  "options": {
                    "(csi_secret)": true
                  }
                }
              }
            },
            "ControllerUnpublishVolumeResponse": {
              "fields": {}
            },
            "ValidateVolumeCapabilitiesRequest": {
              "fields": {
                "volume_id": {
                  "type": "string",
                  "id": 1
                },
                "volume_context": {
                  "keyType": "string",
                  "type": "string",
                  "id": 2
                },
                "volume_capabilities": {
                  "rule": "repeated",
                  "type": "VolumeCapability",
                  "id": 3
                },
                "parameters": {
                  "keyType": "string",
                  "type": "string",
                  "id": 4
                },
                "secrets": {
                  "keyType": "string",
                  "type": "string",
                  "id": 5,
                  "options": {
                    "(csi_secret)": true
                  }
                },
                "mutable_parameters": {
                  "keyType": "string",
                  "type": "string",
                  "id": 6
                }
              }
            },
            "ValidateVolumeCapabilitiesResponse": {
              "fields": {
                "confirmed": {
                  "type": "Confirmed",
                  "id": 1
                },
                "message": {
                  "type": "string",
                  "id": 2
                }
              },
              "nested": {
                "Confirmed": {
                  "fields": {
                    "volume_context": {
                      "keyType": "string",
                      "type": "string",
                      "id": 1
                    },
                    "volume_capabilities": {
                      "rule": "repeated",
                      "type": "VolumeCapability",
                      "id": 2
                    },
                    "parameters": {
                      "keyType": "string",
                      "type": "string",
                      "id": 3
                    },
                    "mutable_parameters": {
                      "keyType": "string",
                      "type": "string",
                      "id": 4
                    }
                  }
                }
              }
            },
            "ListVolumesRequest": {
              "fields": {
                "max_entries": {
                  "type": "int32",
                  "id": 1
                },
                "starting_token": {
                  "type": "string",
                  "id": 2
                }
              }
            },
            "ListVolumesResponse": {
              "fields": {
                "entries": {
                  "rule": "repeated",
                  "type": "Entry",
                  "id": 1
                },
                "next_token": {
                  "type": "string",
                  "id": 2
                }
              },
              "nested": {
                "VolumeStatus": {
                  "fields": {
                    "published_node_ids": {
                      "rule": "repeated",
                      "type": "string",
                      "id": 1
                    },
                    "volume_condition": {
                      "type": "VolumeCondition",
                      "id": 2,
                      "options": {
                        "(alpha_field)": true
                      }
                    }
                  }
                },
                "Entry": {
                  "fields": {
                    "volume": {
                      "type": "Volume",
                      "id": 1
                    },
                    "status": {
                      "type": "VolumeStatus",
                      "id": 2
                    }
                  }
                }
              }
            },
            "ControllerGetVolumeRequest": {
              "fields": {
                "volume_id": {
                  "type": "string",
                  "id": 1
                }
              }
            },
            "ControllerGetVolumeResponse": {
              "fields": {
                "volume": {
                  "type": "Volume",
                  "id": 1
                },
                "status": {
                  "type": "VolumeStatus",
                  "id": 2
                }
              },
              "nested": {
                "VolumeStatus": {
                  "fields": {
                    "published_node_ids": {
                      "rule": "repeated",
                      "type": "string",
                      "id": 1
                    },
                    "volume_condition": {
                      "type": "VolumeCondition",
                      "id": 2
                    }
                  }
                }
              }
            },
            "ControllerModifyVolumeRequest": {
              "fields": {
                "volume_id": {
                  "type": "string",
                  "id": 1
                },
                "secrets": {
                  "keyType": "string",
                  "type": "string",
                  "id": 2,
                  "options": {
                    "(csi_secret)": true
                  }
                },
                "mutable_parameters": {
                  "keyType": "string",
                  "type": "string",
                  "id": 3
                }
              }
            },
            "ControllerModifyVolumeResponse": {
              "fields": {}
            },
            "GetCapacityRequest": {
              "fields": {
                "volume_capabilities": {
                  "rule": "repeated",
                  "type": "VolumeCapability",
                  "id": 1
                },
                "parameters": {
                  "keyType": "string",
                  "type": "string",
                  "id": 2
                },
                "accessible_topology": {
                  "type": "Topology",
                  "id": 3
                }
              }
            },
            "GetCapacityResponse": {
              "fields": {
                "available_capacity": {
                  "type": "int64",
                  "id": 1
                },
                "maximum_volume_size": {
                  "type": "google.protobuf.Int64Value",
                  "id": 2
                },
                "minimum_volume_size": {
                  "type": "google.protobuf.Int64Value",
                  "id": 3,
                  "options": {
                    "(alpha_field)": true
                  }
                }
              }
            },
            "ControllerGetCapabilitiesRequest": {
              "fields": {}
            },
            "ControllerGetCapabilitiesResponse": {
              "fields": {
                "capabilities": {
                  "rule": "repeated",
                  "type": "ControllerServiceCapability",
                  "id": 1
                }
              }
            },
            "ControllerServiceCapability": {
              "oneofs": {
                "type": {
                  "oneof": [
                    "rpc"
                  ]
                }
              },
              "fields": {
                "rpc": {
                  "type": "RPC",
                  "id": 1
                }
              },
              "nested": {
                "RPC": {
                  "fields": {
                    "type": {
                      "type": "Type",
                      "id": 1
                    }
                  },
                  "nested": {
                    "Type": {
                      "values": {
                        "UNKNOWN": 0,
                        "CREATE_DELETE_VOLUME": 1,
                        "PUBLISH_UNPUBLISH_VOLUME": 2,
                        "LIST_VOLUMES": 3,
                        "GET_CAPACITY": 4,
                        "CREATE_DELETE_SNAPSHOT": 5,
                        "LIST_SNAPSHOTS": 6,
                        "CLONE_VOLUME": 7,
                        "PUBLISH_READONLY": 8,
                        "EXPAND_VOLUME": 9,
                        "LIST_VOLUMES_PUBLISHED_NODES": 10,
                        "VOLUME_CONDITION": 11,
                        "GET_VOLUME": 12,
                        "SINGLE_NODE_MULTI_WRITER": 13,
                        "MODIFY_VOLUME": 14,
                        "GET_SNAPSHOT": 15
                      }
                    }
                  }
                }
              }
            },
            "CreateSnapshotRequest": {
              "fields": {
                "source_volume_id": {
                  "type": "string",
                  "id": 1
                },
                "name": {
                  "type": "string",
                  "id": 2
                },
                "secrets": {
                  "keyType": "string",
                  "type": "string",
                  "id": 3,
                  "options": {
                    "(csi_secret)": true
                  }
                },
                "parameters": {
                  "keyType": "string",
                  "type": "string",
                  "id": 4
                }
              }
            },
            "CreateSnapshotResponse": {
              "fields": {
                "snapshot": {
                  "type": "Snapshot",
                  "id": 1
                }
              }
            },
            "Snapshot": {
              "fields": {
                "size_bytes": {
                  "type": "int64",
                  "id": 1
                },
                "snapshot_id": {
                  "type": "string",
                  "id": 2
                },
                "source_volume_id": {
                  "type": "string",
                  "id": 3
                },
                "creation_time": {
                  "type": "google.protobuf.Timestamp",
                  "id": 4
                },
                "ready_to_use": {
                  "type": "bool",
                  "id": 5
                },
                "group_snapshot_id": {
                  "type": "string",
                  "id": 6
                }
              }
            },
            "DeleteSnapshotRequest": {
              "fields": {
                "snapshot_id": {
                  "type": "string",
                  "id": 1
                },
                "secrets": {
                  "keyType": "string",
                  "type": "string",
                  "id": 2,
                  "options": {
                    "(csi_secret)": true
                  }
                }
              }
            },
            "DeleteSnapshotResponse": {
              "fields": {}
            },
            "ListSnapshotsRequest": {
              "fields": {
                "max_entries": {
                  "type": "int32",
                  "id": 1
                },
                "starting_token": {
                  "type": "string",
                  "id": 2
                },
                "source_volume_id": {
                  "type": "string",
                  "id": 3
                },
                "snapshot_id": {
                  "type": "string",
                  "id": 4
                },
                "secrets": {
                  "keyType": "string",
                  "type": "string",
                  "id": 5,
                  "options": {
                    "(csi_secret)": true
                  }
                }
              }
            },
            "ListSnapshotsResponse": {
              "fields": {
                "entries": {
                  "rule": "repeated",
                  "type": "Entry",
                  "id": 1
                },
                "next_token": {
                  "type": "string",
                  "id": 2
                }
              },
              "nested": {
                "Entry": {
                  "fields": {
                    "snapshot": {
                      "type": "Snapshot",
                      "id": 1
                    }
                  }
                }
              }
            },
            "GetSnapshotRequest": {
              "fields": {
                "snapshot_id": {
                  "type": "string",
                  "id": 1
                },
                "secrets": {
                  "keyType": "string",
                  "type": "string",
                  "id": 2,
                  "options": {
                    "(csi_secret)": true
                  }
                }
              }
            },
            "GetSnapshotResponse": {
              "fields": {
                "snapshot": {
                  "type": "Snapshot",
                  "id": 1
                }
              }
            },
            "ControllerExpandVolumeRequest": {
              "fields": {
                "volume_id": {
                  "type": "string",
                  "id": 1
                },
                "capacity_range": {
                  "type": "CapacityRange",
                  "id": 2
                },
                "secrets": {
                  "keyType": "string",
                  "type": "string",
                  "id": 3,
                  "options": {
                    "(csi_secret)": true
                  }
                },
                "volume_capability": {
                  "type": "VolumeCapability",
                  "id": 4
                }
              }
            },
            "ControllerExpandVolumeResponse": {
              "fields": {
                "capacity_bytes": {
                  "type": "int64",
                  "id": 1
                },
                "node_expansion_required": {
                  "type": "bool",
                  "id": 2
                }
              }
            },
            "NodeStageVolumeRequest": {
              "fields": {
                "volume_id": {
                  "type": "string",
                  "id": 1
                },
                "publish_context": {
                  "keyType": "string",
                  "type": "string",
                  "id": 2
                },
                "staging_target_path": {
                  "type": "string",
                  "id": 3
                },
                "volume_capability": {
                  "type": "VolumeCapability",
                  "id": 4
                },
                "secrets": {
                  "keyType": "string",
                  "type": "string",
                  "id": 5,
                  "options": {
                    "(csi_secret)": true
                  }
                },
                "volume_context": {
                  "keyType": "string",
                  "type": "string",
                  "id": 6
                }
              }
            },
            "NodeStageVolumeResponse": {
              "fields": {}
            },
            "NodeUnstageVolumeRequest": {
              "fields": {
                "volume_id": {
                  "type": "string",
                  "id": 1
                },
                "staging_target_path": {
                  "type": "string",
                  "id": 2
                }
              }
            },
            "NodeUnstageVolumeResponse": {
              "fields": {}
            },
            "NodePublishVolumeRequest": {
              "fields": {
                "volume_id": {
                  "type": "string",
                  "id": 1
                },
                "publish_context": {
                  "keyType": "string",
                  "type": "string",
                  "id": 2
                },
                "staging_target_path": {
                  "type": "string",
                  "id": 3
                },
                "target_path": {
                  "type": "string",
                  "id": 4
                },
                "volume_capability": {
                  "type": "VolumeCapability",
                  "id": 5
                },
                "readonly": {
                  "type": "bool",
                  "id": 6
                },
                "secrets": {
                  "keyType": "string",
                  "type": "string",
                  "id": 7,
                  "options": {
                    "(csi_secret)": true
                  }
                },
                "volume_context": {
                  "keyType": "string",
                  "type": "string",
                  "id": 8
                }
              }
            },
            "NodePublishVolumeResponse": {
              "fields": {}
            },
            "NodeUnpublishVolumeRequest": {
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
            "NodeUnpublishVolumeResponse": {
              "fields": {}
            },
            "NodeGetVolumeStatsRequest": {
              "fields": {
                "volume_id": {
                  "type": "string",
                  "id": 1
                },
                "volume_path": {
                  "type": "string",
                  "id": 2
                },
                "staging_target_path": {
                  "type": "string",
                  "id": 3
                }
              }
            },
            "NodeGetVolumeStatsResponse": {
              "fields": {
                "usage": {
                  "rule": "repeated",
                  "type": "VolumeUsage",
                  "id": 1
                },
                "volume_condition": {
                  "type": "VolumeCondition",
                  "id": 2,
                  "options": {
                    "(alpha_field)": true
                  }
                }
              }
            },
            "VolumeUsage": {
              "fields": {
                "available": {
                  "type": "int64",
                  "id": 1
                },
                "total": {
                  "type": "int64",
                  "id": 2
                },
                "used": {
                  "type": "int64",
                  "id": 3
                },
                "unit": {
                  "type": "Unit",
                  "id": 4
                }
              },
              "nested": {
                "Unit": {
                  "values": {
                    "UNKNOWN": 0,
                    "BYTES": 1,
                    "INODES": 2
                  }
                }
              }
            },
            "VolumeCondition": {
              "fields": {
                "abnormal": {
                  "type": "bool",
                  "id": 1
                },
                "message": {
                  "type": "string",
                  "id": 2
                }
              }
            },
            "NodeExpandVolumeRequest": {
              "fields": {
                "volume_id": {
                  "type": "string",
                  "id": 1
                },
                "volume_path": {
                  "type": "string",
                  "id": 2
                },
                "capacity_range": {
                  "type": "CapacityRange",
                  "id": 3
                },
                "staging_target_path": {
                  "type": "string",
                  "id": 4
                },
                "volume_capability": {
                  "type": "VolumeCapability",
                  "id": 5
                },
                "secrets": {
                  "keyType": "string",
                  "type": "string",
                  "id": 6,
                  "options": {
                    "(csi_secret)": true,
                    "(alpha_field)": true
                  }
                }
              }
            },
            "NodeExpandVolumeResponse": {
              "fields": {
                "capacity_bytes": {
                  "type": "int64",
                  "id": 1
                }
              }
            },
            "NodeGetCapabilitiesRequest": {
              "fields": {}
            },
            "NodeGetCapabilitiesResponse": {
              "fields": {
                "capabilities": {
                  "rule": "repeated",
                  "type": "NodeServiceCapability",
                  "id": 1
                }
              }
            },
            "NodeServiceCapability": {
              "oneofs": {
                "type": {
                  "oneof": [
                    "rpc"
                  ]
                }
              },
              "fields": {
                "rpc": {
                  "type": "RPC",
                  "id": 1
                }
              },
              "nested": {
                "RPC": {
                  "fields": {
                    "type": {
                      "type": "Type",
                      "id": 1
                    }
                  },
                  "nested": {
                    "Type": {
                      "values": {
                        "UNKNOWN": 0,
                        "STAGE_UNSTAGE_VOLUME": 1,
                        "GET_VOLUME_STATS": 2,
                        "EXPAND_VOLUME": 3,
                        "VOLUME_CONDITION": 4,
                        "SINGLE_NODE_MULTI_WRITER": 5,
                        "VOLUME_MOUNT_GROUP": 6
                      }
                    }
                  }
                }
              }
            },
            "NodeGetInfoRequest": {
              "fields": {}
            },
            "NodeGetInfoResponse": {
              "fields": {
                "node_id": {
                  "type": "string",
                  "id": 1
                },
                "max_volumes_per_node": {
                  "type": "int64",
                  "id": 2
                },
                "accessible_topology": {
                  "type": "Topology",
                  "id": 3
                }
              }
            },
            "GroupControllerGetCapabilitiesRequest": {
              "fields": {}
            },
            "GroupControllerGetCapabilitiesResponse": {
              "fields": {
                "capabilities": {
                  "rule": "repeated",
                  "type": "GroupControllerServiceCapability",
                  "id": 1
                }
              }
            },
            "GroupControllerServiceCapability": {
              "oneofs": {
                "type": {
                  "oneof": [
                    "rpc"
                  ]
                }
              },
              "fields": {
                "rpc": {
                  "type": "RPC",
                  "id": 1
                }
              },
              "nested": {
                "RPC": {
                  "fields": {
                    "type": {
                      "type": "Type",
                      "id": 1
                    }
                  },
                  "nested": {
                    "Type": {
                      "values": {
                        "UNKNOWN": 0,
                        "CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT": 1
                      }
                    }
                  }
                }
              }
            },
            "CreateVolumeGroupSnapshotRequest": {
              "fields": {
                "name": {
                  "type": "string",
                  "id": 1
                },
                "source_volume_ids": {
                  "rule": "repeated",
                  "type": "string",
                  "id": 2
                },
                "secrets": {
                  "keyType": "string",
                  "type": "string",
                  "id": 3,
                  "options": {
                    "(csi_secret)": true
                  }
                },
                "parameters": {
                  "keyType": "string",
                  "type": "string",
                  "id": 4
                }
              }
            },
            "CreateVolumeGroupSnapshotResponse": {
              "fields": {
                "group_snapshot": {
                  "type": "VolumeGroupSnapshot",
                  "id": 1
                }
              }
            },
            "VolumeGroupSnapshot": {
              "fields": {
                "group_snapshot_id": {
                  "type": "string",
                  "id": 1
                },
                "snapshots": {
                  "rule": "repeated",
                  "type": "Snapshot",
                  "id": 2
                },
                "creation_time": {
                  "type": "google.protobuf.Timestamp",
                  "id": 3
                },
                "ready_to_use": {
                  "type": "bool",
                  "id": 4
                }
              }
            },
            "DeleteVolumeGroupSnapshotRequest": {
              "fields": {
                "group_snapshot_id": {
                  "type": "string",
                  "id": 1
                },
                "snapshot_ids": {
                  "rule": "repeated",
                  "type": "string",
                  "id": 2
                },
                "secrets": {
                  "keyType": "string",
                  "type": "string",
                  "id": 3,
                  "options": {
                    "(csi_secret)": true
                  }
                }
              }
            },
            "DeleteVolumeGroupSnapshotResponse": {
              "fields": {}
            },
            "GetVolumeGroupSnapshotRequest": {
              "fields": {
                "group_snapshot_id": {
                  "type": "string",
                  "id": 1
                },
                "snapshot_ids": {
                  "rule": "repeated",
                  "type": "string",
                  "id": 2
                },
                "secrets": {
                  "keyType": "string",
                  "type": "string",
                  "id": 3,
                  "options": {
                    "(csi_secret)": true
                  }
                }
              }
            },
            "GetVolumeGroupSnapshotResponse": {
              "fields": {
                "group_snapshot": {
                  "type": "VolumeGroupSnapshot",
                  "id": 1
                }
              }
            },
            "BlockMetadataType": {
              "values": {
                "UNKNOWN": 0,
                "FIXED_LENGTH": 1,
                "VARIABLE_LENGTH": 2
              }
            },
            "BlockMetadata": {
              "fields": {
                "byte_offset": {
                  "type": "int64",
                  "id": 1
                },
                "size_bytes": {
                  "type": "int64",
                  "id": 2
                }
              }
            },
            "GetMetadataAllocatedRequest": {
              "fields": {
                "snapshot_id": {
                  "type": "string",
                  "id": 1
                },
                "starting_offset": {
                  "type": "int64",
                  "id": 2
                },
                "max_results": {
                  "type": "int32",
                  "id": 3
                },
                "secrets": {
                  "keyType": "string",
                  "type": "string",
                  "id": 4,
                  "options": {
                    "(csi_secret)": true
                  }
                }
              }
            },
            "GetMetadataAllocatedResponse": {
              "fields": {
                "block_metadata_type": {
                  "type": "BlockMetadataType",
                  "id": 1
                },
                "volume_capacity_bytes": {
                  "type": "int64",
                  "id": 2
                },
                "block_metadata": {
                  "rule": "repeated",
                  "type": "BlockMetadata",
                  "id": 3
                }
              }
            },
            "GetMetadataDeltaRequest": {
              "fields": {
                "base_snapshot_id": {
                  "type": "string",
                  "id": 1
                },
                "target_snapshot_id": {
                  "type": "string",
                  "id": 2
                },
                "starting_offset": {
                  "type": "int64",
                  "id": 3
                },
                "max_results": {
                  "type": "int32",
                  "id": 4
                },
                "secrets": {
                  "keyType": "string",
                  "type": "string",
                  "id": 5,
                  "options": {
                    "(csi_secret)": true
                  }
                }
              }
            },
            "GetMetadataDeltaResponse": {
              "fields": {
                "block_metadata_type": {
                  "type": "BlockMetadataType",
                  "id": 1
                },
                "volume_capacity_bytes": {
                  "type": "int64",
                  "id": 2
                },
                "block_metadata": {
                  "rule": "repeated",
                  "type": "BlockMetadata",
                  "id": 3
                }
              }
            }
          }
        }
      }
    },
    "google": {
      "nested": {
        "protobuf": {
          "nested": {
            "FileDescriptorSet": {
              "edition": "proto2",
              "fields": {
                "file": {
                  "rule": "repeated",
                  "type": "FileDescriptorProto",
                  "id": 1
                }
              },
              "extensions": [
                [
                  536000000,
                  536000000
                ]
              ]
            },
            "Edition": {
              "edition": "proto2",
              "values": {
                "EDITION_UNKNOWN": 0,
                "EDITION_LEGACY": 900,
                "EDITION_PROTO2": 998,
                "EDITION_PROTO3": 999,
                "EDITION_2023": 1000,
                "EDITION_2024": 1001,
                "EDITION_1_TEST_ONLY": 1,
                "EDITION_2_TEST_ONLY": 2,
                "EDITION_99997_TEST_ONLY": 99997,
                "EDITION_99998_TEST_ONLY": 99998,
                "EDITION_99999_TEST_ONLY": 99999,
                "EDITION_MAX": 2147483647
              }
            },
            "FileDescriptorProto": {
              "edition": "proto2",
              "fields": {
                "name": {
                  "type": "string",
                  "id": 1
                },
                "package": {
                  "type": "string",
                  "id": 2
                },
                "dependency": {
                  "rule": "repeated",
                  "type": "string",
                  "id": 3
                },
                "publicDependency": {
                  "rule": "repeated",
                  "type": "int32",
                  "id": 10
                },
                "weakDependency": {
                  "rule": "repeated",
                  "type": "int32",
                  "id": 11
                },
                "optionDependency": {
                  "rule": "repeated",
                  "type": "string",
                  "id": 15
                },
                "messageType": {
                  "rule": "repeated",
                  "type": "DescriptorProto",
                  "id": 4
                },
                "enumType": {
                  "rule": "repeated",
                  "type": "EnumDescriptorProto",
                  "id": 5
                },
                "service": {
                  "rule": "repeated",
                  "type": "ServiceDescriptorProto",
                  "id": 6
                },
                "extension": {
                  "rule": "repeated",
                  "type": "FieldDescriptorProto",
                  "id": 7
                },
                "options": {
                  "type": "FileOptions",
                  "id": 8
                },
                "sourceCodeInfo": {
                  "type": "SourceCodeInfo",
                  "id": 9
                },
                "syntax": {
                  "type": "string",
                  "id": 12
                },
                "edition": {
                  "type": "Edition",
                  "id": 14
                }
              }
            },
            "DescriptorProto": {
              "edition": "proto2",
              "fields": {
                "name": {
                  "type": "string",
                  "id": 1
                },
                "field": {
                  "rule": "repeated",
                  "type": "FieldDescriptorProto",
                  "id": 2
                },
                "extension": {
                  "rule": "repeated",
                  "type": "FieldDescriptorProto",
                  "id": 6
                },
                "nestedType": {
                  "rule": "repeated",
                  "type": "DescriptorProto",
                  "id": 3
                },
                "enumType": {
                  "rule": "repeated",
                  "type": "EnumDescriptorProto",
                  "id": 4
                },
                "extensionRange": {
                  "rule": "repeated",
                  "type": "ExtensionRange",
                  "id": 5
                },
                "oneofDecl": {
                  "rule": "repeated",
                  "type": "OneofDescriptorProto",
                  "id": 8
                },
                "options": {
                  "type": "MessageOptions",
                  "id": 7
                },
                "reservedRange": {
                  "rule": "repeated",
                  "type": "ReservedRange",
                  "id": 9
                },
                "reservedName": {
                  "rule": "repeated",
                  "type": "string",
                  "id": 10
                },
                "visibility": {
                  "type": "SymbolVisibility",
                  "id": 11
                }
              },
              "nested": {
                "ExtensionRange": {
                  "fields": {
                    "start": {
                      "type": "int32",
                      "id": 1
                    },
                    "end": {
                      "type": "int32",
                      "id": 2
                    },
                    "options": {
                      "type": "ExtensionRangeOptions",
                      "id": 3
                    }
                  }
                },
                "ReservedRange": {
                  "fields": {
                    "start": {
                      "type": "int32",
                      "id": 1
                    },
                    "end": {
                      "type": "int32",
                      "id": 2
                    }
                  }
                }
              }
            },
            "ExtensionRangeOptions": {
              "edition": "proto2",
              "fields": {
                "uninterpretedOption": {
                  "rule": "repeated",
                  "type": "UninterpretedOption",
                  "id": 999
                },
                "declaration": {
                  "rule": "repeated",
                  "type": "Declaration",
                  "id": 2,
                  "options": {
                    "retention": "RETENTION_SOURCE"
                  }
                },
                "features": {
                  "type": "FeatureSet",
                  "id": 50
                },
                "verification": {
                  "type": "VerificationState",
                  "id": 3,
                  "options": {
                    "default": "UNVERIFIED",
                    "retention": "RETENTION_SOURCE"
                  }
                }
              },
              "extensions": [
                [
                  1000,
                  536870911
                ]
              ],
              "nested": {
                "Declaration": {
                  "fields": {
                    "number": {
                      "type": "int32",
                      "id": 1
                    },
                    "fullName": {
                      "type": "string",
                      "id": 2
                    },
                    "type": {
                      "type": "string",
                      "id": 3
                    },
                    "reserved": {
                      "type": "bool",
                      "id": 5
                    },
                    "repeated": {
                      "type": "bool",
                      "id": 6
                    }
                  },
                  "reserved": [
                    [
                      4,
                      4
                    ]
                  ]
                },
                "VerificationState": {
                  "values": {
                    "DECLARATION": 0,
                    "UNVERIFIED": 1
                  }
                }
              }
            },
            "FieldDescriptorProto": {
              "edition": "proto2",
              "fields": {
                "name": {
                  "type": "string",
                  "id": 1
                },
                "number": {
                  "type": "int32",
                  "id": 3
                },
                "label": {
                  "type": "Label",
                  "id": 4
                },
                "type": {
                  "type": "Type",
                  "id": 5
                },
                "typeName": {
                  "type": "string",
                  "id": 6
                },
                "extendee": {
                  "type": "string",
                  "id": 2
                },
                "defaultValue": {
                  "type": "string",
                  "id": 7
                },
                "oneofIndex": {
                  "type": "int32",
                  "id": 9
                },
                "jsonName": {
                  "type": "string",
                  "id": 10
                },
                "options": {
                  "type": "FieldOptions",
                  "id": 8
                },
                "proto3Optional": {
                  "type": "bool",
                  "id": 17
                }
              },
              "nested": {
                "Type": {
                  "values": {
                    "TYPE_DOUBLE": 1,
                    "TYPE_FLOAT": 2,
                    "TYPE_INT64": 3,
                    "TYPE_UINT64": 4,
                    "TYPE_INT32": 5,
                    "TYPE_FIXED64": 6,
                    "TYPE_FIXED32": 7,
                    "TYPE_BOOL": 8,
                    "TYPE_STRING": 9,
                    "TYPE_GROUP": 10,
                    "TYPE_MESSAGE": 11,
                    "TYPE_BYTES": 12,
                    "TYPE_UINT32": 13,
                    "TYPE_ENUM": 14,
                    "TYPE_SFIXED32": 15,
                    "TYPE_SFIXED64": 16,
                    "TYPE_SINT32": 17,
                    "TYPE_SINT64": 18
                  }
                },
                "Label": {
                  "values": {
                    "LABEL_OPTIONAL": 1,
                    "LABEL_REPEATED": 3,
                    "LABEL_REQUIRED": 2
                  }
                }
              }
            },
            "OneofDescriptorProto": {
              "edition": "proto2",
              "fields": {
                "name": {
                  "type": "string",
                  "id": 1
                },
                "options": {
                  "type": "OneofOptions",
                  "id": 2
                }
              }
            },
            "EnumDescriptorProto": {
              "edition": "proto2",
              "fields": {
                "name": {
                  "type": "string",
                  "id": 1
                },
                "value": {
                  "rule": "repeated",
                  "type": "EnumValueDescriptorProto",
                  "id": 2
                },
                "options": {
                  "type": "EnumOptions",
                  "id": 3
                },
                "reservedRange": {
                  "rule": "repeated",
                  "type": "EnumReservedRange",
                  "id": 4
                },
                "reservedName": {
                  "rule": "repeated",
                  "type": "string",
                  "id": 5
                },
                "visibility": {
                  "type": "SymbolVisibility",
                  "id": 6
                }
              },
              "nested": {
                "EnumReservedRange": {
                  "fields": {
                    "start": {
                      "type": "int32",
                      "id": 1
                    },
                    "end": {
                      "type": "int32",
                      "id": 2
                    }
                  }
                }
              }
            },
            "EnumValueDescriptorProto": {
              "edition": "proto2",
              "fields": {
                "name": {
                  "type": "string",
                  "id": 1
                },
                "number": {
                  "type": "int32",
                  "id": 2
                },
                "options": {
                  "type": "EnumValueOptions",
                  "id": 3
                }
              }
            },
            "ServiceDescriptorProto": {
              "edition": "proto2",
              "fields": {
                "name": {
                  "type": "string",
                  "id": 1
                },
                "method": {
                  "rule": "repeated",
                  "type": "MethodDescriptorProto",
                  "id": 2
                },
                "options": {
                  "type": "ServiceOptions",
                  "id": 3
                }
              }
            },
            "MethodDescriptorProto": {
              "edition": "proto2",
              "fields": {
                "name": {
                  "type": "string",
                  "id": 1
                },
                "inputType": {
                  "type": "string",
                  "id": 2
                },
                "outputType": {
                  "type": "string",
                  "id": 3
                },
                "options": {
                  "type": "MethodOptions",
                  "id": 4
                },
                "clientStreaming": {
                  "type": "bool",
                  "id": 5
                },
                "serverStreaming": {
                  "type": "bool",
                  "id": 6
                }
              }
            },
            "FileOptions": {
              "edition": "proto2",
              "fields": {
                "javaPackage": {
                  "type": "string",
                  "id": 1
                },
                "javaOuterClassname": {
                  "type": "string",
                  "id": 8
                },
                "javaMultipleFiles": {
                  "type": "bool",
                  "id": 10
                },
                "javaGenerateEqualsAndHash": {
                  "type": "bool",
                  "id": 20,
                  "options": {
                    "deprecated": true
                  }
                },
                "javaStringCheckUtf8": {
                  "type": "bool",
                  "id": 27
                },
                "optimizeFor": {
                  "type": "OptimizeMode",
                  "id": 9,
                  "options": {
                    "default": "SPEED"
                  }
                },
                "goPackage": {
                  "type": "string",
                  "id": 11
                },
                "ccGenericServices": {
                  "type": "bool",
                  "id": 16
                },
                "javaGenericServices": {
                  "type": "bool",
                  "id": 17
                },
                "pyGenericServices": {
                  "type": "bool",
                  "id": 18
                },
                "deprecated": {
                  "type": "bool",
                  "id": 23
                },
                "ccEnableArenas": {
                  "type": "bool",
                  "id": 31,
                  "options": {
                    "default": true
                  }
                },
                "objcClassPrefix": {
                  "type": "string",
                  "id": 36
                },
                "csharpNamespace": {
                  "type": "string",
                  "id": 37
                },
                "swiftPrefix": {
                  "type": "string",
                  "id": 39
                },
                "phpClassPrefix": {
                  "type": "string",
                  "id": 40
                },
                "phpNamespace": {
                  "type": "string",
                  "id": 41
                },
                "phpMetadataNamespace": {
                  "type": "string",
                  "id": 44
                },
                "rubyPackage": {
                  "type": "string",
                  "id": 45
                },
                "features": {
                  "type": "FeatureSet",
                  "id": 50
                },
                "uninterpretedOption": {
                  "rule": "repeated",
                  "type": "UninterpretedOption",
                  "id": 999
                }
              },
              "extensions": [
                [
                  1000,
                  536870911
                ]
              ],
              "reserved": [
                [
                  42,
                  42
                ],
                [
                  38,
                  38
                ],
                "php_generic_services"
              ],
              "nested": {
                "OptimizeMode": {
                  "values": {
                    "SPEED": 1,
                    "CODE_SIZE": 2,
                    "LITE_RUNTIME": 3
                  }
                }
              }
            },
            "MessageOptions": {
              "edition": "proto2",
              "fields": {
                "messageSetWireFormat": {
                  "type": "bool",
                  "id": 1
                },
                "noStandardDescriptorAccessor": {
                  "type": "bool",
                  "id": 2
                },
                "deprecated": {
                  "type": "bool",
                  "id": 3
                },
                "mapEntry": {
                  "type": "bool",
                  "id": 7
                },
                "deprecatedLegacyJsonFieldConflicts": {
                  "type": "bool",
                  "id": 11,
                  "options": {
                    "deprecated": true
                  }
                },
                "features": {
                  "type": "FeatureSet",
                  "id": 12
                },
                "uninterpretedOption": {
                  "rule": "repeated",
                  "type": "UninterpretedOption",
                  "id": 999
                }
              },
              "extensions": [
                [
                  1000,
                  536870911
                ]
              ],
              "reserved": [
                [
                  4,
                  4
                ],
                [
                  5,
                  5
                ],
                [
                  6,
                  6
                ],
                [
                  8,
                  8
                ],
                [
                  9,
                  9
                ]
              ]
            },
            "FieldOptions": {
              "edition": "proto2",
              "fields": {
                "ctype": {
                  "type": "CType",
                  "id": 1,
                  "options": {
                    "default": "STRING"
                  }
                },
                "packed": {
                  "type": "bool",
                  "id": 2
                },
                "jstype": {
                  "type": "JSType",
                  "id": 6,
                  "options": {
                    "default": "JS_NORMAL"
                  }
                },
                "lazy": {
                  "type": "bool",
                  "id": 5
                },
                "unverifiedLazy": {
                  "type": "bool",
                  "id": 15
                },
                "deprecated": {
                  "type": "bool",
                  "id": 3
                },
                "weak": {
                  "type": "bool",
                  "id": 10,
                  "options": {
                    "deprecated": true
                  }
                },
                "debugRedact": {
                  "type": "bool",
                  "id": 16
                },
                "retention": {
                  "type": "OptionRetention",
                  "id": 17
                },
                "targets": {
                  "rule": "repeated",
                  "type": "OptionTargetType",
                  "id": 19
                },
                "editionDefaults": {
                  "rule": "repeated",
                  "type": "EditionDefault",
                  "id": 20
                },
                "features": {
                  "type": "FeatureSet",
                  "id": 21
                },
                "featureSupport": {
                  "type": "FeatureSupport",
                  "id": 22
                },
                "uninterpretedOption": {
                  "rule": "repeated",
                  "type": "UninterpretedOption",
                  "id": 999
                }
              },
              "extensions": [
                [
                  1000,
                  536870911
                ]
              ],
              "reserved": [
                [
                  4,
                  4
                ],
                [
                  18,
                  18
                ]
              ],
              "nested": {
                "CType": {
                  "values": {
                    "STRING": 0,
                    "CORD": 1,
                    "STRING_PIECE": 2
                  }
                },
                "JSType": {
                  "values": {
                    "JS_NORMAL": 0,
                    "JS_STRING": 1,
                    "JS_NUMBER": 2
                  }
                },
                "OptionRetention": {
                  "values": {
                    "RETENTION_UNKNOWN": 0,
                    "RETENTION_RUNTIME": 1,
                    "RETENTION_SOURCE": 2
                  }
                },
                "OptionTargetType": {
                  "values": {
                    "TARGET_TYPE_UNKNOWN": 0,
                    "TARGET_TYPE_FILE": 1,
                    "TARGET_TYPE_EXTENSION_RANGE": 2,
                    "TARGET_TYPE_MESSAGE": 3,
                    "TARGET_TYPE_FIELD": 4,
                    "TARGET_TYPE_ONEOF": 5,
                    "TARGET_TYPE_ENUM": 6,
                    "TARGET_TYPE_ENUM_ENTRY": 7,
                    "TARGET_TYPE_SERVICE": 8,
                    "TARGET_TYPE_METHOD": 9
                  }
                },
                "EditionDefault": {
                  "fields": {
                    "edition": {
                      "type": "Edition",
                      "id": 3
                    },
                    "value": {
                      "type": "string",
                      "id": 2
                    }
                  }
                },
                "FeatureSupport": {
                  "fields": {
                    "editionIntroduced": {
                      "type": "Edition",
                      "id": 1
                    },
                    "editionDeprecated": {
                      "type": "Edition",
                      "id": 2
                    },
                    "deprecationWarning": {
                      "type": "string",
                      "id": 3
                    },
                    "editionRemoved": {
                      "type": "Edition",
                      "id": 4
                    }
                  }
                }
              }
            },
            "OneofOptions": {
              "edition": "proto2",
              "fields": {
                "features": {
                  "type": "FeatureSet",
                  "id": 1
                },
                "uninterpretedOption": {
                  "rule": "repeated",
                  "type": "UninterpretedOption",
                  "id": 999
                }
              },
              "extensions": [
                [
                  1000,
                  536870911
                ]
              ]
            },
            "EnumOptions": {
              "edition": "proto2",
              "fields": {
                "allowAlias": {
                  "type": "bool",
                  "id": 2
                },
                "deprecated": {
                  "type": "bool",
                  "id": 3
                },
                "deprecatedLegacyJsonFieldConflicts": {
                  "type": "bool",
                  "id": 6,
                  "options": {
                    "deprecated": true
                  }
                },
                "features": {
                  "type": "FeatureSet",
                  "id": 7
                },
                "uninterpretedOption": {
                  "rule": "repeated",
                  "type": "UninterpretedOption",
                  "id": 999
                }
              },
              "extensions": [
                [
                  1000,
                  536870911
                ]
              ],
              "reserved": [
                [
                  5,
                  5
                ]
              ]
            },
            "EnumValueOptions": {
              "edition": "proto2",
              "fields": {
                "deprecated": {
                  "type": "bool",
                  "id": 1
                },
                "features": {
                  "type": "FeatureSet",
                  "id": 2
                },
                "debugRedact": {
                  "type": "bool",
                  "id": 3
                },
                "featureSupport": {
                  "type": "FieldOptions.FeatureSupport",
                  "id": 4
                },
                "uninterpretedOption": {
                  "rule": "repeated",
                  "type": "UninterpretedOption",
                  "id": 999
                }
              },
              "extensions": [
                [
                  1000,
                  536870911
                ]
              ]
            },
            "ServiceOptions": {
              "edition": "proto2",
              "fields": {
                "features": {
                  "type": "FeatureSet",
                  "id": 34
                },
                "deprecated": {
                  "type": "bool",
                  "id": 33
                },
                "uninterpretedOption": {
                  "rule": "repeated",
                  "type": "UninterpretedOption",
                  "id": 999
                }
              },
              "extensions": [
                [
                  1000,
                  536870911
                ]
              ]
            },
            "MethodOptions": {
              "edition": "proto2",
              "fields": {
                "deprecated": {
                  "type": "bool",
                  "id": 33
                },
                "idempotencyLevel": {
                  "type": "IdempotencyLevel",
                  "id": 34,
                  "options": {
                    "default": "IDEMPOTENCY_UNKNOWN"
                  }
                },
                "features": {
                  "type": "FeatureSet",
                  "id": 35
                },
                "uninterpretedOption": {
                  "rule": "repeated",
                  "type": "UninterpretedOption",
                  "id": 999
                }
              },
              "extensions": [
                [
                  1000,
                  536870911
                ]
              ],
              "nested": {
                "IdempotencyLevel": {
                  "values": {
                    "IDEMPOTENCY_UNKNOWN": 0,
                    "NO_SIDE_EFFECTS": 1,
                    "IDEMPOTENT": 2
                  }
                }
              }
            },
            "UninterpretedOption": {
              "edition": "proto2",
              "fields": {
                "name": {
                  "rule": "repeated",
                  "type": "NamePart",
                  "id": 2
                },
                "identifierValue": {
                  "type": "string",
                  "id": 3
                },
                "positiveIntValue": {
                  "type": "uint64",
                  "id": 4
                },
                "negativeIntValue": {
                  "type": "int64",
                  "id": 5
                },
                "doubleValue": {
                  "type": "double",
                  "id": 6
                },
                "stringValue": {
                  "type": "bytes",
                  "id": 7
                },
                "aggregateValue": {
                  "type": "string",
                  "id": 8
                }
              },
              "nested": {
                "NamePart": {
                  "fields": {
                    "namePart": {
                      "rule": "required",
                      "type": "string",
                      "id": 1
                    },
                    "isExtension": {
                      "rule": "required",
                      "type": "bool",
                      "id": 2
                    }
                  }
                }
              }
            },
            "FeatureSet": {
              "edition": "proto2",
              "fields": {
                "fieldPresence": {
                  "type": "FieldPresence",
                  "id": 1,
                  "options": {
                    "retention": "RETENTION_RUNTIME",
                    "targets": "TARGET_TYPE_FILE",
                    "feature_support.edition_introduced": "EDITION_2023",
                    "edition_defaults.edition": "EDITION_2023",
                    "edition_defaults.value": "EXPLICIT"
                  }
                },
                "enumType": {
                  "type": "EnumType",
                  "id": 2,
                  "options": {
                    "retention": "RETENTION_RUNTIME",
                    "targets": "TARGET_TYPE_FILE",
                    "feature_support.edition_introduced": "EDITION_2023",
                    "edition_defaults.edition": "EDITION_PROTO3",
                    "edition_defaults.value": "OPEN"
                  }
                },
                "repeatedFieldEncoding": {
                  "type": "RepeatedFieldEncoding",
                  "id": 3,
                  "options": {
                    "retention": "RETENTION_RUNTIME",
                    "targets": "TARGET_TYPE_FILE",
                    "feature_support.edition_introduced": "EDITION_2023",
                    "edition_defaults.edition": "EDITION_PROTO3",
                    "edition_defaults.value": "PACKED"
                  }
                },
                "utf8Validation": {
                  "type": "Utf8Validation",
                  "id": 4,
                  "options": {
                    "retention": "RETENTION_RUNTIME",
                    "targets": "TARGET_TYPE_FILE",
                    "feature_support.edition_introduced": "EDITION_2023",
                    "edition_defaults.edition": "EDITION_PROTO3",
                    "edition_defaults.value": "VERIFY"
                  }
                },
                "messageEncoding": {
                  "type": "MessageEncoding",
                  "id": 5,
                  "options": {
                    "retention": "RETENTION_RUNTIME",
                    "targets": "TARGET_TYPE_FILE",
                    "feature_support.edition_introduced": "EDITION_2023",
                    "edition_defaults.edition": "EDITION_LEGACY",
                    "edition_defaults.value": "LENGTH_PREFIXED"
                  }
                },
                "jsonFormat": {
                  "type": "JsonFormat",
                  "id": 6,
                  "options": {
                    "retention": "RETENTION_RUNTIME",
                    "targets": "TARGET_TYPE_FILE",
                    "feature_support.edition_introduced": "EDITION_2023",
                    "edition_defaults.edition": "EDITION_PROTO3",
                    "edition_defaults.value": "ALLOW"
                  }
                },
                "enforceNamingStyle": {
                  "type": "EnforceNamingStyle",
                  "id": 7,
                  "options": {
                    "retention": "RETENTION_SOURCE",
                    "targets": "TARGET_TYPE_METHOD",
                    "feature_support.edition_introduced": "EDITION_2024",
                    "edition_defaults.edition": "EDITION_2024",
                    "edition_defaults.value": "STYLE2024"
                  }
                },
                "defaultSymbolVisibility": {
                  "type": "VisibilityFeature.DefaultSymbolVisibility",
                  "id": 8,
                  "options": {
                    "retention": "RETENTION_SOURCE",
                    "targets": "TARGET_TYPE_FILE",
                    "feature_support.edition_introduced": "EDITION_2024",
                    "edition_defaults.edition": "EDITION_2024",
                    "edition_defaults.value": "EXPORT_TOP_LEVEL"
                  }
                }
              },
              "extensions": [
                [
                  1000,
                  9994
                ],
                [
                  9995,
                  9999
                ],
                [
                  10000,
                  10000
                ]
              ],
              "reserved": [
                [
                  999,
                  999
                ]
              ],
              "nested": {
                "FieldPresence": {
                  "values": {
                    "FIELD_PRESENCE_UNKNOWN": 0,
                    "EXPLICIT": 1,
                    "IMPLICIT": 2,
                    "LEGACY_REQUIRED": 3
                  }
                },
                "EnumType": {
                  "values": {
                    "ENUM_TYPE_UNKNOWN": 0,
                    "OPEN": 1,
                    "CLOSED": 2
                  }
                },
                "RepeatedFieldEncoding": {
                  "values": {
                    "REPEATED_FIELD_ENCODING_UNKNOWN": 0,
                    "PACKED": 1,
                    "EXPANDED": 2
                  }
                },
                "Utf8Validation": {
                  "values": {
                    "UTF8_VALIDATION_UNKNOWN": 0,
                    "VERIFY": 2,
                    "NONE": 3
                  }
                },
                "MessageEncoding": {
                  "values": {
                    "MESSAGE_ENCODING_UNKNOWN": 0,
                    "LENGTH_PREFIXED": 1,
                    "DELIMITED": 2
                  }
                },
                "JsonFormat": {
                  "values": {
                    "JSON_FORMAT_UNKNOWN": 0,
                    "ALLOW": 1,
                    "LEGACY_BEST_EFFORT": 2
                  }
                },
                "EnforceNamingStyle": {
                  "values": {
                    "ENFORCE_NAMING_STYLE_UNKNOWN": 0,
                    "STYLE2024": 1,
                    "STYLE_LEGACY": 2
                  }
                },
                "VisibilityFeature": {
                  "fields": {},
                  "reserved": [
                    [
                      1,
                      536870911
                    ]
                  ],
                  "nested": {
                    "DefaultSymbolVisibility": {
                      "values": {
                        "DEFAULT_SYMBOL_VISIBILITY_UNKNOWN": 0,
                        "EXPORT_ALL": 1,
                        "EXPORT_TOP_LEVEL": 2,
                        "LOCAL_ALL": 3,
                        "STRICT": 4
                      }
                    }
                  }
                }
              }
            },
            "FeatureSetDefaults": {
              "edition": "proto2",
              "fields": {
                "defaults": {
                  "rule": "repeated",
                  "type": "FeatureSetEditionDefault",
                  "id": 1
                },
                "minimumEdition": {
                  "type": "Edition",
                  "id": 4
                },
                "maximumEdition": {
                  "type": "Edition",
                  "id": 5
                }
              },
              "nested": {
                "FeatureSetEditionDefault": {
                  "fields": {
                    "edition": {
                      "type": "Edition",
                      "id": 3
                    },
                    "overridableFeatures": {
                      "type": "FeatureSet",
                      "id": 4
                    },
                    "fixedFeatures": {
                      "type": "FeatureSet",
                      "id": 5
                    }
                  },
                  "reserved": [
                    [
                      1,
                      1
                    ],
                    [
                      2,
                      2
                    ],
                    "features"
                  ]
                }
              }
            },
            "SourceCodeInfo": {
              "edition": "proto2",
              "fields": {
                "location": {
                  "rule": "repeated",
                  "type": "Location",
                  "id": 1
                }
              },
              "extensions": [
                [
                  536000000,
                  536000000
                ]
              ],
              "nested": {
                "Location": {
                  "fields": {
                    "path": {
                      "rule": "repeated",
                      "type": "int32",
                      "id": 1,
                      "options": {
                        "packed": true
                      }
                    },
                    "span": {
                      "rule": "repeated",
                      "type": "int32",
                      "id": 2,
                      "options": {
                        "packed": true
                      }
                    },
                    "leadingComments": {
                      "type": "string",
                      "id": 3
                    },
                    "trailingComments": {
                      "type": "string",
                      "id": 4
                    },
                    "leadingDetachedComments": {
                      "rule": "repeated",
                      "type": "string",
                      "id": 6
                    }
                  }
                }
              }
            },
            "GeneratedCodeInfo": {
              "edition": "proto2",
              "fields": {
                "annotation": {
                  "rule": "repeated",
                  "type": "Annotation",
                  "id": 1
                }
              },
              "nested": {
                "Annotation": {
                  "fields": {
                    "path": {
                      "rule": "repeated",
                      "type": "int32",
                      "id": 1,
                      "options": {
                        "packed": true
                      }
                    },
                    "sourceFile": {
                      "type": "string",
                      "id": 2
                    },
                    "begin": {
                      "type": "int32",
                      "id": 3
                    },
                    "end": {
                      "type": "int32",
                      "id": 4
                    },
                    "semantic": {
                      "type": "Semantic",
                      "id": 5
                    }
                  },
                  "nested": {
                    "Semantic": {
                      "values": {
                        "NONE": 0,
                        "SET": 1,
                        "ALIAS": 2
                      }
                    }
                  }
                }
              }
            },
            "SymbolVisibility": {
              "edition": "proto2",
              "values": {
                "VISIBILITY_UNSET": 0,
                "VISIBILITY_LOCAL": 1,
                "VISIBILITY_EXPORT": 2
              }
            },
            "Timestamp": {
              "fields": {
                "seconds": {
                  "type": "int64",
                  "id": 1
                },
                "nanos": {
                  "type": "int32",
                  "id": 2
                }
              }
            },
            "DoubleValue": {
              "fields": {
                "value": {
                  "type": "double",
                  "id": 1
                }
              }
            },
            "FloatValue": {
              "fields": {
                "value": {
                  "type": "float",
                  "id": 1
                }
              }
            },
            "Int64Value": {
              "fields": {
                "value": {
                  "type": "int64",
                  "id": 1
                }
              }
            },
            "UInt64Value": {
              "fields": {
                "value": {
                  "type": "uint64",
                  "id": 1
                }
              }
            },
            "Int32Value": {
              "fields": {
                "value": {
                  "type": "int32",
                  "id": 1
                }
              }
            },
            "UInt32Value": {
              "fields": {
                "value": {
                  "type": "uint32",
                  "id": 1
                }
              }
            },
            "BoolValue": {
              "fields": {
                "value": {
                  "type": "bool",
                  "id": 1
                }
              }
            },
            "StringValue": {
              "fields": {
                "value": {
                  "type": "string",
                  "id": 1
                }
              }
            },
            "BytesValue": {
              "fields": {
                "value": {
                  "type": "bytes",
                  "id": 1
                }
              }
            }
          }
        }
      }
    }
  }
} as unknown as INamespace; // its type asks every method for a comment
