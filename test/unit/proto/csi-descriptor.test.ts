import type { MethodDefinition } from '@grpc/proto-loader';
import { fromJSON } from '@grpc/proto-loader';
import { describe, expect, it } from '@jest/globals';
import protobuf from 'protobufjs';
import { csiDescriptor } from '../../../src/gen/csi-descriptor.ts';
import type {
  NodeGetInfoResponse,
  NodeGetInfoResponse__Output,
} from '../../../src/gen/csi/csi/v1/NodeGetInfoResponse.ts';

const definition = fromJSON(csiDescriptor, {
  keepCase: true,
  longs: String,
  enums: String,
  defaults: true,
  oneofs: true,
});
const node = definition['csi.v1.Node'] as unknown as Record<
  string,
  MethodDefinition<object, object, NodeGetInfoResponse, NodeGetInfoResponse__Output>
>;

describe('descriptor at run time', () => {
  it('carries a NodeGetInfoResponse with the largest int64 and nothing lost', () => {
    const info = {
      node_id: 'win-1',
      max_volumes_per_node: '9223372036854775807',
      accessible_topology: { segments: { 'topology.ntfs.csi.io/zone': 'local' } },
    };
    const bytes = node['NodeGetInfo']?.responseSerialize(info) ?? Buffer.alloc(0);
    expect(node['NodeGetInfo']?.responseDeserialize(bytes)).toEqual(info);
    expect(bytes.subarray(0, 17).toString('hex')).toBe('0a0577696e2d3110ffffffffffffffff7f');
  });

  it('fills in what an empty message leaves out', () => {
    expect(node['NodeGetInfo']?.responseDeserialize(Buffer.alloc(0))).toEqual({
      node_id: '',
      max_volumes_per_node: '0',
      accessible_topology: null,
    });
  });

  it('law 9: tells which fields are secret', () => {
    const root = protobuf.Root.fromJSON(csiDescriptor);
    const { secrets, volume_id } = root.lookupType('csi.v1.NodeStageVolumeRequest').fields;
    expect(secrets?.options).toEqual({ '(csi_secret)': true });
    expect(volume_id?.options).toBeUndefined();
  });

  it('names no file of the machine that made it', () => {
    expect(JSON.stringify(csiDescriptor)).not.toMatch(/\/(work|home|tmp|root|Users)\//);
  });
});
