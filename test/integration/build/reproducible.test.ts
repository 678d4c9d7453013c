import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from '@jest/globals';

const run = promisify(execFile);
const SOURCES = ['src', 'scripts', 'package.json', 'tsconfig.json'];
const folders: string[] = [];

/** Builds the bundle from a copy of the sources in a folder that has another path each time. */
async function bundleOfCopy(name: string): Promise<Buffer> {
  const outer = await mkdtemp(join(tmpdir(), 'csi-ntfs-build-'));
  folders.push(outer);
  const folder = join(outer, name);
  await mkdir(folder);
  for (const source of SOURCES) await cp(source, join(folder, source), { recursive: true });
  // Hard links where the file systems allow: a symbolic one would lead the bundler back to one path.
  await run('sh', ['-c', 'cp -al node_modules "$0" 2>/dev/null || cp -a node_modules "$0"', folder]);
  await run('node_modules/.bin/tsx', ['scripts/build.ts'], { cwd: folder });
  return readFile(join(folder, 'dist', 'csi-driver-ntfs.cjs'));
}

afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

describe('the bundle', () => {
  it('has the same bytes wherever and whenever the same commit is built', async () => {
    const [one, other] = [await bundleOfCopy('one'), await bundleOfCopy('a-longer-name')];
    expect(one.length).toBeGreaterThan(1_000_000);
    expect(one.equals(other)).toBe(true);
    expect(one.includes(tmpdir())).toBe(false);
  }, 60_000);
});
