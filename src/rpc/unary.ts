import { randomBytes } from 'node:crypto';
import { type handleUnaryCall, status, type ServerUnaryCall } from '@grpc/grpc-js';
import type { Logger } from '../core/ports/logger.ts';
import { CallError } from './call-error.ts';
import type { AnyHandler } from './call.ts';
import { callSignal } from './interceptors/deadline.ts';

export interface UnaryOptions {
  readonly service: string;
  readonly method: string;
  readonly log: Logger;
  /** Deadline in seconds of a call whose caller sets none. */
  readonly callTimeoutSeconds: number;
  /** Aborts when the server is stopped by force. */
  readonly stop: AbortSignal;
}

/** The single adapter between grpc-js and our handlers: callback to promise, events to AbortSignal, error to status. */
export function unary(handler: AnyHandler, options: UnaryOptions): handleUnaryCall<unknown, unknown> {
  const { service, method } = options;
  return (call, callback) => {
    const callId = randomBytes(4).toString('hex');
    const bounds = {
      deadline: call.getDeadline(),
      defaultSeconds: options.callTimeoutSeconds,
      stop: options.stop,
    };
    const lifetime = callSignal(bounds);
    onCancelled(call, lifetime.cancel);
    const log = options.log.child({ service, method, call: callId });
    void handler(call.request, { service, method, callId, log, signal: lifetime.signal })
      .then(
        (response) => {
          callback(null, response);
        },
        (error: unknown) => {
          callback(wireError(error, method));
        },
      )
      .finally(lifetime.release);
  };
}

function onCancelled(call: ServerUnaryCall<unknown, unknown>, cancel: () => void): void {
  call.on('cancelled', cancel);
  if (call.cancelled) cancel();
}

/** The onion answers with CallErrors only; anything else is a fault of the onion itself and says nothing. */
function wireError(error: unknown, method: string): { code: status; details: string } {
  if (error instanceof CallError) return { code: error.code, details: error.message };
  return { code: status.INTERNAL, details: `${method} failed in a way the driver did not foresee` };
}
