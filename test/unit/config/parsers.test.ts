import { describe, expect, it } from '@jest/globals';
import {
  choice,
  count,
  driverName,
  duration,
  nodeId,
  path,
  ratio,
  wholeNumber,
  windowsPath,
  windowsPaths,
  yesOrNo,
  zone,
} from '../../../src/config/parsers.ts';

const accepted: readonly (readonly [
  id: string,
  parse: (text: string) => unknown,
  text: string,
  value: unknown,
])[] = [
  ['whole seconds', duration, '120', 120],
  ['fractions of a second', duration, '0.5', 0.5],
  ['a day', duration, '86400', 86_400],
  ['a ratio below one', ratio, '0.8', 0.8],
  ['a large ratio', ratio, '1000', 1000],
  ['zero', wholeNumber, '0', 0],
  ['one', count, '1', 1],
  ['a Windows path', windowsPath, String.raw`d:\kubelet`, String.raw`d:\kubelet`],
  ['yes', yesOrNo, 'yes', true],
  ['no', yesOrNo, 'no', false],
  ['an absolute path', path, '/var/lib/pool', '/var/lib/pool'],
  ['the longest driver name', driverName, 'n'.repeat(54), 'n'.repeat(54)],
  ['a zone with capitals', zone, 'Rack_3.b', 'Rack_3.b'],
  ['the longest node id', nodeId, 'é'.repeat(128), 'é'.repeat(128)],
  ['a known word', choice('linux', 'simulated'), 'linux', 'linux'],
];

const refused: readonly (readonly [
  id: string,
  parse: (text: string) => unknown,
  text: string,
  says: RegExp,
])[] = [
  ['no seconds at all', duration, '0', /above 0/],
  ['more than a day', duration, '86401', /at most 86400/],
  ['negative seconds', duration, '-1', /above 0/],
  ['a unit', duration, '10s', /seconds/],
  ['an empty duration', duration, '', /seconds/],
  ['hexadecimal', duration, '0x10', /seconds/],
  ['infinity', ratio, 'Infinity', /ratio/],
  ['a zero ratio', ratio, '0', /from 0.01/],
  ['a fraction of a volume', wholeNumber, '1.5', /whole number/],
  ['a count too large to be meant', wholeNumber, '9999999999', /whole number/],
  ['no calls at all', count, '0', /1 or more/],
  ['half a call', count, '1.5', /whole number/],
  ['a path without a drive', windowsPath, '/var/lib/kubelet', /Windows path such as C:/],
  ['a path relative to its drive', windowsPath, 'C:kubelet', /Windows path such as C:/],
  ['one Windows path among others that is none', windowsPaths, String.raw`C:\a;b`, /got "b"/],
  ['neither yes nor no', yesOrNo, 'true', /yes, no/],
  ['a relative path', path, 'pool', /absolute path/],
  ['no driver name', driverName, '', /begin and end/],
  ['a driver name with a space', driverName, 'ntfs csi', /begin and end/],
  ['a driver name that makes no topology key', driverName, 'n'.repeat(55), /at most 54/],
  ['a driver name with a capital', driverName, 'NTFS.csi.io', /a-z 0-9/],
  ['no zone', zone, '', /begin and end/],
  ['a zone that ends with a dash', zone, 'a-', /begin and end/],
  ['no node id', nodeId, '', /1 to 256 bytes/],
  ['a node id above 256 bytes', nodeId, 'é'.repeat(129), /got 258/],
  ['an unknown word', choice('linux', 'simulated'), 'windows', /linux, simulated/],
];

describe('parsers of flag values', () => {
  it.each(accepted)('accept %s', (_id, parse, text, value) => {
    expect(parse(text)).toBe(value);
  });

  it('accept any number of Windows paths', () => {
    expect(windowsPaths(String.raw`C:\a;D:\b c`)).toEqual([String.raw`C:\a`, String.raw`D:\b c`]);
    expect(windowsPaths('')).toEqual([]);
  });

  it.each(refused)('refuse %s and say what is accepted', (_id, parse, text, says) => {
    expect(() => parse(text)).toThrow(says);
  });
});
