import { describe, expect, it } from '@jest/globals';
import { liesWithin, satisfies, topologyText } from '../../../src/core/topology.ts';

const OURS = { region: 'eu', zone: 'a' };

it.each([
  ['the same', OURS, true],
  ['narrower', { ...OURS, rack: '1' }, true],
  ['broader: part of it may not reach us', { region: 'eu' }, false],
  ['elsewhere', { region: 'eu', zone: 'b' }, false],
  ['unnamed', {}, false],
])('liesWithin: %s', (_what, place, expected) => {
  expect(liesWithin(place, OURS)).toBe(expected);
});

it('everything lies within a pool without topology', () => {
  expect(liesWithin({ zone: 'mars' }, {})).toBe(true);
});

describe('satisfies', () => {
  const mars = { zone: 'mars' };
  it.each([
    ['nothing asked', [], [], true],
    ['required here', [OURS], [], true],
    ['required here or elsewhere', [mars, OURS], [mars], true],
    ['required elsewhere', [mars], [], false],
    ['required elsewhere, though preferred here', [mars], [OURS], false],
    ['only preferred, here', [], [mars, OURS], true],
    ['only preferred, elsewhere', [], [mars], false],
  ])('%s', (_what, requisite, preferred, expected) => {
    expect(satisfies({ requisite, preferred }, OURS)).toBe(expected);
  });
});

it.each([
  [OURS, 'region=eu, zone=a'],
  [{}, '(no segments)'],
])('topologyText(%o) is %s', (place, expected) => {
  expect(topologyText(place)).toBe(expected);
});
