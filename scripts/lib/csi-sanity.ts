import { access } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { run } from './run.ts';

/** The conformance suite of CSI, pinned. */
export const CSI_SANITY_VERSION = 'v5.4.0';
const MODULE = `github.com/kubernetes-csi/csi-test/v5/cmd/csi-sanity@${CSI_SANITY_VERSION}`;

/** Path of csi-sanity, installed by Go when it is missing; `undefined` when there is no Go. */
export async function findCsiSanity(): Promise<string | undefined> {
  const installed = await firstExisting(candidates());
  if (installed !== undefined) return installed;
  console.log(`installing csi-sanity ${CSI_SANITY_VERSION} (go install ${MODULE}) …`);
  const { code, output } = await run('go', ['install', MODULE]);
  if (code !== 0) console.log(output.trimEnd());
  return firstExisting(candidates());
}

function candidates(): string[] {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const goPath = process.env['GOPATH'] ?? join(homedir(), 'go');
  return [join(goPath, 'bin'), ...folders].map((folder) => join(folder, 'csi-sanity'));
}

async function firstExisting(paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) {
    if (
      await access(path).then(
        () => true,
        () => false,
      )
    )
      return path;
  }
  return undefined;
}
