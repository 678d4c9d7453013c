import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { StorageError } from '../../../../src/core/errors.ts';
import { loadCsiApi, requestType } from '../../../../src/rpc/csi-api.ts';
import { callSignal, type CallBounds, deadline } from '../../../../src/rpc/interceptors/deadline.ts';
import { createRedactor } from '../../../../src/rpc/interceptors/redact.ts';
import { callContext } from '../../../support/call-context.ts';
import { RecordingLogger } from '../../../support/recording-logger.ts';

describe('callSignal', () => {
  beforeEach(() => {
    jest.useFakeTimers({ now: 1_000_000 });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  const bounds = (changes: Partial<CallBounds> = {}): CallBounds => ({
    deadline: Infinity,
    defaultSeconds: 120,
    stop: new AbortController().signal,
    ...changes,
  });
  const codeOf = (signal: AbortSignal): string | undefined =>
    signal.aborted ? (signal.reason as StorageError).code : undefined;

  it.each<[string, CallBounds['deadline'], number]>([
    ['the default when the caller sets none', Infinity, 120_000],
    ['a Date of the caller', new Date(1_005_000), 5000],
    ['a number of the caller', 1_300_000, 300_000],
  ])('aborts at %s', (_whose, when, milliseconds) => {
    const { signal } = callSignal(bounds({ deadline: when }));
    jest.advanceTimersByTime(milliseconds - 1);
    expect(codeOf(signal)).toBeUndefined();
    jest.advanceTimersByTime(1);
    expect(codeOf(signal)).toBe('deadline-exceeded');
  });

  it('aborts at once when the deadline has passed', () => {
    const { signal } = callSignal(bounds({ deadline: 1 }));
    jest.advanceTimersByTime(0);
    expect(codeOf(signal)).toBe('deadline-exceeded');
  });

  it('bears a deadline longer than a timer can measure', () => {
    const { signal, release } = callSignal(bounds({ deadline: Number.MAX_SAFE_INTEGER }));
    jest.advanceTimersByTime(1000);
    expect(codeOf(signal)).toBeUndefined();
    release();
  });

  it('tells a caller that cancels from one whose deadline passes', () => {
    const early = callSignal(bounds({ deadline: 1_005_000 }));
    early.cancel();
    expect(codeOf(early.signal)).toBe('cancelled');
    const late = callSignal(bounds({ deadline: 1_005_000 }));
    jest.setSystemTime(1_004_990);
    late.cancel();
    expect(codeOf(late.signal)).toBe('deadline-exceeded');
  });

  it.each(['before', 'after'])('aborts with the reason of a forced stop %s the call came', (when) => {
    const stop = new AbortController();
    const abort = (): void => {
      stop.abort(new StorageError('unavailable', 'shutting down'));
    };
    if (when === 'before') abort();
    const { signal } = callSignal(bounds({ stop: stop.signal }));
    if (when === 'after') abort();
    expect(codeOf(signal)).toBe('unavailable');
  });

  it('leaves no timer and listens to nothing after release', () => {
    const stop = new AbortController();
    const { signal, release } = callSignal(bounds({ stop: stop.signal }));
    release();
    expect(jest.getTimerCount()).toBe(0);
    stop.abort(new StorageError('unavailable', 'shutting down'));
    expect(codeOf(signal)).toBeUndefined();
  });
});

describe('deadline', () => {
  const layer = deadline(createRedactor(requestType(loadCsiApi(), 'CreateVolume')));
  const passed = new StorageError('deadline-exceeded', 'too late');
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  function lateCall(request: unknown = {}): {
    readonly call: Promise<unknown>;
    readonly log: RecordingLogger;
    readonly abort: () => void;
    readonly settle: (how: 'resolve' | 'reject', what: unknown) => void;
  } {
    const log = new RecordingLogger();
    const controller = new AbortController();
    let resolve: (value: unknown) => void = () => undefined;
    let reject: (error: unknown) => void = () => undefined;
    const handler = layer(() => new Promise((...settlers) => ([resolve, reject] = settlers)));
    const call = handler(request, callContext({ signal: controller.signal, log }));
    const abort = (): void => {
      controller.abort(passed);
    };
    const settle = (how: 'resolve' | 'reject', what: unknown): void => {
      if (how === 'resolve') resolve(what);
      else reject(what);
    };
    return { call, log, abort, settle };
  }

  it('passes on what a handler in time answers or throws', async () => {
    const failure = new StorageError('not-found', 'gone');
    await expect(layer(() => Promise.resolve('answer'))({}, callContext())).resolves.toBe('answer');
    await expect(layer(() => Promise.reject(failure))({}, callContext())).rejects.toBe(failure);
  });

  it('law 6: answers when the deadline passes, and logs the success that came too late', async () => {
    const { call, log, abort, settle } = lateCall();
    abort();
    await expect(call).rejects.toBe(passed);
    expect(log.lines).toEqual([]);
    settle('resolve', 'late');
    await turn();
    expect(log.lines).toMatchObject([
      { level: 'info', message: 'CreateVolume succeeded after its caller had stopped waiting' },
    ]);
  });

  it('law 6: logs the failure that came too late; law 9: without the secrets it quotes', async () => {
    const { call, log, abort, settle } = lateCall({ secrets: { key: 'hunter2' } });
    abort();
    await expect(call).rejects.toBe(passed);
    settle('reject', new Error('hunter2 refused'));
    await turn();
    expect(log.lines).toMatchObject([{ level: 'warn', fields: { error: '[redacted] refused' } }]);
    expect(JSON.stringify(log.lines)).not.toContain('hunter2');
  });

  it('answers with why the call was to stop, not with how the handler noticed', async () => {
    const { call, abort, settle } = lateCall();
    abort();
    settle('reject', new StorageError('cancelled', 'stopped before format'));
    await expect(call).rejects.toBe(passed);
  });

  it('does not begin a call that is over', async () => {
    const untouched = layer(() => {
      throw new Error('must not run');
    });
    await expect(untouched({}, callContext({ signal: AbortSignal.abort(passed) }))).rejects.toBe(passed);
  });

  it('gives a foreign reason a code', async () => {
    const call = layer(() => Promise.resolve())({}, callContext({ signal: AbortSignal.abort('why not') }));
    await expect(call).rejects.toMatchObject({ code: 'cancelled' });
  });
});
