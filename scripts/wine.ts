import { join } from 'node:path';
import { build } from 'esbuild';
import { runTool } from './lib/run.ts';
import { NOT_RUN, WINE_ROWS } from './lib/wine-rows.ts';
import { wineRoot } from './lib/wine-root.ts';
import { WineSession } from './lib/wine-session.ts';

/** Runs the Windows executable under Wine: one line for each thing that is shown, then what cannot be. Needs root. */
async function main(): Promise<void> {
  const begun = Date.now();
  for (const platform of ['win-x64', 'linux-x64']) {
    const { code } = await runTool('tsx', ['scripts/build-exe.ts', platform], { show: true });
    if (code !== 0) throw new Error('the executable does not build, so nothing was tested');
  }
  await bundleConformance();
  const session = await WineSession.open(await wineRoot());
  let failed = 0;
  try {
    for (const { title, run } of WINE_ROWS) {
      const found = await run(session).then(
        (text) => ({ mark: '✔', text }),
        (error: unknown) => ({
          mark: '✘',
          text: `FAILED: ${error instanceof Error ? error.message : String(error)}`,
        }),
      );
      if (found.mark === '✘') failed += 1;
      console.log(`${found.mark} ${title.padEnd(75)} ${found.text}`);
    }
  } finally {
    await session.close();
  }
  for (const [what, why] of NOT_RUN) console.log(`– ${what.padEnd(75)} not run: ${why}`);
  const seconds = ((Date.now() - begun) / 1000).toFixed(0);
  console.log(
    `wine: ${WINE_ROWS.length - failed} passed, ${failed} failed, ${NOT_RUN.length} not run, ${seconds} s`,
  );
  process.exitCode = failed === 0 ? 0 : 1;
}

/** The conformance suite as one file: under Wine there is only Node.js to run it with. */
const bundleConformance = (): Promise<unknown> =>
  build({
    entryPoints: ['scripts/conformance.ts'],
    outfile: join('.cache', 'conformance.cjs'),
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    logLevel: 'warning',
  });

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
