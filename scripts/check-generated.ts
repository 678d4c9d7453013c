import { findDrift } from './lib/generated.ts';
import { generatedFiles } from './lib/generated-files.ts';

/** Fails, naming the files, when a committed file is not what its generator makes of the sources beside it. */
async function main(): Promise<void> {
  let drifted = 0;
  for (const generated of generatedFiles) {
    const drift = await findDrift(generated);
    if (drift.length === 0) continue;
    drifted += drift.length;
    console.log(`${generated.name}:`);
    for (const { path, kind } of drift) console.log(`  ${kind.padEnd(7)} ${path}`);
  }
  if (drifted === 0) return;
  console.log(`\n${drifted} generated files are not what their sources say. Mend: npm run generate`);
  process.exitCode = 1;
}

void main();
