import { StorageError } from '../../core/errors.ts';
import type { KeyedLock } from '../../util/keyed-lock.ts';
import type { Interceptor, LockKeys } from '../call.ts';
import type { RunningCalls } from '../running-calls.ts';

/**
 * One operation per volume at a time; others are told who is at work and come back (CSI spec, "Concurrency":
 * `ABORTED`). The innermost layer: its lock ends with the handler, not with the caller's patience (law 6).
 */
export function inFlight(lock: KeyedLock, running: RunningCalls, keysOf: LockKeys | undefined): Interceptor {
  return (next) => async (request, context) => {
    const { method, callId = '' } = context;
    const keys = keysOf?.(request) ?? [];
    const since = new Date();
    const taken = lock.tryAcquire(keys, `${method} (call ${callId}, since ${since.toISOString()})`);
    if (!taken.acquired) {
      const message = `${method} must wait: ${taken.holder} is still at work on ${taken.key}; call again later`;
      throw new StorageError('aborted', message);
    }
    const ended = running.begin({ method, callId, keys, since });
    try {
      return await next(request, context);
    } finally {
      taken.release();
      ended();
    }
  };
}
