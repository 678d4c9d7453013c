import type { MethodDefinition } from '@grpc/proto-loader';
import type { Logger } from '../../src/core/ports/logger.ts';
import type { CsiService } from '../../src/rpc/call.ts';
import { type CsiApi, serviceDefinition } from '../../src/rpc/csi-api.ts';
import type { RpcOf } from '../../src/rpc/csi-client.ts';
import { limitedHandler } from './limited-handler.ts';

export type RequestOf<Method> =
  Method extends MethodDefinition<infer Request, infer _R, infer _Q, infer _S> ? Request : never;
type AnswerOf<Method> =
  Method extends MethodDefinition<infer _Q, infer _R, infer _P, infer Answer> ? Answer : never;

/** Calls the handlers of a service as a client would, without a socket. */
export type WireCaller<Definition> = <Name extends RpcOf<Definition>>(
  name: Name,
  request: RequestOf<Definition[Name]>,
) => Promise<AnswerOf<Definition[Name]>>;

/** A request as its handler gets it: through the bytes of the wire, so that it has the defaults a real call has. */
export function wireRequest(api: CsiApi, service: string, name: string, request: unknown): unknown {
  const { requestSerialize, requestDeserialize } = methodOf(api, service, name);
  return requestDeserialize(requestSerialize(request));
}

/** Answers pass through the bytes too: one that cannot be encoded, or is lost in encoding, is seen. */
export function wireCaller<Definition>(
  api: CsiApi,
  service: CsiService,
  log: Logger,
): WireCaller<Definition> {
  return async (name, request) => {
    const { responseSerialize, responseDeserialize } = methodOf(api, service.name, name);
    const handler = limitedHandler(api, service, name);
    const received = wireRequest(api, service.name, name, request);
    const context = { service: service.name, method: name, signal: new AbortController().signal, log };
    const answer = await handler(received, context);
    return responseDeserialize(responseSerialize(answer)) as AnswerOf<Definition[typeof name]>;
  };
}

function methodOf(api: CsiApi, service: string, name: string): MethodDefinition<unknown, unknown> {
  const method = serviceDefinition(api, service)[name];
  if (method === undefined) throw new Error(`${service} has no ${name}`);
  return method as MethodDefinition<unknown, unknown>;
}
