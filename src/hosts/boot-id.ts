import { readFile } from 'node:fs/promises';

/** What the kernel calls its life since the last boot; `''` on systems that do not say, where nothing ends with it. */
export async function bootId(): Promise<string> {
  try {
    return (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
  } catch {
    return '';
  }
}
