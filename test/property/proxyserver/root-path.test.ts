import { posix } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { StorageError } from '../../../src/core/errors.ts';
import { pathRules } from '../../../src/proxyserver/path-rules.ts';
import { rootPath } from '../../../src/proxyserver/root-path.ts';

const separator = fc.constantFrom('\\', '/', '\\\\', '//', '\\/');
const name = fc.oneof(
  fc.constantFrom('.', '..', '...', '. .', '..\\..', 'C:', ' ', '', 'var', '\0', 'a..b', '%2e%2e'),
  fc.string({ maxLength: 8, unit: 'binary' }),
);
const start = fc.constantFrom('C:', 'c:', 'D:', '', '\\', '\\\\?\\C:', '\\\\.\\', 'C:..', '..');
const anyPath = fc
  .tuple(start, fc.array(fc.tuple(separator, name), { maxLength: 8 }))
  .map(([first, rest]) => first + rest.map((pair) => pair.join('')).join(''));
const root = fc.constantFrom('/', '/srv/c', '/srv/c/', '/a/b/c/d');
/** Names that are one name on both sides. */
const plainName = fc
  .string({ minLength: 1, maxLength: 12 })
  .filter((text) => !/[\\/\0]/.test(text) && text !== '.' && text !== '..');

/** What `use` gives; `undefined` when the path is refused as it should be. */
function unlessRefused<Result>(use: () => Result): Result | undefined {
  try {
    return use();
  } catch (error) {
    if (StorageError.is(error, 'invalid-argument')) return undefined;
    throw error;
  }
}

describe('rootPath', () => {
  it('law 4: whatever a path is, it leads nowhere out of the root folder', () => {
    fc.assert(
      fc.property(root, anyPath, (folder, path) => {
        const found = unlessRefused(() => rootPath(folder).toHost(path));
        if (found === undefined) return;
        const below = posix.relative(posix.resolve(folder), posix.resolve(found));
        expect(below.split('/')).not.toContain('..');
        expect(posix.isAbsolute(below)).toBe(false);
        expect(found).not.toContain('\0');
      }),
      { numRuns: 5000 },
    );
  });

  it('law 4: a path that the rules take leads below one of the working folders', () => {
    const rules = pathRules({ workingDirs: ['C:\\var'], kubeletPath: 'C:\\k', compat: false });
    fc.assert(
      fc.property(root, anyPath, (folder, path) => {
        const found = unlessRefused(() => rootPath(folder).toHost(rules.place(path)));
        if (found === undefined) return;
        expect(posix.relative(posix.resolve(folder), found).split('/')[0]).toMatch(/^(var|k)$/);
      }),
      { numRuns: 5000 },
    );
  });

  it('gives back the path that it took', () => {
    fc.assert(
      fc.property(root, fc.array(plainName, { minLength: 1, maxLength: 6 }), (folder, names) => {
        const paths = rootPath(folder);
        const path = `C:\\${names.join('\\')}`;
        expect(paths.toWindows(paths.toHost(path))).toBe(path);
      }),
    );
  });
});
