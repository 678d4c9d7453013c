import { describe, expect, it } from '@jest/globals';
import { StorageError } from '../../../../src/core/errors.ts';
import { inFlight } from '../../../../src/rpc/interceptors/in-flight.ts';
import { RunningCalls } from '../../../../src/rpc/running-calls.ts';
import { KeyedLock } from '../../../../src/util/keyed-lock.ts';
import { callContext } from '../../../support/call-context.ts';

const keysOf = (request: { readonly keys: readonly string[] }): readonly string[] => request.keys;

describe('inFlight', () => {
  it('law 6: lets one call at a time work on a volume, and tells others who it is', async () => {
    const running = new RunningCalls();
    const layer = inFlight(new KeyedLock(), running, keysOf);
    let finish = (): void => undefined;
    const first = layer(() => new Promise<void>((resolve) => (finish = resolve)));
    const done = first({ keys: ['node/vol-1'] }, callContext({ method: 'NodeStageVolume', callId: 'aaaa' }));
    expect(running.list()).toMatchObject([
      { method: 'NodeStageVolume', callId: 'aaaa', keys: ['node/vol-1'] },
    ]);

    const second = layer(() => Promise.resolve('second'));
    const refused = second({ keys: ['node/vol-1'] }, callContext({ method: 'NodeUnstageVolume' }));
    await expect(refused).rejects.toThrow(
      /^NodeUnstageVolume must wait: NodeStageVolume \(call aaaa, since .*Z\) is still at work on node\/vol-1/,
    );
    await expect(refused).rejects.toMatchObject({ code: 'aborted' });
    await expect(second({ keys: ['node/vol-2'] }, callContext())).resolves.toBe('second');

    finish();
    await done;
    await expect(second({ keys: ['node/vol-1'] }, callContext())).resolves.toBe('second');
    expect(running.list()).toEqual([]);
  });

  it.each([
    ['rejects', () => Promise.reject(new StorageError('internal', 'disk gone'))],
    [
      'throws',
      () => {
        throw new StorageError('internal', 'disk gone');
      },
    ],
  ])('lets go when the handler %s', async (_how, handler) => {
    const lock = new KeyedLock();
    const running = new RunningCalls();
    await expect(
      inFlight(lock, running, keysOf)(handler)({ keys: ['a', 'b'] }, callContext()),
    ).rejects.toThrow('disk gone');
    expect(lock.size).toBe(0);
    expect(running.list()).toEqual([]);
  });

  it('locks nothing for a method without keys', async () => {
    const lock = new KeyedLock();
    const layer = inFlight(lock, new RunningCalls(), undefined);
    await layer(() => {
      expect(lock.size).toBe(0);
      return Promise.resolve();
    })({}, callContext());
  });
});

describe('RunningCalls', () => {
  const call = { method: 'Probe', callId: '1', keys: [], since: new Date(0) };

  it('waits for the last call, but not for ever', async () => {
    const running = new RunningCalls();
    await expect(running.settled(0)).resolves.toBe(true);
    const [first, second] = [running.begin({ ...call }), running.begin({ ...call })];
    await expect(running.settled(1)).resolves.toBe(false);
    const settled = running.settled(10_000);
    first();
    expect(running.list()).toHaveLength(1);
    second();
    await expect(settled).resolves.toBe(true);
  });
});
