import { describe, expect, it } from '@jest/globals';
import { overriding } from '../../../src/util/overriding.ts';

class Counter {
  readonly step: number;
  #count = 0;

  constructor(step: number) {
    this.step = step;
  }

  next(): number {
    this.#count += this.step;
    return this.#count;
  }

  twice(): number {
    this.next();
    return this.next();
  }
}

describe('overriding', () => {
  it('replaces the methods it is given, and lets all others reach the object with its private state', () => {
    const counter = overriding(new Counter(2), { twice: () => -1 });
    expect([counter.twice(), counter.next(), counter.next(), counter.step]).toEqual([-1, 2, 4, 2]);
  });

  it('leaves the object itself as it was', () => {
    const counter = new Counter(1);
    overriding(counter, { twice: () => -1 });
    expect(counter.twice()).toBe(2);
  });
});
