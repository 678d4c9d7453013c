import type { Pipe } from '../proxyapi/api-versions.ts';

/** How one gets from here to a CSI Proxy. Another way to read and write a pipe is another implementation. */
export interface PipeTransport {
  /** One word for logs: `grpc`. */
  readonly name: string;
  /** Where a pipe is to be found, for messages: a path. */
  address(pipe: Pipe): string;
  /**
   * Connects and waits until the server has shown that it speaks. Throws `PipeUnusable`; the signal's reason when that
   * comes first.
   */
  connect(pipe: Pipe, signal: AbortSignal): Promise<PipeConnection>;
}

/** A connection that never comes back: when it has gone, another one is made, maybe to another version. */
export interface PipeConnection {
  /**
   * One call, by the name the rpc has in this version. Throws `PipeCallError`. Without `timeoutMs` it waits as long as
   * the connection lives; `signal` cancels the call.
   */
  unary(rpc: string, request: object, options: PipeCallOptions): Promise<object>;
  /** Fulfilled when no more calls can begin. Those that have begun may still be answered. */
  readonly closed: Promise<void>;
  /** Begins no more calls; those that have begun may still be answered. */
  close(): void;
}

export interface PipeCallOptions {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/**
 * `absent`: nobody listens. `busy`: every instance of the pipe is taken for the moment. `stalled`: connected, and not a
 * word from the server. `broken`: anything else, such as no permission, or a server that hangs up.
 */
export type PipeFault = 'absent' | 'busy' | 'stalled' | 'broken';

/** Why there is no connection. `fault` is found from error codes and time, never from a text. */
export class PipeUnusable extends Error {
  readonly fault: PipeFault;

  constructor(fault: PipeFault, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = 'PipeUnusable';
    this.fault = fault;
  }
}

/**
 * `unsent`: the connection had gone before the request could leave. `lost`: it broke while the server may have been at
 * work. `unimplemented`: the server does not know the rpc. `answered`: the server says that it failed.
 */
export type PipeCallFault = 'unsent' | 'lost' | 'unimplemented' | 'answered' | 'timed-out' | 'cancelled';

/** How a call failed. */
export class PipeCallError extends Error {
  readonly fault: PipeCallFault;
  /** gRPC status name, for metrics. */
  readonly code: string;

  /** `message` is the server's, or the transport's. */
  constructor(fault: PipeCallFault, code: string, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = 'PipeCallError';
    this.fault = fault;
    this.code = code;
  }
}
