import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { StorageError } from '../../../src/core/errors.ts';
import { type AnyHandler, wrap } from '../../../src/rpc/call.ts';
import { loadCsiApi, requestType } from '../../../src/rpc/csi-api.ts';
import { createRedactor } from '../../../src/rpc/interceptors/redact.ts';
import { requestLog } from '../../../src/rpc/interceptors/request-log.ts';
import { errorToStatus } from '../../../src/rpc/interceptors/status.ts';
import { createLogger } from '../../../src/telemetry/logger.ts';
import { callContext } from '../../support/call-context.ts';
import { MINIMAL_REQUESTS, receivedRequest } from '../../support/csi-requests.ts';

const api = loadCsiApi();
const withSecrets = Object.keys(MINIMAL_REQUESTS).filter((method) =>
  requestType(api, method).fields.some(({ secret }) => secret),
);

/** Letters that occur nowhere else in a line, so that finding them means a leak, between what quoting changes. */
const marker = fc.string({ unit: fc.constantFrom('Ω', 'Ψ', 'Ξ'), minLength: 4, maxLength: 12 });
const odd = fc.string({
  unit: fc.constantFrom('"', "'", '`', '\\', '\n', '\t', '$', '{', 'Ж', '.'),
  maxLength: 3,
});
const secret = fc.tuple(odd, marker, odd, marker, odd).map((parts) => parts.join(''));
const secrets = fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }), secret, { minKeys: 1, maxKeys: 4 });

/** How a careless handler may fail: by quoting a secret in one way or another. */
const failures: Readonly<Record<string, (text: string) => unknown>> = {
  none: () => undefined,
  message: (text) => new StorageError('internal', `login as ${text} failed`),
  cause: (text) =>
    new StorageError('unavailable', 'no login', { cause: new Error(`exit 1: --password ${text}`) }),
  unforeseen: (text) => new TypeError(`bad ${text}`, { cause: new Error(text) }),
  quoted: (text) => new Error(`bad ${JSON.stringify({ text })}`),
  text: (text) => text,
  object: (text) => ({ argv: [text] }),
};

describe('redaction', () => {
  it('law 9: no log line and no error of any rpc holds a secret of its request', async () => {
    expect(withSecrets.length).toBeGreaterThan(10);
    const method = fc.constantFrom(...withSecrets);
    const failure = fc.constantFrom(...Object.keys(failures));
    await fc.assert(
      fc.asyncProperty(method, secrets, failure, async (rpc, given, how) => {
        const lines: string[] = [];
        const write = (line: string): void => void lines.push(line);
        const log = createLogger({ level: 'debug', format: 'json', destination: { write } });
        const thrown = failures[how]?.(Object.values(given)[0] ?? '');
        const redactor = createRedactor(requestType(api, rpc));
        // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- handlers may throw anything
        const fails: AnyHandler = () => Promise.reject(thrown);
        const handler: AnyHandler = thrown === undefined ? () => Promise.resolve({}) : fails;
        const layers = [requestLog(redactor), errorToStatus(redactor)];
        const request = receivedRequest(api, rpc, { secrets: given });
        const answer = await wrap(layers, handler)(request, callContext({ method: rpc, log })).catch(String);
        expect(lines).toHaveLength(1);
        expect(lines.join('')).not.toMatch(/[ΩΨΞ]/);
        expect(JSON.stringify(answer)).not.toMatch(/[ΩΨΞ]/);
      }),
      { numRuns: 500 },
    );
  });
});
