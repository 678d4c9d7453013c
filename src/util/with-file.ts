import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';

/** Opens a file for as long as `use` takes. `flags` as of open(2) in Node.js: `r`, `r+`, `wx`. */
export async function withFile<Result>(
  path: string,
  flags: string,
  use: (file: FileHandle) => Promise<Result>,
): Promise<Result> {
  const file = await open(path, flags);
  try {
    return await use(file);
  } finally {
    await file.close();
  }
}
