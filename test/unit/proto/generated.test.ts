import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { findDrift, type Generated, mendDrift } from '../../../scripts/lib/generated.ts';

let repository: string;
beforeEach(async () => {
  repository = await mkdtemp(join(tmpdir(), 'drift-'));
});
afterEach(() => rm(repository, { recursive: true, force: true }));

async function write(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}

const generated: Generated = {
  name: 'a page and a folder',
  outputs: ['page.md', 'types'],
  generate: (folder) => write(folder, { 'page.md': 'page', 'types/a.ts': 'a', 'types/deep/b.ts': 'b' }),
};

describe('drift of generated files', () => {
  it('finds none in what was just generated', async () => {
    await generated.generate(repository);
    expect(await findDrift(generated, repository)).toEqual([]);
  });

  it('finds what is missing, changed and extra, and nothing outside the outputs', async () => {
    await write(repository, {
      'types/a.ts': 'A',
      'types/deep/c.ts': 'c',
      'types/deep/b.ts': 'b',
      'own.ts': '',
    });
    const drift = await findDrift(generated, repository);
    expect(drift.map(({ kind, path }) => `${kind} ${path}`)).toEqual([
      'missing page.md',
      'changed types/a.ts',
      'extra types/deep/c.ts',
    ]);
  });

  it('mends it', async () => {
    await write(repository, { 'types/a.ts': 'A', 'types/deep/c.ts': 'c', 'own.ts': 'mine' });
    await mendDrift(await findDrift(generated, repository), repository);
    expect(await findDrift(generated, repository)).toEqual([]);
    expect(await readFile(join(repository, 'own.ts'), 'utf8')).toBe('mine');
  });
});
