import { describe, expect, it } from '@jest/globals';
import { ALL_PIPES, API_GROUPS, type Pipe } from '../../../src/proxyapi/api-versions.ts';
import { pipesOf, RELEASES } from '../../../src/proxyapi/releases.ts';

/** `disk: v1beta2 v1beta1` lines, newest first. */
const table = (pipes: readonly Pipe[]): readonly string[] =>
  API_GROUPS.map((group) => {
    const versions = pipes.filter((pipe) => pipe.group === group).map(({ version }) => version);
    return `${group}: ${versions.join(' ')}`;
  });

const UP_TO_1_0 = [
  'disk: v1 v1beta3 v1beta2 v1beta1 v1alpha1',
  'volume: v1 v1beta3 v1beta2 v1beta1 v1alpha1',
  'filesystem: v1 v1beta2 v1beta1 v1alpha1',
  'smb: v1 v1beta2 v1beta1 v1alpha1',
  'iscsi: v1alpha2 v1alpha1',
  'system: v1alpha1',
];
const ALL = UP_TO_1_0.map((line) => line.replace(/^(volume|filesystem): /, '$1: v2alpha1 '));

describe('releases', () => {
  it('served these pipes', () => {
    expect(table(RELEASES['0.2.2'])).toEqual([
      'disk: v1beta2 v1beta1 v1alpha1',
      'volume: v1beta2 v1beta1 v1alpha1',
      'filesystem: v1beta1 v1alpha1',
      'smb: v1beta1 v1alpha1',
      'iscsi: v1alpha1',
      'system: v1alpha1',
    ]);
    expect(table(RELEASES['1.0'])).toEqual(UP_TO_1_0);
    for (const release of ['1.1', '1.2', '1.3'] as const) expect(table(RELEASES[release])).toEqual(ALL);
  });
});

describe('pipesOf', () => {
  it.each([
    ['all', ALL],
    ['1.0', UP_TO_1_0],
    ['0.2.2,1.3', ALL],
    [' 1.3 , v1 ', ALL],
    ['v1', ['disk: v1', 'volume: v1', 'filesystem: v1', 'smb: v1', 'iscsi: v1alpha2', 'system: v1alpha1']],
    [
      'v1beta3',
      [
        'disk: v1beta3',
        'volume: v1beta3',
        'filesystem: v1beta2',
        'smb: v1beta2',
        'iscsi: v1alpha2',
        'system: v1alpha1',
      ],
    ],
    [
      'v1beta1',
      [
        'disk: v1beta1',
        'volume: v1beta1',
        'filesystem: v1beta1',
        'smb: v1beta1',
        'iscsi: v1alpha2',
        'system: v1alpha1',
      ],
    ],
    [
      'v1alpha2',
      [
        'disk: v1alpha1',
        'volume: v1alpha1',
        'filesystem: v1alpha1',
        'smb: v1alpha1',
        'iscsi: v1alpha2',
        'system: v1alpha1',
      ],
    ],
    [
      'v1alpha1',
      [
        'disk: v1alpha1',
        'volume: v1alpha1',
        'filesystem: v1alpha1',
        'smb: v1alpha1',
        'iscsi: v1alpha1',
        'system: v1alpha1',
      ],
    ],
    [
      'v2alpha1',
      [
        'disk: v1',
        'volume: v2alpha1',
        'filesystem: v2alpha1',
        'smb: v1',
        'iscsi: v1alpha2',
        'system: v1alpha1',
      ],
    ],
    [
      'v1,v1alpha1',
      [
        'disk: v1 v1alpha1',
        'volume: v1 v1alpha1',
        'filesystem: v1 v1alpha1',
        'smb: v1 v1alpha1',
        'iscsi: v1alpha2 v1alpha1',
        'system: v1alpha1',
      ],
    ],
  ])('%j', (text, wanted) => {
    expect(table(pipesOf(text))).toEqual(wanted);
  });

  it('gives each pipe once, in one order', () => {
    expect(pipesOf('1.1,1.2,all')).toEqual(ALL_PIPES);
    expect(pipesOf('v1alpha1,v1')).toEqual(pipesOf('v1,v1alpha1'));
  });

  it.each(['', 'v1,', 'v3', '1.4', 'V1', 'toString', '__proto__', 'v1 v1beta1'])(
    'refuses %j and says what there is',
    (text) => {
      expect(() => pipesOf(text)).toThrow(
        expect.objectContaining({
          code: 'invalid-argument',
          message: expect.stringContaining('0.2.2, 1.0') as unknown,
        }),
      );
    },
  );
});
