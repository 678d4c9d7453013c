import { status } from '@grpc/grpc-js';
import { StorageError, type StorageErrorCode } from '../../core/errors.ts';
import { CallError } from '../call-error.ts';
import type { CallContext, Interceptor } from '../call.ts';
import { wireText } from '../wire-text.ts';
import type { Redactor } from './redact.ts';

/** The one place where a failure of the driver gets its gRPC status. A new code does not compile without one. */
export const STATUS_OF = {
  'invalid-argument': status.INVALID_ARGUMENT,
  'not-found': status.NOT_FOUND,
  'already-exists': status.ALREADY_EXISTS,
  'failed-precondition': status.FAILED_PRECONDITION,
  'out-of-range': status.OUT_OF_RANGE,
  'resource-exhausted': status.RESOURCE_EXHAUSTED,
  aborted: status.ABORTED,
  unimplemented: status.UNIMPLEMENTED,
  unavailable: status.UNAVAILABLE,
  'deadline-exceeded': status.DEADLINE_EXCEEDED,
  cancelled: status.CANCELLED,
  'data-loss': status.DATA_LOSS,
  internal: status.INTERNAL,
} as const satisfies Record<StorageErrorCode, status>;

/**
 * Turns what a call threw into what its caller may see. A StorageError was written for a person and is sent; anything
 * else was not foreseen, may hold anything, and is answered with the call's name in the log.
 */
export function errorToStatus(redactor: Redactor): Interceptor {
  return (next) => async (request, context) => {
    try {
      return await next(request, context);
    } catch (error) {
      if (!(error instanceof StorageError)) throw unexpected(error, context);
      const message = wireText(redactor.scrub(error.message, request));
      throw new CallError(STATUS_OF[error.code], message, { cause: error.cause });
    }
  };
}

function unexpected(cause: unknown, { method, callId }: CallContext): CallError {
  const message = `${method} failed in a way the driver did not foresee: look for call ${callId ?? ''} in its log`;
  return new CallError(status.INTERNAL, message, { cause });
}
