/** What can go wrong, in the driver's own words. `rpc/status.ts` gives each one its gRPC status. */
export type StorageErrorCode =
  | 'invalid-argument'
  | 'not-found'
  | 'already-exists'
  | 'failed-precondition'
  | 'out-of-range'
  | 'resource-exhausted'
  | 'aborted'
  | 'unimplemented'
  | 'unavailable'
  | 'deadline-exceeded'
  | 'cancelled'
  | 'data-loss'
  | 'internal';

/**
 * The only foreseen failure. The message is read by a person at 3 a.m. and says what was tried, on which disk
 * or path, what was found, and what to do; it never holds a secret. Adapters translate what their platform
 * throws at their own edge and keep the original as `cause`, which is logged and never sent.
 */
export class StorageError extends Error {
  readonly code: StorageErrorCode;

  constructor(code: StorageErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = 'StorageError';
    this.code = code;
  }

  /** True for a StorageError with this code. */
  static is(error: unknown, code: StorageErrorCode): error is StorageError {
    return error instanceof StorageError && error.code === code;
  }
}

/** Text of anything thrown, for use inside a message. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Throws `cancelled` when the caller has gone. Adapters call it between steps, never inside one. */
export function throwIfAborted(signal: AbortSignal, doing: string): void {
  if (signal.aborted) {
    throw new StorageError(
      'cancelled',
      `stopped before ${doing}: the caller cancelled or its deadline passed`,
      {
        cause: signal.reason,
      },
    );
  }
}
