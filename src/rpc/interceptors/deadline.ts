import { StorageError } from '../../core/errors.ts';
import type { CallContext, Interceptor } from '../call.ts';
import { failureFields } from '../failure-fields.ts';
import type { Redactor } from './redact.ts';

/** Why and when a call must stop, as its transport knows it. */
export interface CallBounds {
  /** The caller's deadline as grpc-js gives it; `Infinity` when it set none. */
  readonly deadline: Date | number;
  /** In force when the caller set none. */
  readonly defaultSeconds: number;
  /** Aborts when the server is stopped by force, with the StorageError to answer. */
  readonly stop: AbortSignal;
}

export interface CallSignal {
  /** Its reason is the StorageError that answers the call. */
  readonly signal: AbortSignal;
  /** The caller has gone. */
  readonly cancel: () => void;
  /** Lets go of the timer and of `stop`: to be called when the call has been answered. */
  readonly release: () => void;
}

/** The longest time a Node.js timer can measure. */
const MAX_TIMER_MS = 2 ** 31 - 1;
/** A caller whose deadline passes also cancels, and that may arrive before our own timer fires. */
const SLACK_MS = 50;

/** One signal from the deadline, the cancellation and the forced stop of a call. */
export function callSignal({ deadline, defaultSeconds, stop }: CallBounds): CallSignal {
  const controller = new AbortController();
  const end = Number.isFinite(Number(deadline)) ? Number(deadline) : Date.now() + defaultSeconds * 1000;
  const abort = (reason: unknown): void => {
    controller.abort(reason);
  };
  const timeUp = (): void => {
    abort(new StorageError('deadline-exceeded', 'the deadline of the call passed; what has begun goes on'));
  };
  const timer = setTimeout(timeUp, Math.min(Math.max(0, end - Date.now()), MAX_TIMER_MS));
  const stopped = (): void => {
    abort(stop.reason);
  };
  stop.addEventListener('abort', stopped, { once: true });
  if (stop.aborted) stopped();
  return {
    signal: controller.signal,
    cancel: () => {
      if (end - Date.now() <= SLACK_MS) timeUp();
      else abort(new StorageError('cancelled', 'the caller cancelled the call; what has begun goes on'));
    },
    release: () => {
      clearTimeout(timer);
      stop.removeEventListener('abort', stopped);
    },
  };
}

/**
 * Answers the caller as soon as the call's signal aborts, although the handler may not be done: a host command that
 * has begun runs to its end. Everything inside this layer, the lock above all, stays in force until then (law 6),
 * and how the handler ended after all is logged.
 */
export function deadline(redactor: Redactor): Interceptor {
  return (next) => async (request, context) => {
    const { signal } = context;
    if (signal.aborted) throw reasonOf(signal);
    const outcome = next(request, context);
    const { promise: aborted, stopWaiting } = rejectOnAbort(signal);
    try {
      return await Promise.race([outcome, aborted]);
    } catch (error) {
      if (!context.signal.aborted) throw error;
      logLateOutcome(outcome, context, (text) => redactor.scrub(text, request));
      throw reasonOf(signal);
    } finally {
      stopWaiting();
    }
  };
}

function rejectOnAbort(signal: AbortSignal): { promise: Promise<never>; stopWaiting: () => void } {
  let stopWaiting = (): void => undefined;
  const promise = new Promise<never>((_resolve, reject) => {
    const onAbort = (): void => {
      reject(reasonOf(signal));
    };
    signal.addEventListener('abort', onAbort, { once: true });
    stopWaiting = () => {
      signal.removeEventListener('abort', onAbort);
    };
  });
  return { promise, stopWaiting };
}

const reasonOf = (signal: AbortSignal): StorageError =>
  signal.reason instanceof StorageError
    ? signal.reason
    : new StorageError('cancelled', 'the call was cancelled', { cause: signal.reason });

function logLateOutcome(
  outcome: Promise<unknown>,
  { log, method }: CallContext,
  scrub: (text: string) => string,
): void {
  const begin = performance.now();
  const lateMs = (): number => Math.round(performance.now() - begin);
  outcome.then(
    () => {
      log.info({ lateMs: lateMs() }, `${method} succeeded after its caller had stopped waiting`);
    },
    (error: unknown) => {
      const fields = { lateMs: lateMs(), ...failureFields(error, scrub) };
      log.warn(fields, `${method} failed after its caller had stopped waiting`);
    },
  );
}
