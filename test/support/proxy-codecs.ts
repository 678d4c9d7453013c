import type { MethodDefinition } from '@grpc/grpc-js';
import { ALL_PIPES, type ApiGroup, type Pipe } from '../../src/proxyapi/api-versions.ts';
import { codecOf } from '../../src/proxyapi/codec-of.ts';
import { wireService } from '../../src/proxyapi/wire-service.ts';

/** The codec of any method of any port, so that a test can walk over all of them. */
export interface AnyCodec {
  readonly rpc: string;
  encodeRequest(args: readonly unknown[]): object;
  decodeRequest(request: object): readonly unknown[];
  encodeResponse(result: unknown): object;
  decodeResponse(response: object): unknown;
}

/** One method as one version has it, with the real gRPC definition of its rpc. */
export interface WireMethod {
  readonly pipe: Pipe;
  readonly method: string;
  readonly codec: AnyCodec;
  readonly wire: MethodDefinition<unknown, unknown>;
}

/** All that a pipe can do. */
export function methodsOf(pipe: Pipe): readonly WireMethod[] {
  const service = wireService(pipe);
  const codecs: Readonly<Partial<Record<string, object>>> = codecOf(pipe.group, pipe.version);
  return Object.entries(codecs).map(([method, found]) => {
    const codec = found as AnyCodec;
    const wire = service[codec.rpc];
    if (wire === undefined) throw new Error(`${pipe.group} ${pipe.version} has no rpc ${codec.rpc}`);
    return { pipe, method, codec, wire };
  });
}

export const allMethods = (): readonly WireMethod[] => ALL_PIPES.flatMap(methodsOf);

/** What the other side reads of a request, a response, after it has been bytes. */
export const requestOverWire = ({ wire }: WireMethod, request: object): object =>
  wire.requestDeserialize(wire.requestSerialize(request)) as object;
export const responseOverWire = ({ wire }: WireMethod, response: object): object =>
  wire.responseDeserialize(wire.responseSerialize(response)) as object;

/** Names of the methods of a group's port: every one is in some version. */
export const portMethods = (group: ApiGroup): readonly string[] => [
  ...new Set(
    ALL_PIPES.filter((pipe) => pipe.group === group).flatMap((pipe) =>
      Object.keys(codecOf(group, pipe.version)),
    ),
  ),
];
