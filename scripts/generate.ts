import { findDrift, mendDrift } from './lib/generated.ts';
import { generatedFiles } from './lib/generated-files.ts';

/** Brings every generated file up to date and names those it changed. */
async function main(): Promise<void> {
  for (const generated of generatedFiles) {
    const drift = await findDrift(generated);
    await mendDrift(drift);
    console.log(`${generated.name}: ${drift.length === 0 ? 'up to date' : `${drift.length} files`}`);
    for (const { path, kind } of drift) console.log(`  ${kind === 'extra' ? 'removed' : 'written'} ${path}`);
  }
}

void main();
