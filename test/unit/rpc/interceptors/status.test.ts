import { describe, expect, it } from '@jest/globals';
import { status } from '@grpc/grpc-js';
import { StorageError, type StorageErrorCode } from '../../../../src/core/errors.ts';
import { CallError } from '../../../../src/rpc/call-error.ts';
import { loadCsiApi, requestType } from '../../../../src/rpc/csi-api.ts';
import { createRedactor } from '../../../../src/rpc/interceptors/redact.ts';
import { errorToStatus, STATUS_OF } from '../../../../src/rpc/interceptors/status.ts';
import { callContext } from '../../../support/call-context.ts';

const layer = errorToStatus(createRedactor(requestType(loadCsiApi(), 'CreateVolume')));

async function answerTo(error: unknown, request: unknown = {}): Promise<CallError> {
  // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- handlers may throw anything
  const call = layer(() => Promise.reject(error))(request, callContext());
  const thrown = await call.catch((answer: unknown) => answer);
  expect(thrown).toBeInstanceOf(CallError);
  return thrown as CallError;
}

describe('errorToStatus', () => {
  it.each<[StorageErrorCode, keyof typeof status]>([
    ['invalid-argument', 'INVALID_ARGUMENT'],
    ['not-found', 'NOT_FOUND'],
    ['already-exists', 'ALREADY_EXISTS'],
    ['failed-precondition', 'FAILED_PRECONDITION'],
    ['out-of-range', 'OUT_OF_RANGE'],
    ['resource-exhausted', 'RESOURCE_EXHAUSTED'],
    ['aborted', 'ABORTED'],
    ['unimplemented', 'UNIMPLEMENTED'],
    ['unavailable', 'UNAVAILABLE'],
    ['deadline-exceeded', 'DEADLINE_EXCEEDED'],
    ['cancelled', 'CANCELLED'],
    ['data-loss', 'DATA_LOSS'],
    ['internal', 'INTERNAL'],
  ])('answers %s with %s and the message', async (code, name) => {
    const error = await answerTo(new StorageError(code, 'disk 3 is offline: bring it online'));
    expect(error).toMatchObject({ code: status[name], message: 'disk 3 is offline: bring it online' });
  });

  it('has no two codes with one status', () => {
    expect(new Set(Object.values(STATUS_OF)).size).toBe(Object.keys(STATUS_OF).length);
  });

  it.each([new TypeError('secret path /etc/x'), 'a text', undefined, { code: 5, details: 'not ours' }])(
    'answers the unforeseen %p with the call to look for, and nothing of it',
    async (thrown) => {
      const error = await answerTo(thrown);
      expect(error.code).toBe(status.INTERNAL);
      expect(error.message).toBe(
        'CreateVolume failed in a way the driver did not foresee: look for call c0ffee00 in its log',
      );
      expect(error.cause).toBe(thrown);
    },
  );

  it('law 9: sends no secret of the request, even when a message quotes it', async () => {
    const error = await answerTo(new StorageError('internal', 'login with hunter2 failed'), {
      secrets: { password: 'hunter2' },
    });
    expect(error.message).toBe('login with [redacted] failed');
  });

  it('sends a message that fits into a header and can be percent-encoded', async () => {
    const error = await answerTo(new StorageError('internal', `\ud83d${'é'.repeat(5000)}`));
    expect(encodeURI(error.message).length).toBeLessThan(16 * 1024);
  });
});
