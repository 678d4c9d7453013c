import { mkdtempSync, readdirSync, rmdirSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { getRawAsset, isSea } from 'node:sea';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PREFIX = 'csi-ntfs-native-';
const PRIVATE = 0o600;
/** A younger folder may be of a process that has written its file and not loaded it yet. */
const LEFT_BEHIND_MS = 60_000;

/** A native module that travels in this single executable; `undefined` in every other run. Throws when it is not in it. */
export function packedModule(name: string): Uint8Array | undefined {
  if (!isSea()) return undefined;
  const bytes = getRawAsset(name);
  return typeof bytes === 'string' ? Buffer.from(bytes) : new Uint8Array(bytes);
}

/**
 * Loads a native module from memory. The system loads libraries from files only, so it is written to one that nobody
 * else may write, in a new folder, and removed again. Windows keeps the file of a loaded library: there it stays for as
 * long as the process lives, and a later start removes it.
 */
export function loadFromMemory(name: string, bytes: Uint8Array, within = tmpdir()): unknown {
  removeLeftBehind(within, name);
  const folder = mkdtempSync(join(within, PREFIX));
  try {
    const file = join(folder, name);
    writeFileSync(file, bytes, { mode: PRIVATE, flag: 'wx' });
    const loaded: { exports: unknown } = { exports: {} };
    process.dlopen(loaded, file);
    return loaded.exports;
  } finally {
    remove(folder, name);
  }
}

function removeLeftBehind(within: string, name: string): void {
  const before = Date.now() - LEFT_BEHIND_MS;
  for (const entry of readdirSync(within).filter((found) => found.startsWith(PREFIX))) {
    const folder = join(within, entry);
    const modified = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
    if (modified < before) remove(folder, name);
  }
}

/** Just what was made, so that nothing else is ever removed: on Windows a folder may lead to another place. */
function remove(folder: string, name: string): void {
  for (const step of [
    () => {
      unlinkSync(join(folder, name));
    },
    () => {
      rmdirSync(folder);
    },
  ]) {
    try {
      step();
    } catch {
      // In use by the process that loaded it, or never written.
    }
  }
}
