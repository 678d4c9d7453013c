import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';

/** Committed files that a program makes from others. */
export interface Generated {
  readonly name: string;
  /** Files and folders it makes, relative to the repository. A folder holds nothing else. */
  readonly outputs: readonly string[];
  /** Makes the outputs below another folder, reading its sources from the repository (the working directory). */
  generate(folder: string): Promise<void>;
}

/** One file that is not what its generator makes now. */
export interface Drift {
  readonly path: string;
  /** `missing` and `changed` files have to be written, `extra` ones to be removed. */
  readonly kind: 'missing' | 'changed' | 'extra';
  /** What belongs there; empty for `extra`. */
  readonly content: Buffer;
}

/** Generates aside and compares byte for byte with the files below `repository`, in both directions. */
export async function findDrift(generated: Generated, repository = '.'): Promise<Drift[]> {
  const folder = await mkdtemp(join(tmpdir(), 'generated-'));
  try {
    await generated.generate(folder);
    const made = await filesOf(generated.outputs, folder);
    const present = await filesOf(generated.outputs, repository);
    const drift: Drift[] = [];
    for (const path of [...new Set([...made, ...present])].sort()) {
      const content = made.has(path) ? await readFile(join(folder, path)) : undefined;
      if (content === undefined) drift.push({ path, kind: 'extra', content: Buffer.alloc(0) });
      else if (!present.has(path)) drift.push({ path, kind: 'missing', content });
      else if (!content.equals(await readFile(join(repository, path)))) {
        drift.push({ path, kind: 'changed', content });
      }
    }
    return drift;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Writes or removes exactly the files that drifted, so that a watching compiler sees nothing else change. */
export async function mendDrift(drift: readonly Drift[], repository = '.'): Promise<void> {
  for (const { path, kind, content } of drift) {
    const target = join(repository, path);
    if (kind === 'extra') {
      await rm(target);
    } else {
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, content);
    }
  }
}

/** Every file at or below the given paths, relative to `folder`. */
async function filesOf(outputs: readonly string[], folder: string): Promise<Set<string>> {
  const files = new Set<string>();
  for (const output of outputs) {
    const found = await stat(join(folder, output)).catch(() => undefined);
    if (found?.isFile() === true) files.add(output);
    if (found?.isDirectory() !== true) continue;
    for (const entry of await readdir(join(folder, output), { recursive: true, withFileTypes: true })) {
      if (entry.isFile()) files.add(relative(folder, join(entry.parentPath, entry.name)));
    }
  }
  return files;
}
