import type { KeyedLock } from '../util/keyed-lock.ts';
import { type AnyHandler, type CsiService, type Interceptor, wrap } from './call.ts';
import { type CsiApi, requestType } from './csi-api.ts';
import { deadline } from './interceptors/deadline.ts';
import { inFlight } from './interceptors/in-flight.ts';
import { limits } from './interceptors/limits.ts';
import { type CallObserver, metrics } from './interceptors/metrics.ts';
import { createRedactor } from './interceptors/redact.ts';
import { requestLog } from './interceptors/request-log.ts';
import { errorToStatus } from './interceptors/status.ts';
import type { RunningCalls } from './running-calls.ts';

export interface OnionParts {
  readonly api: CsiApi;
  readonly observer: CallObserver;
  readonly lock: KeyedLock;
  readonly running: RunningCalls;
  /** Refuses calls while the server drains. */
  readonly gate: Interceptor;
}

/**
 * Every layer around every RPC, outermost first. Measuring and logging see the status the caller gets; the limits
 * come before the clock and the lock, because a request that is refused for its fields touches nothing; the lock is
 * innermost, because it must outlive the deadline (law 6).
 */
export function onion(service: CsiService, method: string, parts: OnionParts): AnyHandler {
  const handler = service.methods[method];
  if (handler === undefined) throw new Error(`service ${service.name} has no handler for ${method}`);
  const type = requestType(parts.api, method);
  const redactor = createRedactor(type);
  const layers: readonly Interceptor[] = [
    metrics(parts.observer),
    requestLog(redactor),
    errorToStatus(redactor),
    parts.gate,
    limits(type),
    deadline(redactor),
    inFlight(parts.lock, parts.running, service.lockKeys[method]),
  ];
  return wrap(layers, handler);
}
