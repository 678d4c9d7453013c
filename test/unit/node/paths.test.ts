import { describe, expect, it } from '@jest/globals';
import { isBelow, isSamePath, requiredPath } from '../../../src/node/paths.ts';

describe('paths', () => {
  it.each([
    ['/a/b', '/a/b/', true],
    ['/a//b', '/a/b', true],
    ['/a/b', '/a/bc', false],
    ['/a/b', '/a/B', false],
    ['C:\\a\\b', 'c:/A/b\\', true],
    ['\\a\\b', '\\a\\\\b', true],
    ['/a\\b', '/a/b', false],
    ['/ü', '/u\u0308', false],
  ])('%s and %s: the same: %s', (one, other, same) => {
    expect(isSamePath(one, other)).toBe(same);
  });

  it.each([
    ['/a/b/c', '/a/b', true],
    ['/a/bc', '/a/b', false],
    ['/a/b', '/a/b', false],
    ['C:\\a\\b', 'c:\\A', true],
  ])('%s below %s: %s', (path, folder, below) => {
    expect(isBelow(path, folder)).toBe(below);
  });

  it.each(['', 'a', 'a/b', '/a/..', '/../a', '/a/./b', 'C:\\a\\..\\b', 'C:a'])('takes no %j', (path) => {
    expect(() => requiredPath(path, 'target_path')).toThrow('target_path');
  });

  it.each(['/a', '/a/..b', '/a/b..', '/a/...', '\\a', 'C:\\a', 'C:/a'])('takes %j', (path) => {
    expect(requiredPath(path, 'target_path')).toBe(path);
  });
});
