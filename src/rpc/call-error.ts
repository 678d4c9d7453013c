import { status } from '@grpc/grpc-js';

/** A failure as the caller gets it: a gRPC status and a text fit for the wire. Made only by `interceptors/status.ts`. */
export class CallError extends Error {
  readonly code: status;

  constructor(code: status, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = 'CallError';
    this.code = code;
  }
}

/** `OK`, `NOT_FOUND`, … of how a call ended, for logs and metrics; `error` is what the call threw. */
export function outcomeOf(error: unknown): string {
  return error instanceof CallError ? status[error.code] : 'UNKNOWN';
}
