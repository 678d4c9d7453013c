import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeRecord } from '../../src/util/record-file.ts';

export interface ShareOptions {
  /** `server` by default. */
  readonly host?: string;
  /** Made up by default. */
  readonly share?: string;
  /** Who may map it; anybody by default. */
  readonly username?: string;
  readonly password?: string;
}

/** A share in the network of a simulated host, and what can be seen of it without asking the host. */
export interface TestShare {
  /** `\\host\share`. */
  readonly remotePath: string;
  /** Where its files are. */
  readonly folder: string;
  /** Whether the host has a global mapping of it. */
  isMapped(): Promise<boolean>;
  /** Takes the share off the network; a mapping of it stays. */
  remove(): Promise<void>;
}

/** Makes a share in the network of the simulated host with this state folder. */
export async function createShare(stateDir: string, options: ShareOptions = {}): Promise<TestShare> {
  const { host = 'server', share = `share-${randomUUID().slice(0, 8)}`, username, password } = options;
  const place = join(stateDir, 'smb-shares', host.toLowerCase(), share.toLowerCase());
  const folder = join(place, 'files');
  const remotePath = `\\\\${host}\\${share}`;
  await mkdir(folder, { recursive: true });
  await writeRecord(join(place, 'share.json'), { username, password });
  return {
    remotePath,
    folder,
    isMapped: async () => (await mappedPaths(stateDir)).includes(remotePath.toLowerCase()),
    remove: () => rm(place, { recursive: true, force: true }),
  };
}

async function mappedPaths(stateDir: string): Promise<readonly unknown[]> {
  const mappings = join(stateDir, 'smb-mappings');
  const names = (await readdir(mappings).catch(() => [])).filter((name) => name.endsWith('.json'));
  const texts = await Promise.all(names.map((name) => readFile(join(mappings, name), 'utf8')));
  return texts.map((text) => (JSON.parse(text) as { readonly remotePath: unknown }).remotePath);
}
