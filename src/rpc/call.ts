import type { Logger } from '../core/ports/logger.ts';

/** What a handler knows of its call besides the request. */
export interface CallContext {
  /** `Controller`, `Node`, `Identity`. */
  readonly service: string;
  /** `CreateVolume`. */
  readonly method: string;
  /** Aborts when the caller cancels, its deadline passes, or the server is stopped by force. */
  readonly signal: AbortSignal;
  /** Carries service, method and call id. */
  readonly log: Logger;
  /** Names this call in the log, to its peers that wait for its lock, and in the answer to an unexpected failure. */
  readonly callId?: string;
}

/**
 * Answers one rpc. Required fields and the size limits of CSI were checked on the way (`field-rules.ts`): a handler
 * checks only what it alone can know.
 */
export type UnaryHandler<Request, Response> = (request: Request, context: CallContext) => Promise<Response>;

/** A handler once its types are forgotten: every typed handler is one. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the wire decoder has made the request what the method's handler takes
export type AnyHandler = UnaryHandler<any, unknown>;

/** One layer of the onion around every RPC: given the next layer, gives the layer to call instead. */
export type Interceptor = (next: AnyHandler) => AnyHandler;

/** Names what a request works on, for the per-volume lock; no names, no lock. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- as above
export type LockKeys = (request: any) => readonly string[];

/** One gRPC service of package csi.v1: its handlers by RPC name, and which of them exclude each other (law 6). */
export interface CsiService {
  readonly name: 'Identity' | 'Controller' | 'Node';
  readonly methods: Readonly<Record<string, AnyHandler>>;
  readonly lockKeys: Readonly<Record<string, LockKeys>>;
}

/** Layers from the outside in around a handler. */
export function wrap(interceptors: readonly Interceptor[], handler: AnyHandler): AnyHandler {
  return interceptors.reduceRight<AnyHandler>((next, interceptor) => interceptor(next), handler);
}
