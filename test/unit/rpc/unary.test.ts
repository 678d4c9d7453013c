import { EventEmitter } from 'node:events';
import { status, type ServerUnaryCall } from '@grpc/grpc-js';
import { describe, expect, it } from '@jest/globals';
import type { StorageError } from '../../../src/core/errors.ts';
import { CallError } from '../../../src/rpc/call-error.ts';
import type { AnyHandler, CallContext } from '../../../src/rpc/call.ts';
import { unary } from '../../../src/rpc/unary.ts';
import { RecordingLogger } from '../../support/recording-logger.ts';

/** The part of grpc-js's call that the adapter uses. */
function fakeCall(cancelled = false): ServerUnaryCall<unknown, unknown> {
  const parts = { request: { volume_id: 'v' }, cancelled, getDeadline: () => Infinity };
  return Object.assign(new EventEmitter(), parts) as unknown as ServerUnaryCall<unknown, unknown>;
}

async function answer(
  handler: AnyHandler,
  call = fakeCall(),
  log = new RecordingLogger(),
): Promise<unknown[]> {
  const stop = new AbortController().signal;
  const adapted = unary(handler, { service: 'Node', method: 'Probe', log, callTimeoutSeconds: 60, stop });
  return new Promise((resolve) => {
    adapted(call, (...args: unknown[]) => {
      resolve(args);
    });
  });
}

describe('unary', () => {
  it('gives the handler the request and a context with a name of its own in every line', async () => {
    const log = new RecordingLogger();
    const contexts: CallContext[] = [];
    const handler: AnyHandler = (request, context) => {
      expect(request).toEqual({ volume_id: 'v' });
      contexts.push(context);
      context.log.info({}, 'at work');
      return Promise.resolve({ ready: true });
    };
    await expect(answer(handler, fakeCall(), log)).resolves.toEqual([null, { ready: true }]);
    await answer(handler, fakeCall(), log);
    const ids = contexts.map(({ callId }) => callId);
    expect(new Set(ids).size).toBe(2);
    expect(contexts[0]).toMatchObject({
      service: 'Node',
      method: 'Probe',
      callId: expect.stringMatching(/^[0-9a-f]{8}$/),
    });
    expect(log.lines[1]?.fields).toEqual({ service: 'Node', method: 'Probe', call: ids[1] });
  });

  it('gives a CallError to the wire, and of anything else only that it was', async () => {
    const foreseen = new CallError(status.NOT_FOUND, 'no volume v', { cause: new Error('private') });
    await expect(answer(() => Promise.reject(foreseen))).resolves.toEqual([
      { code: status.NOT_FOUND, details: 'no volume v' },
    ]);
    await expect(answer(() => Promise.reject(new Error('private')))).resolves.toEqual([
      { code: status.INTERNAL, details: 'Probe failed in a way the driver did not foresee' },
    ]);
  });

  it.each(['before', 'while'])('aborts the signal of a call that is cancelled %s it runs', async (when) => {
    const call = fakeCall(when === 'before');
    await answer((_request, { signal }) => {
      if (when === 'while') call.emit('cancelled', 'cancelled');
      expect(signal.aborted).toBe(true);
      expect((signal.reason as StorageError).code).toBe('cancelled');
      return Promise.resolve({});
    }, call);
  });
});
