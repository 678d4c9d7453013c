import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { StorageError } from '../../../src/core/errors.ts';
import { type AnyHandler, wrap } from '../../../src/rpc/call.ts';
import { deadline } from '../../../src/rpc/interceptors/deadline.ts';
import { inFlight } from '../../../src/rpc/interceptors/in-flight.ts';
import { createRedactor } from '../../../src/rpc/interceptors/redact.ts';
import { RunningCalls } from '../../../src/rpc/running-calls.ts';
import { KeyedLock } from '../../../src/util/keyed-lock.ts';
import { callContext } from '../../support/call-context.ts';

interface PlannedCall {
  readonly keys: readonly string[];
  /** Host calls the handler makes, one after another. */
  readonly steps: number;
  readonly fails: boolean;
  /** Whether its caller gives up at some moment. */
  readonly aborts: boolean;
}

const plannedCall: fc.Arbitrary<PlannedCall> = fc.record({
  keys: fc.subarray(['vol-1', 'vol-2', 'vol-3'], { minLength: 1 }),
  steps: fc.nat({ max: 3 }),
  fails: fc.boolean(),
  aborts: fc.boolean(),
});

/** The two inner layers with a handler that says, on each step, which volumes it works on. */
class Volumes {
  readonly lock = new KeyedLock();
  readonly running = new RunningCalls();
  readonly worked = new Map<string, number>();
  tooMany = 0;
  readonly #scheduler: fc.Scheduler;

  constructor(scheduler: fc.Scheduler) {
    this.#scheduler = scheduler;
  }

  handler(): AnyHandler {
    const layers = [
      deadline(createRedactor({ name: 'Any', fields: [] })),
      inFlight(this.lock, this.running, ({ keys }: PlannedCall) => keys),
    ];
    return wrap(layers, (call: PlannedCall) => this.#work(call));
  }

  async #work({ keys, steps, fails }: PlannedCall): Promise<string> {
    for (const key of keys) this.#enter(key);
    try {
      for (let step = 0; step < steps; step += 1)
        await this.#scheduler.schedule(Promise.resolve(), 'host call');
      if (fails) throw new StorageError('internal', 'the disk is gone');
      return 'done';
    } finally {
      for (const key of keys) this.worked.set(key, (this.worked.get(key) ?? 1) - 1);
    }
  }

  #enter(key: string): void {
    const now = (this.worked.get(key) ?? 0) + 1;
    this.worked.set(key, now);
    if (now > 1) this.tooMany += 1;
  }
}

async function outcome(call: Promise<unknown>): Promise<string> {
  return call.then(String, (error: unknown) => (error as StorageError).code);
}

describe('lock schedules', () => {
  it('law 6: no two handlers ever work on one volume, whoever gives up and in whatever order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(plannedCall, { minLength: 2, maxLength: 8 }),
        async (scheduler, plan) => {
          const volumes = new Volumes(scheduler);
          const handler = volumes.handler();
          const calls = plan.map(async (call) => {
            await scheduler.schedule(Promise.resolve(), 'arrival');
            const controller = new AbortController();
            const giveUp = scheduler.schedule(Promise.resolve(), 'the caller gives up').then(() => {
              if (call.aborts) controller.abort(new StorageError('deadline-exceeded', 'too late'));
            });
            const code = await outcome(handler(call, callContext({ signal: controller.signal })));
            await giveUp;
            return code;
          });
          await scheduler.waitFor(Promise.all(calls));
          await scheduler.waitIdle();
          expect(volumes.tooMany).toBe(0);
          const possible = ['done', 'internal', 'aborted', 'deadline-exceeded'];
          for (const code of await Promise.all(calls)) expect(possible).toContain(code);
          expect(volumes.lock.size).toBe(0);
          expect(volumes.running.list()).toEqual([]);
          expect([...volumes.worked.values()].every((count) => count === 0)).toBe(true);
        },
      ),
    );
  });

  it('law 6: while a handler works its volume is locked, also after its caller has been answered', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.integer({ min: 1, max: 4 }), async (scheduler, steps) => {
        const volumes = new Volumes(scheduler);
        const controller = new AbortController();
        const call = { keys: ['vol-1'], steps, fails: false, aborts: true };
        const answer = outcome(volumes.handler()(call, callContext({ signal: controller.signal })));
        controller.abort(new StorageError('deadline-exceeded', 'too late'));
        expect(await answer).toBe('deadline-exceeded');
        while (volumes.worked.get('vol-1') === 1) {
          expect(volumes.lock.size).toBe(1);
          expect(await outcome(volumes.handler()(call, callContext()))).toBe('aborted');
          await scheduler.waitNext(1);
          await new Promise((turn) => setImmediate(turn));
        }
        expect(volumes.lock.size).toBe(0);
      }),
    );
  });

  it('a call that is refused takes nothing: all keys or none', async () => {
    const keys = fc.subarray(['a', 'b', 'c', 'd'], { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(keys, keys, (first, second) => {
        const lock = new KeyedLock();
        const held = lock.tryAcquire(first, 'first');
        const result = lock.tryAcquire(second, 'second');
        const overlap = second.some((key) => first.includes(key));
        expect(result.acquired).toBe(!overlap);
        expect(lock.size).toBe(overlap ? first.length : first.length + second.length);
        for (const taken of [held, result]) if (taken.acquired) taken.release();
        return Promise.resolve(lock.size === 0);
      }),
    );
  });
});
