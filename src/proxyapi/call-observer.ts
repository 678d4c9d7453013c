import type { ApiGroup, Pipe } from './api-versions.ts';

/** One finished call over a pipe, as client and server count it. */
export interface ProxyCall extends Pipe {
  /** `ListDiskIDs`, as this version names it. */
  readonly rpc: string;
  /** gRPC status name: `OK`, `UNKNOWN`, `UNAVAILABLE`. */
  readonly code: string;
  readonly seconds: number;
}

/** Sees every call over a pipe. */
export interface ProxyCallObserver {
  called(call: ProxyCall): void;
}

/** Sees also what a client has agreed on with its server; `undefined` while it has no version of a group. */
export interface NegotiationObserver extends ProxyCallObserver {
  negotiated(group: ApiGroup, version: string | undefined): void;
}
