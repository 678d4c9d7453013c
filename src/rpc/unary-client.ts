import { type Client, Metadata, type MethodDefinition } from '@grpc/grpc-js';

export interface UnaryCallOptions {
  /** Milliseconds; without it the call waits for its answer as long as the connection lives. */
  readonly timeoutMs?: number;
  /** Cancels the call. */
  readonly signal?: AbortSignal;
}

/** One unary call as a promise. Rejects with grpc-js's ServiceError: `code` and `details`. */
export function callUnary<Request, Response>(
  client: Client,
  rpc: MethodDefinition<Request, Response>,
  request: Request,
  { timeoutMs, signal }: UnaryCallOptions,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const { path, requestSerialize, responseDeserialize } = rpc;
    const call = client.makeUnaryRequest(
      path,
      requestSerialize,
      responseDeserialize,
      request,
      new Metadata(),
      { deadline: timeoutMs === undefined ? Infinity : Date.now() + timeoutMs },
      (error, response) => {
        signal?.removeEventListener('abort', cancel);
        if (error === null) resolve(response as Response);
        else reject(error);
      },
    );
    function cancel(): void {
      call.cancel();
    }
    signal?.addEventListener('abort', cancel, { once: true });
    if (signal?.aborted === true) cancel();
  });
}
