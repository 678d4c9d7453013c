import { chmod, copyFile, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeBinary, type Platform } from './node-binaries.ts';
import { run, runTool } from './run.ts';

/** The sign in Node.js' own binary beside which the program is put: a constant of Node.js. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/** Native modules and the like, by the name under which the program asks for them. */
export type Assets = Readonly<Record<string, string>>;

export interface ExecutableOptions {
  readonly bundle: string;
  readonly assets: Assets;
  readonly platform: Platform;
  readonly outfile: string;
}

/**
 * Puts a bundle into a copy of Node.js. Any platform's on Linux: what is put in has no code of the machine, as long as
 * neither a snapshot nor V8's code cache is asked for. Gives the size in bytes.
 */
export async function buildExecutable(options: ExecutableOptions): Promise<number> {
  const { bundle, assets, platform, outfile } = options;
  const node = await nodeBinary('linux-x64');
  const target = await nodeBinary(platform);
  const folder = await mkdtemp(join(tmpdir(), 'csi-ntfs-exe-'));
  const draft = `${outfile}.${process.pid}`;
  try {
    const blob = join(folder, 'program.blob');
    const config = join(folder, 'sea.json');
    const settings = { useSnapshot: false, useCodeCache: false, disableExperimentalSEAWarning: true };
    await writeFile(config, JSON.stringify({ main: bundle, output: blob, ...settings, assets }));
    must(await run(node, ['--experimental-sea-config', config]), 'the program cannot be packed');
    await copyFile(target, draft);
    await chmod(draft, 0o755);
    const args = [draft, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', FUSE, '--overwrite'];
    must(await runTool('postject', args), `the program cannot be put into ${target}`);
    await rename(draft, outfile);
  } finally {
    await rm(folder, { recursive: true, force: true });
    await rm(draft, { force: true });
  }
  return (await stat(outfile)).size;
}

function must({ code, output }: { readonly code: number; readonly output: string }, failure: string): void {
  if (code === 0) return;
  throw new Error(
    `${failure}:\n${output.trimEnd()}\nRemove .cache/node-* and build again, to fetch Node.js anew; npm ci mends a broken postject`,
  );
}
