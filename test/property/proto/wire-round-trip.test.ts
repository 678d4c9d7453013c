import type { MethodDefinition } from '@grpc/proto-loader';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import protobuf from 'protobufjs';
import { csiDescriptor } from '../../../src/gen/csi-descriptor.ts';
import { loadCsiApi, serviceDefinition } from '../../../src/rpc/csi-api.ts';
import { csiFacts } from '../../facts/csi-facts.ts';
import { decodedMessage } from './message-arbitrary.ts';

const api = loadCsiApi();
const root = protobuf.Root.fromJSON(csiDescriptor).resolveAll();
const rpcs = Object.entries(csiFacts.services).flatMap(([service, all]) =>
  all.map((rpc) => ({ service, ...rpc })),
);

/** Every message of the package is the request or the answer of an rpc, or part of one. */
describe('any message comes back from the wire as it was', () => {
  it.each(rpcs)('$service $rpc', ({ service, rpc, request, response }) => {
    const method = serviceDefinition(api, service)[rpc] as MethodDefinition<object, object>;
    fc.assert(
      fc.property(anyMessage(request), anyMessage(response), (asked, answered) => {
        expect(method.requestDeserialize(method.requestSerialize(asked))).toStrictEqual(asked);
        expect(method.responseDeserialize(method.responseSerialize(answered))).toStrictEqual(answered);
      }),
      { numRuns: 50 },
    );
  });
});

const anyMessage = (name: string): fc.Arbitrary<object> => decodedMessage(root.lookupType(`csi.v1.${name}`));
