import { StorageError, throwIfAborted } from '../core/errors.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { ApiGroup } from '../proxyapi/api-versions.ts';
import type { ProxyCallObserver } from '../proxyapi/call-observer.ts';
import type { CodecOptions } from '../proxyapi/codec-of.ts';
import type { Slots } from '../util/slots.ts';
import { CALL_CLASSES, type CallClass, type Deadline } from './call-classes.ts';
import { type FailedCall, failureOf } from './call-failure.ts';
import { codecFor, type NamedCodec } from './codec-for.ts';
import type { Negotiations } from './negotiations.ts';
import type { Session } from './newest-session.ts';
import { PipeCallError, type PipeCallFault } from './pipe-transport.ts';

export interface ProxyCallsDeps {
  readonly log: Logger;
  readonly negotiations: Negotiations;
  /** The server works on so many calls at once. */
  readonly slots: Slots;
  readonly observer: ProxyCallObserver;
  /** Milliseconds that only go forward. */
  readonly now: () => number;
}

export interface ProxyCallsOptions {
  readonly timeoutMs: Readonly<Record<Deadline, number>>;
  readonly codecs: CodecOptions;
}

/** A call as one version has it. */
interface SentCall extends FailedCall {
  readonly signal: AbortSignal;
  /** Lets the next call in line go. */
  readonly release: () => void;
}

/** The same before there is a version. */
interface Call extends Omit<SentCall, 'version' | 'rpc'> {
  readonly method: string;
}

/** After these the connection serves no more, or the server behind it is another one than was negotiated with. */
const CONNECTION_IS_SPENT: readonly PipeCallFault[] = ['unsent', 'lost', 'unimplemented'];
/** After these the server has done nothing. */
const NOTHING_DONE: readonly PipeCallFault[] = ['unsent', 'unimplemented'];

/** Carries calls of the port to the server in whatever version is agreed on. */
export class ProxyCalls {
  readonly #deps: ProxyCallsDeps;
  readonly #options: ProxyCallsOptions;

  constructor(deps: ProxyCallsDeps, options: ProxyCallsOptions) {
    this.#deps = deps;
    this.#options = options;
  }

  /** Calls a method of a port by name; its types are those of the port, which the caller knows. */
  async call(
    group: ApiGroup,
    method: string,
    args: readonly unknown[],
    signal: AbortSignal,
  ): Promise<unknown> {
    throwIfAborted(signal, `${method} through CSI Proxy`);
    const classes: Readonly<Record<string, CallClass<readonly unknown[]>>> = CALL_CLASSES[group];
    const callClass = classes[method];
    if (callClass === undefined) throw new StorageError('unimplemented', `CSI Proxy has no ${method}`);
    const { effect, deadline } = callClass;
    const release = await this.#slot(method, signal);
    try {
      return await this.#tryTwice({
        group,
        method,
        args: callClass.toProxy?.(args) ?? args,
        isRead: effect === 'read',
        timeoutMs: this.#options.timeoutMs[deadline],
        secrets: callClass.secrets?.(args),
        signal,
        release,
      });
    } finally {
      release();
    }
  }

  async #slot(method: string, signal: AbortSignal): Promise<() => void> {
    try {
      return await this.#deps.slots.take(signal);
    } catch (error) {
      throwIfAborted(signal, `${method} through CSI Proxy, which waited for others to end`);
      throw error;
    }
  }

  async #tryTwice(call: Call): Promise<unknown> {
    const { negotiations } = this.#deps;
    for (let isLast = false; ; isLast = true) {
      const session = await negotiations.sessionFor(call.group, call.method, call.signal);
      throwIfAborted(call.signal, `${call.method} through CSI Proxy`);
      const codec = codecFor(session, call.method, this.#options.codecs);
      const request = codec.encodeRequest(call.args);
      const sent: SentCall = { ...call, version: session.version, rpc: codec.rpc };
      try {
        const response = await this.#send(session, request, sent);
        return decoded(codec, response, sent);
      } catch (error) {
        if (!(error instanceof PipeCallError)) throw error;
        if (CONNECTION_IS_SPENT.includes(error.fault)) negotiations.drop(session, error.fault);
        const mayRepeat = NOTHING_DONE.includes(error.fault) || (error.fault === 'lost' && call.isRead);
        if (isLast || !mayRepeat) throw failureOf(error, sent);
      }
    }
  }

  async #send({ connection }: Session, request: object, call: SentCall): Promise<object> {
    const { now, observer } = this.#deps;
    const { group, version, rpc, isRead, timeoutMs, signal } = call;
    const begun = now();
    const seconds = (): number => (now() - begun) / 1000;
    const tell = (code: string): void => {
      observer.called({ group, version, rpc, code, seconds: seconds() });
    };
    const watch = isRead ? undefined : watchMutation(call, seconds, this.#deps.log);
    try {
      const response = await connection.unary(rpc, request, isRead ? { timeoutMs, signal } : {});
      tell('OK');
      watch?.ended('OK');
      return response;
    } catch (error) {
      const code = error instanceof PipeCallError ? error.code : 'UNKNOWN';
      tell(code);
      watch?.ended(code);
      throw error;
    }
  }
}

/** A mutation keeps its caller waiting however long it takes, and with it the lock on the volume; but not the others in line. */
function watchMutation(
  { group, version, rpc, timeoutMs, release }: SentCall,
  seconds: () => number,
  log: Logger,
): { ended(code: string): void } {
  let isOverdue = false;
  const timer = setTimeout(() => {
    isOverdue = true;
    log.warn({ group, version, rpc, seconds: seconds() }, 'a change through CSI Proxy is overdue');
    release();
  }, timeoutMs);
  return {
    ended: (code) => {
      clearTimeout(timer);
      if (isOverdue)
        log.info({ group, version, rpc, code, seconds: seconds() }, 'the overdue change has ended');
    },
  };
}

/** A codec refuses what means nothing as it would a bad request; here the server is to blame. */
function decoded(codec: NamedCodec, response: object, { group, version, rpc }: SentCall): unknown {
  try {
    return codec.decodeResponse(response);
  } catch (error) {
    if (!StorageError.is(error, 'invalid-argument')) throw error;
    const text = `CSI Proxy answered ${rpc} (${group} ${version}) with what means nothing: ${error.message}`;
    throw new StorageError('internal', text, { cause: error });
  }
}
