import { describe, expect, it } from '@jest/globals';
import { releaseFinding } from '../../../../src/app/doctor/release-finding.ts';
import { pipesOf } from '../../../../src/proxyapi/releases.ts';

describe('which release a CSI Proxy looks like', () => {
  it.each([
    ['0.2.2', 'looks like csi-proxy 0.2.2'],
    ['1.0', 'looks like csi-proxy 1.0'],
    ['1.1', 'looks like csi-proxy 1.1 or newer: their pipes are the same'],
    ['1.3', 'looks like csi-proxy 1.1 or newer: their pipes are the same'],
  ])('%s', (release, found) => {
    expect(releaseFinding(pipesOf(release))).toEqual({ state: 'ok', subject: 'CSI Proxy', found });
    expect(releaseFinding(pipesOf(release).toReversed())).toMatchObject({ found });
  });

  it.each([
    [
      'what is there, where that is little',
      pipesOf('v1beta1').slice(0, 2),
      'only disk v1beta1, volume v1beta1',
    ],
    [
      'what is not there, where that is little',
      pipesOf('all').filter(({ group, version }) => group !== 'system' && version !== 'v1beta1'),
      '1.1 or newer, but without disk v1beta1, volume v1beta1, filesystem v1beta1, smb v1beta1, system v1alpha1',
    ],
  ])('is none with other pipes; then it names %s', (_what, pipes, names) => {
    expect(releaseFinding(pipes)).toEqual({
      state: 'note',
      subject: 'CSI Proxy',
      found: `like no release: ${names}`,
    });
  });
});
