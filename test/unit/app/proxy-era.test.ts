import { describe, expect, it } from '@jest/globals';
import { enforcesPathContext, eraOf } from '../../../src/app/proxy-era.ts';

describe('the era of a proxy', () => {
  it.each([
    ['all', '1.3'],
    ['1.3', '1.3'],
    ['1.2', '1.2'],
    ['0.2.2', '1.2'],
    ['1.0, 1.1', '1.2'],
    ['1.1,1.3', '1.3'],
    ['v1beta1', '1.3'],
    ['v1,1.2', '1.2'],
  ] as const)('follows the newest release of "%s": %s', (apiVersions, era) => {
    expect(eraOf({ apiVersions, era: 'auto' })).toBe(era);
  });

  it('is the one that was asked for, whatever is offered', () => {
    expect(eraOf({ apiVersions: '1.3', era: '1.2' })).toBe('1.2');
    expect(eraOf({ apiVersions: '0.2.2', era: '1.3' })).toBe('1.3');
  });

  it.each([
    ['0.2.2', true],
    ['0.2.2,v1alpha1', true],
    ['0.2.2,1.0', false],
    ['v1alpha1', false],
    ['all', false],
  ])('enforces the path context for "%s" as only 0.x did: %s', (apiVersions, enforced) => {
    expect(enforcesPathContext({ apiVersions, era: 'auto' })).toBe(enforced);
  });
});
