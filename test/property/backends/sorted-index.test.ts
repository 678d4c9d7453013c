import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SortedIndex } from '../../../src/backends/file/sorted-index.ts';

it('SortedIndex behaves as a map that is sorted anew each time', () => {
  const id = fc.string({ maxLength: 2 });
  const change = fc.record({ id, entry: fc.option(fc.nat(), { nil: undefined }) });
  fc.assert(
    fc.property(fc.array(fc.tuple(id, fc.nat())), fc.array(change), id, (start, changes, after) => {
      const model = new Map(start);
      const index = new SortedIndex(start);
      for (const { id: key, entry } of changes) {
        if (entry === undefined) {
          model.delete(key);
          index.delete(key);
        } else {
          model.set(key, entry);
          index.set(key, entry);
        }
      }
      const sorted = [...model].sort(([one], [other]) => (one < other ? -1 : 1));
      expect([...index.after(undefined)]).toEqual(sorted.map(([, entry]) => entry));
      expect([...index.after(after)]).toEqual(
        sorted.filter(([key]) => key > after).map(([, entry]) => entry),
      );
      for (const [key, entry] of sorted) expect(index.get(key)).toBe(entry);
    }),
  );
});
