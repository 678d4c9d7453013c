import { describe, expect, it } from '@jest/globals';
import { status } from '@grpc/grpc-js';
import { CallError } from '../../../../src/rpc/call-error.ts';
import type { AnyHandler } from '../../../../src/rpc/call.ts';
import { metrics } from '../../../../src/rpc/interceptors/metrics.ts';
import { callContext } from '../../../support/call-context.ts';

function observed(): { readonly seen: unknown[][]; readonly layer: (next: AnyHandler) => AnyHandler } {
  const seen: unknown[][] = [];
  const layer = metrics({
    started: (...args) => seen.push(['started', ...args]),
    finished: (...args) => seen.push(['finished', ...args]),
  });
  return { seen, layer };
}

describe('metrics', () => {
  it('tells of the beginning before the handler runs, and of the end with its time', async () => {
    const { seen, layer } = observed();
    const handler = layer(() => {
      expect(seen).toEqual([['started', 'Controller', 'CreateVolume']]);
      return Promise.resolve('answer');
    });
    await expect(handler({}, callContext())).resolves.toBe('answer');
    expect(seen[1]).toEqual(['finished', 'Controller', 'CreateVolume', 'OK', expect.any(Number)]);
  });

  it.each([
    [new CallError(status.NOT_FOUND, 'gone'), 'NOT_FOUND'],
    [new CallError(status.INTERNAL, 'odd'), 'INTERNAL'],
    [new Error('not through the status layer'), 'UNKNOWN'],
  ])('tells of %s as %s and passes it on', async (error, code) => {
    const { seen, layer } = observed();
    await expect(layer(() => Promise.reject(error))({}, callContext())).rejects.toBe(error);
    expect(seen[1]?.[3]).toBe(code);
  });
});
