import { access, mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { run } from './run.ts';

/**
 * The conformance suite of CSI, pinned: v5.4.0, and v5.6.0 because only it knows all of CSI 1.13 (GET_SNAPSHOT).
 */
export const CSI_SANITY_VERSIONS = ['v5.4.0', 'v5.6.0'] as const;

export type CsiSanityVersion = (typeof CSI_SANITY_VERSIONS)[number];

/** Path of csi-sanity, kept in `.cache` and installed by Go when it is missing; `undefined` when there is no Go. */
export async function findCsiSanity(version: CsiSanityVersion): Promise<string | undefined> {
  const folder = resolve('.cache', `csi-sanity-${version}`);
  const program = join(folder, 'csi-sanity');
  if (await exists(program)) return program;
  const module = `github.com/kubernetes-csi/csi-test/v5/cmd/csi-sanity@${version}`;
  console.log(`installing csi-sanity ${version} (go install ${module}) …`);
  await mkdir(folder, { recursive: true });
  const { code, output } = await run('go', ['install', module], { env: { GOBIN: folder } });
  if (code !== 0) console.log(output.trimEnd());
  return (await exists(program)) ? program : undefined;
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
