import { describe, expect, it } from '@jest/globals';
import { StorageError } from '../../../src/core/errors.ts';
import { type PathRules, pathRules } from '../../../src/proxyserver/path-rules.ts';

const KUBELET = String.raw`C:\var\lib\kubelet`;
const rules = (compat: boolean): PathRules =>
  pathRules({ workingDirs: [String.raw`D:\csi`, 'C:/data/'], kubeletPath: KUBELET, compat });

/** What a rule says to a path: why it is refused, or `ok`. */
function verdict(check: () => string): string {
  try {
    check();
    return 'ok';
  } catch (error) {
    if (!StorageError.is(error, 'invalid-argument')) throw error;
    return error.message;
  }
}

const ofBytes = (bytes: number, letter = 'x'): string => {
  const rest = bytes - KUBELET.length - 1;
  return `${KUBELET}\\${letter.repeat(rest / Buffer.byteLength(letter))}`;
};

/** Paths of the file system group: the same in the closed and in the original form. */
const FILES: readonly (readonly [path: string, said: RegExp])[] = [
  // The table of the original's own unit test.
  [String.raw`C:\var\lib\kubelet\pods\pv1`, /^ok$/],
  [String.raw`C:\var\lib\kubelet\plugins\pv1`, /^ok$/],
  [String.raw`C:\foo\bar`, /not within a working folder/],
  [String.raw`C:\var\lib\kubelet\pods\pv1:foo`, /":" is not allowed/],
  [String.raw`C:\var\lib\kubelet\pods\pv1/foo`, /"\/" is not allowed/],
  [String.raw`C:\var\lib\kubelet\pods\pv1*foo`, /"\*" is not allowed/],
  [String.raw`C:\var\lib\kubelet\pods\pv1?foo`, /"\?" is not allowed/],
  [String.raw`C:\var\lib\kubelet\plugins\csi-plugin|pv1\foo`, /"\|" is not allowed/],
  [String.raw`C:\var\lib\kubelet\pods\pv1\..\..\..\system32`, /"\.\." is not allowed/],
  [String.raw`\\csi-plugin\..\..\..\system32`, /begins with a backslash/],
  [String.raw`pv1\foo`, /not absolute/],
  // Length, in bytes of UTF-8.
  [ofBytes(260), /^ok$/],
  [ofBytes(261), /has 261 bytes/],
  [ofBytes(261, 'ü'), /has 261 bytes/],
  [`\\${'/'.repeat(300)}`, /has 301 bytes/],
  // Where it begins.
  [String.raw`\var\lib\kubelet\pods`, /begins with a backslash/],
  [String.raw`\\?\C:\var\lib\kubelet\pods`, /begins with a backslash/],
  [String.raw`\/:*`, /begins with a backslash/],
  ['/var/lib/kubelet/pods', /"\/" is not allowed/],
  ['c:/var/lib/kubelet/pods', /":" is not allowed/],
  ['', /not absolute/],
  ['C:', /":" is not allowed/],
  ['foo', /not absolute/],
  // What is in it.
  [String.raw`C:\var\lib\kubelet\pods\"pv1"`, /"\\"" is not allowed/],
  [String.raw`C:\var\lib\kubelet\pods\a..b`, /"\.\." is not allowed/],
  [`${KUBELET}\\pods\0`, /is not allowed/],
  [String.raw`C:\var\lib\kubelet\pods\a<b>c.`, /^ok$/],
  // Where it is.
  [KUBELET, /^ok$/],
  [`${KUBELET}\\`, /^ok$/],
  [String.raw`c:\VAR\Lib\Kubelet\pods`, /^ok$/],
  [String.raw`d:\csi\sock`, /^ok$/],
  [String.raw`C:\data\pv`, /^ok$/],
  [String.raw`C:\var\lib`, /not within/],
  [String.raw`D:\other`, /not within/],
];

describe('pathRules', () => {
  it.each(FILES)('law 4: of %j it says %s, holes or not', (path, said) => {
    expect(verdict(() => rules(false).file(path))).toMatch(said);
    expect(verdict(() => rules(true).file(path))).toMatch(said);
  });

  it.each([String.raw`C:\var\lib\kubelet-evil`, String.raw`C:\data2\x`, String.raw`D:\csi2`])(
    'a folder that only begins like a working folder is within it as the original sees it: %s',
    (path) => {
      expect(verdict(() => rules(false).file(path))).toMatch(/not within/);
      expect(verdict(() => rules(true).file(path))).toBe('ok');
    },
  );

  it.each([
    [String.raw`C:\var\lib\kubelet\plugins\pv1`, 'ok'],
    ['c:/var/lib/kubelet/plugins/pv1/globalmount', 'ok'],
    [String.raw`C:\var/lib\kubelet\plugins/pv1`, 'ok'],
    [String.raw`C:\Windows\System32`, 'not within'],
    ['C:/var/lib/kubelet/../../../Windows', '".." is not allowed'],
    [String.raw`C:\var\lib\kubelet-evil\pv1`, 'not within'],
    ['/var/lib/kubelet/pv1', 'begins with a backslash'],
    [String.raw`\\server\share`, 'begins with a backslash'],
    [ofBytes(261), 'has 261 bytes'],
  ])('places where volumes are mounted are under the rules; the original takes any: %s', (path, said) => {
    expect(verdict(() => rules(false).place(path))).toContain(said);
    expect(verdict(() => rules(true).place(path))).toBe('ok');
  });

  it.each([
    ['PLUGIN', String.raw`C:\var\lib\kubelet\plugins\x`, true],
    ['PLUGIN', String.raw`c:\var\lib\kubelet\PLUGINS\x`, true],
    ['PLUGIN', String.raw`C:\var\lib\kubelet\pods\x`, false],
    ['PLUGIN', String.raw`C:\var\lib\kubelet\plugins_registry`, false],
    ['PLUGIN', String.raw`D:\csi\x`, false],
    ['POD', String.raw`C:\var\lib\kubelet\pods\x`, true],
    ['POD', String.raw`C:\var\lib\kubelet\plugins\x`, false],
    ['POD', String.raw`C:\var\lib\kubelet\pods\..\plugins\x`, false],
  ] as const)('holds %s against %s', (context, path, taken) => {
    expect(verdict(() => rules(false).inContext(path, context)) === 'ok').toBe(taken);
  });

  it('names the folders and the flag in a refusal', () => {
    expect(verdict(() => rules(false).file(String.raw`C:\foo`))).toContain(
      String.raw`(D:\csi, C:/data/, C:\var\lib\kubelet); add one with --working-dir`,
    );
  });

  it('spells the folder as it is configured, and leaves the rest as it is', () => {
    expect(rules(false).file(String.raw`c:\VAR\Lib\Kubelet\Pods`)).toBe(`${KUBELET}\\Pods`);
    expect(rules(false).place('c:/VAR/lib/kubelet/Pods/x')).toBe(`${KUBELET}\\Pods\\x`);
    expect(rules(false).file('c:\\DATA')).toBe('C:\\data');
    expect(rules(true).place('c:/VAR/x')).toBe('c:/VAR/x');
  });

  it('law 4: letters that are longer in lower case do not move the end of a working folder', () => {
    const dotted = pathRules({ workingDirs: ['C:\\\u0130'], kubeletPath: KUBELET, compat: false });
    expect(verdict(() => dotted.file('C:\\i\u0307\\x'))).toMatch(/not within/);
    expect(dotted.file('c:\\\u0130\\x')).toBe('C:\\\u0130\\x');
  });

  it('does not repeat a path that is far too long', () => {
    expect(verdict(() => rules(false).file('x'.repeat(100_000))).length).toBeLessThan(300);
  });
});
