import { describe, expect, it } from '@jest/globals';
import { loadCsiApi, requestType } from '../../../../src/rpc/csi-api.ts';
import { createRedactor } from '../../../../src/rpc/interceptors/redact.ts';
import { messageTypes } from '../../../../src/rpc/message-types.ts';

/** What CSI does not have yet: secrets inside nested messages, lists and maps, and of other types. */
const secret = { '(csi_secret)': true };
const made = messageTypes(
  {
    nested: {
      pkg: {
        nested: {
          Outer: {
            fields: {
              secrets: { type: 'string', id: 1 },
              phrase: { type: 'string', id: 2, options: secret },
              bytes: { type: 'bytes', id: 3, options: secret },
              list: { rule: 'repeated', type: 'string', id: 4, options: secret },
              one: { type: 'Inner', id: 5 },
              many: { rule: 'repeated', type: 'Inner', id: 6 },
              keyed: { keyType: 'string', type: 'Inner', id: 7 },
            },
          },
          Inner: {
            fields: { token: { type: 'string', id: 1, options: secret }, open: { type: 'string', id: 2 } },
          },
        },
      },
    },
  } as unknown as Parameters<typeof messageTypes>[0],
  'pkg',
).get('Outer');

const inner = (token: string): object => ({ token, open: 'seen' });
const hidden = { token: '[redacted]', open: 'seen' };
const request = {
  secrets: 'only a name',
  phrase: 'alpha',
  bytes: Buffer.from('bravo'),
  list: ['charlie', 'delta'],
  one: inner('echo'),
  many: [inner('foxtrot'), inner('golf')],
  keyed: { a: inner('hotel') },
};

describe('redactor', () => {
  const redactor = createRedactor(made ?? { name: '', fields: [] });

  it('law 9: hides what the proto marks, wherever it is, and nothing for its name', () => {
    expect(redactor.redact(request)).toEqual({
      secrets: 'only a name',
      phrase: '[redacted]',
      bytes: '[redacted]',
      list: '[redacted]',
      one: hidden,
      many: [hidden, hidden],
      keyed: { a: hidden },
    });
  });

  it('leaves the request itself as it is', () => {
    const before = structuredClone(request);
    redactor.redact(request);
    expect(request).toEqual(before);
  });

  it('law 9: takes every secret of the request out of a text', () => {
    const text = 'only a name alpha bravo charlie delta echo foxtrot golf hotel seen';
    expect(redactor.scrub(text, request)).toBe(`only a name${' [redacted]'.repeat(8)} seen`);
  });

  it('law 9: takes out the longer of two secrets first, and a secret as a quoted text shows it', () => {
    const twins = { many: [inner('pass'), inner('password')], phrase: 'two\n"lines"' };
    expect(redactor.scrub('password pass', twins)).toBe('[redacted] [redacted]');
    expect(redactor.scrub(JSON.stringify(['two\n"lines"']), twins)).toBe('["[redacted]"]');
  });

  it.each([undefined, null, 7, {}])('bears %p for a request', (odd) => {
    expect(redactor.redact(odd)).toEqual(odd);
    expect(redactor.scrub('text', odd)).toBe('text');
  });

  it('shows that a secret is empty', () => {
    expect(redactor.redact({ phrase: '', list: [] })).toEqual({ phrase: '', list: [] });
  });

  it('law 9: hides the secrets of a CSI request as a whole, keys included', () => {
    const csi = createRedactor(requestType(loadCsiApi(), 'NodeStageVolume'));
    expect(csi.redact({ volume_id: 'v', secrets: { user: 'me' }, volume_capability: null })).toEqual({
      volume_id: 'v',
      secrets: '[redacted]',
    });
  });
});
