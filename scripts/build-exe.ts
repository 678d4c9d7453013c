import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { koffiModule } from './lib/koffi-module.ts';
import type { Platform } from './lib/node-binaries.ts';
import { buildDriver } from './lib/run.ts';
import { buildExecutable } from './lib/single-executable.ts';

const BUNDLE = join('dist', 'csi-driver-ntfs.cjs');

/**
 * What may be written, and how large: every node pulls it with the image. Node.js is nearly all of it; a budget leaves
 * some 5 MB for the driver and what it loads, so that a growth is noticed by whoever causes it.
 */
const TARGETS: Readonly<Record<Platform, { readonly outfile: string; readonly budgetMiB: number }>> = {
  'win-x64': { outfile: join('dist', 'csi-driver-ntfs.exe'), budgetMiB: 95 },
  'linux-x64': { outfile: join('dist', 'csi-driver-ntfs'), budgetMiB: 130 },
};
const BUNDLE_BUDGET_MIB = 3;

/** Builds the driver as one executable: `tsx scripts/build-exe.ts win-x64` or `linux-x64`. */
async function main(): Promise<void> {
  const platform = process.argv[2] ?? 'win-x64';
  if (!isPlatform(platform))
    throw new Error(`there is no executable for ${platform}, only for ${Object.keys(TARGETS).join(', ')}`);
  const { outfile, budgetMiB } = TARGETS[platform];
  console.log('bundling the driver …');
  await buildDriver();
  const bundleBytes = (await stat(BUNDLE)).size;
  requireBudget(BUNDLE, bundleBytes, BUNDLE_BUDGET_MIB);
  console.log(`putting it into Node.js for ${platform} …`);
  const koffi = await koffiModule(platform);
  const assets = { [koffi.name]: koffi.path };
  const bytes = await buildExecutable({ bundle: BUNDLE, assets, platform, outfile });
  requireBudget(outfile, bytes, budgetMiB);
  console.log(
    `${outfile}: ${mib(bytes)} of at most ${budgetMiB} MiB; the bundle in it ${mib(bundleBytes)} of at most ${BUNDLE_BUDGET_MIB} MiB`,
  );
}

const isPlatform = (text: string): text is Platform => Object.hasOwn(TARGETS, text);

function requireBudget(path: string, bytes: number, budgetMiB: number): void {
  if (bytes <= budgetMiB * 1024 ** 2) return;
  throw new Error(
    `${path} has ${mib(bytes)} MiB, more than its budget of ${budgetMiB} MiB: see what has grown ` +
      '(a dependency?), and raise the budget in scripts/build-exe.ts only if it is worth that on every node',
  );
}

const mib = (bytes: number): string => (bytes / 1024 ** 2).toFixed(1);

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
