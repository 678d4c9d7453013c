import type { RpcCodec } from '../rpc-codec.ts';

interface Messages {
  readonly request: object;
  readonly response: object;
}

/**
 * A `GroupCodec` checked against the generated messages of its version: each method names an rpc that exists there
 * and makes exactly its messages.
 */
export type VersionCodec<Port, Rpcs extends { readonly [Rpc in keyof Rpcs]: Messages }> = {
  readonly [Method in keyof Port]?: {
    readonly [Rpc in keyof Rpcs & string]: RpcCodec<
      Port[Method],
      Rpcs[Rpc]['request'],
      Rpcs[Rpc]['response']
    > & { readonly rpc: Rpc };
  }[keyof Rpcs & string];
};

/** One half of the codec of an rpc: what it takes. */
export interface RequestHalf<Args, Request> {
  encodeRequest(args: Args): Request;
  decodeRequest(request: Request): Args;
}

/** The other half: what it answers. */
export interface AnswerHalf<Result, Response> {
  encodeResponse(result: Result): Response;
  decodeResponse(response: Response): Result;
}

export const noArguments: RequestHalf<[], object> = {
  encodeRequest: () => ({}),
  decodeRequest: () => [],
};
export const noAnswer: AnswerHalf<void, object> = {
  encodeResponse: () => ({}),
  decodeResponse: () => undefined,
};
