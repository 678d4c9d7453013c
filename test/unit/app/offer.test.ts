import { describe, expect, it } from '@jest/globals';
import { Offer } from '../../../src/app/offer.ts';
import { API_GROUPS, API_VERSIONS } from '../../../src/proxyapi/api-versions.ts';
import { pipesOf, RELEASES } from '../../../src/proxyapi/releases.ts';

describe('what a client makes of the pipes of a CSI Proxy', () => {
  it('is the newest version of each group', () => {
    const offer = new Offer(RELEASES['0.2.2']);
    expect(API_GROUPS.map((group) => offer.nameOf(group))).toEqual([
      'disk v1beta2',
      'volume v1beta2',
      'filesystem v1beta1',
      'smb v1beta1',
      'iscsi v1alpha1',
      'system v1alpha1',
    ]);
  });

  it('has no version of a group whose pipes are not there, not even with its extension', () => {
    const offer = new Offer([{ group: 'volume', version: 'v2alpha1' }]);
    expect(offer.versionOf('volume')).toBeUndefined();
    expect(offer.versionOf('disk')).toBeUndefined();
    expect(offer.can('disk', 'rescan')).toBe(false);
    expect(offer.costsOf('disk')).toEqual([]);
  });

  it('knows what a version can do, and speaks of what it cannot only where something is lost', () => {
    const [newest, oldest] = [new Offer(RELEASES['1.3']), new Offer(pipesOf('v1alpha1'))];
    expect(newest.can('disk', 'setDiskState')).toBe(true);
    expect(newest.costsOf('disk')).toEqual([]);
    expect(oldest.can('disk', 'setDiskState')).toBe(false);
    expect(oldest.costsOf('disk')).toContainEqual(expect.stringContaining('OnlineAll'));
    expect(oldest.can('volume', 'writeVolumeCache')).toBe(false);
    expect(oldest.costsOf('volume').join()).not.toContain('flush');
  });

  it('costs nothing with the newest release, and more the older it is', () => {
    const losses = (list: string): number =>
      API_GROUPS.flatMap((group) => new Offer(pipesOf(list)).costsOf(group)).length;
    const [all, beta, alpha] = [losses('all'), losses('v1beta1'), losses('v1alpha1')];
    expect(all).toBe(0);
    expect(beta).toBeGreaterThan(all);
    expect(alpha).toBeGreaterThan(beta);
  });

  it('finds the newest version whatever order the pipes come in', () => {
    const versions = [...API_VERSIONS.disk].reverse().map((version) => ({ group: 'disk', version }) as const);
    expect(new Offer(versions).versionOf('disk')).toBe('v1');
  });
});
