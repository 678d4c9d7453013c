import { describe, expect, it } from '@jest/globals';
import { status } from '@grpc/grpc-js';
import { CallError } from '../../../../src/rpc/call-error.ts';
import { loadCsiApi, requestType } from '../../../../src/rpc/csi-api.ts';
import { createRedactor } from '../../../../src/rpc/interceptors/redact.ts';
import { requestLog } from '../../../../src/rpc/interceptors/request-log.ts';
import { callContext } from '../../../support/call-context.ts';
import { type LogLine, RecordingLogger } from '../../../support/recording-logger.ts';

const api = loadCsiApi();

async function lineOf(method: string, outcome: unknown, request: unknown = {}): Promise<LogLine | undefined> {
  const log = new RecordingLogger();
  const layer = requestLog(createRedactor(requestType(api, method)));
  const call = layer(() => (outcome instanceof Error ? Promise.reject(outcome) : Promise.resolve(outcome)));
  const passedOn = await call(request, callContext({ method, log })).catch((error: unknown) => error);
  expect(passedOn).toBe(outcome);
  expect(log.lines).toHaveLength(1);
  return log.lines[0];
}

describe('requestLog', () => {
  it.each([
    ['CreateVolume', 'info'],
    ['NodeStageVolume', 'info'],
    ['DeleteSnapshot', 'info'],
    ['Probe', 'debug'],
    ['NodeGetCapabilities', 'debug'],
    ['ControllerGetCapabilities', 'debug'],
    ['NodeGetVolumeStats', 'debug'],
    ['ListVolumes', 'debug'],
  ])('logs the success of %s at %s', async (method, level) => {
    const line = await lineOf(method, 'answer');
    expect(line).toMatchObject({ level, message: `${method} OK`, fields: { code: 'OK' } });
    expect(line?.fields).toHaveProperty('durationMs', expect.any(Number));
  });

  it.each([
    ['ABORTED', 'info'],
    ['CANCELLED', 'info'],
    ['NOT_FOUND', 'warn'],
    ['DEADLINE_EXCEEDED', 'warn'],
    ['INTERNAL', 'error'],
    ['DATA_LOSS', 'error'],
  ] as const)('logs %s at %s, also of a chatty rpc', async (code, level) => {
    const line = await lineOf('Probe', new CallError(status[code], 'what was found'));
    expect(line).toMatchObject({
      level,
      message: `Probe ${code}`,
      fields: { code, error: 'what was found' },
    });
    expect(line?.fields).not.toHaveProperty('cause');
  });

  it('logs the whole cause with its stack', async () => {
    const cause = new Error('outer', { cause: new TypeError('inner') });
    const line = await lineOf('CreateVolume', new CallError(status.INTERNAL, 'look for it', { cause }));
    expect(line?.fields).toHaveProperty(
      'cause',
      expect.stringMatching(/outer[^]*at [^]*caused by: TypeError: inner/),
    );
  });

  it('law 9: logs a request without its secrets, and no error or cause that quotes one', async () => {
    const cause = new Error('tool --password hunter2', { cause: { argv: ['hun\n"ter3'] } });
    const line = await lineOf('CreateVolume', new CallError(status.INTERNAL, 'hunter2 is wrong', { cause }), {
      name: 'pvc-1',
      secrets: { password: 'hunter2', other: 'hun\n"ter3' },
    });
    expect(line?.fields).toMatchObject({ request: { name: 'pvc-1', secrets: '[redacted]' } });
    expect(JSON.stringify(line)).not.toMatch(/hunter2|ter3/);
  });

  it('does not let a huge request fill the log', async () => {
    const line = await lineOf('CreateVolume', 'answer', { name: 'x'.repeat(100_000) });
    expect(JSON.stringify(line).length).toBeLessThan(1000);
  });
});
