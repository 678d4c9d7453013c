import { describe, expect, it } from '@jest/globals';
import { Slots } from '../../../src/util/slots.ts';

const signal = new AbortController().signal;
const tick = (): Promise<void> => new Promise((go) => setImmediate(go));

describe('slots', () => {
  it('are given in the order they were asked for, and a returned one to nobody who came later', async () => {
    const slots = new Slots(1);
    const order: string[] = [];
    const ask = async (name: string): Promise<() => void> => {
      const release = await slots.take(signal);
      order.push(name);
      return release;
    };
    const first = await ask('first');
    const second = ask('second');
    const third = ask('third');
    first();
    const late = ask('late');
    (await second)();
    (await third)();
    (await late)();
    expect(order).toEqual(['first', 'second', 'third', 'late']);
  });

  it('are returned once, however often it is said', async () => {
    const slots = new Slots(1);
    const release = await slots.take(signal);
    release();
    release();
    await slots.take(signal);
    let given = false;
    void slots.take(signal).then(() => (given = true));
    await tick();
    expect(given).toBe(false);
  });

  it('are not kept for a caller who has gone', async () => {
    const slots = new Slots(1);
    const release = await slots.take(signal);
    const caller = new AbortController();
    const gone = slots.take(caller.signal);
    const next = slots.take(signal);
    caller.abort(new Error('gone'));
    await expect(gone).rejects.toThrow('gone');
    release();
    await expect(next).resolves.toBeInstanceOf(Function);
    await expect(slots.take(caller.signal)).rejects.toThrow('gone');
  });
});
