import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { StorageError } from '../../../src/core/errors.ts';
import { loadCsiApi, requestType } from '../../../src/rpc/csi-api.ts';
import { limits } from '../../../src/rpc/interceptors/limits.ts';
import type { MessageType } from '../../../src/rpc/message-types.ts';
import { callContext } from '../../support/call-context.ts';
import { MINIMAL_REQUESTS, receivedRequest, serviceOf } from '../../support/csi-requests.ts';
import { wireRequest } from '../../support/wire-caller.ts';

const api = loadCsiApi();
const method = fc.constantFrom(...Object.keys(MINIMAL_REQUESTS));

async function verdict(rpc: string, request: unknown): Promise<string> {
  const handler = limits(requestType(api, rpc))(() => Promise.resolve('ok'));
  const call = handler(request, callContext({ method: rpc }));
  return call.then(String, (error: unknown) => (error as StorageError).code);
}

/** Any message of a type: each field absent, or of any size. */
function anyMessage(type: MessageType): fc.Arbitrary<Record<string, unknown>> {
  const text = fc.oneof(
    fc.string({ maxLength: 5 }),
    fc.string({ minLength: 60, maxLength: 300, unit: 'binary' }),
  );
  const shapes = type.fields.map((field): [string, fc.Arbitrary<unknown>] => {
    const scalar: fc.Arbitrary<unknown> = field.kind === 'other' ? fc.constantFrom(0, 1, -1) : text;
    const one = field.message === undefined ? scalar : anyMessage(field.message);
    if (field.kind === 'map') return [field.name, fc.dictionary(text, text, { maxKeys: 20 })];
    return [field.name, field.repeated ? fc.array(one, { maxLength: 3 }) : one];
  });
  return fc.record(Object.fromEntries(shapes), { requiredKeys: [] });
}

const anyRequest = method.chain((rpc) =>
  anyMessage(requestType(api, rpc)).map((message) => ({
    rpc,
    request: wireRequest(api, serviceOf(rpc), rpc, message),
  })),
);

/** The spec's size limits once more, over the request as JSON and without our tables: what passed must keep them. */
function tooLarge(value: unknown, name = ''): boolean {
  if (typeof value === 'string') {
    const limit = name.endsWith('_path') ? 4096 : name === 'node_id' ? 256 : 128;
    return name !== 'flag' && Buffer.byteLength(value) > limit;
  }
  if (name === 'mount_flags') return Buffer.byteLength((value as string[]).join('')) > 4096;
  if (Array.isArray(value)) return value.some((each) => tooLarge(each, name));
  if (typeof value !== 'object' || value === null) return false;
  if (/^(secrets|segments|.*parameters|.*_context)$/.test(name)) {
    return Buffer.byteLength(Object.entries(value).flat().join('')) > 4096;
  }
  return Object.entries(value).some(([key, each]) => tooLarge(each, key));
}

describe('limits', () => {
  it('never fail in another way than by refusing, whatever the request', async () => {
    await fc.assert(
      fc.asyncProperty(anyRequest, async ({ rpc, request }) => {
        const found = await verdict(rpc, request);
        expect(['ok', 'invalid-argument', 'failed-precondition']).toContain(found);
        expect(found === 'ok' && tooLarge(request)).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  it('judge a text by its bytes, not by its characters', async () => {
    const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 160 });
    await fc.assert(
      fc.asyncProperty(name, async (text) => {
        fc.pre(!/[\u0000-\u001f\u007f-\u009f]/.test(text));
        const found = await verdict('CreateVolume', receivedRequest(api, 'CreateVolume', { name: text }));
        expect(found).toBe(Buffer.byteLength(text) <= 128 ? 'ok' : 'invalid-argument');
      }),
    );
  });

  it('count all keys and values of a map together', async () => {
    const entry = fc.tuple(fc.string({ maxLength: 40 }), fc.string({ maxLength: 1500, minLength: 500 }));
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { maxLength: 8 }), async (entries) => {
        const request = receivedRequest(api, 'CreateVolume', { parameters: Object.fromEntries(entries) });
        const { parameters } = request as { readonly parameters: Record<string, string> };
        const bytes = Buffer.byteLength(Object.entries(parameters).flat().join(''));
        expect(await verdict('CreateVolume', request)).toBe(bytes <= 4096 ? 'ok' : 'invalid-argument');
      }),
    );
  });
});
