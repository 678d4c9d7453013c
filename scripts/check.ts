import { runTool } from './lib/run.ts';

/** Every check that needs no running driver, one line each; what failed is printed whole at the end. */
const CHECKS: readonly (readonly [name: string, tool: string, args: readonly string[]])[] = [
  ['format', 'prettier', ['--check', '.']],
  ['types', 'tsc', ['-p', '.']],
  ['lint', 'eslint', ['.', '--max-warnings', '0']],
  ['imports', 'depcruise', ['src', '--config', '.dependency-cruiser.cjs', '--output-type', 'err-long']],
  ['dead code', 'knip', []],
  ['generated', 'tsx', ['scripts/check-generated.ts']],
];

async function main(): Promise<void> {
  const failures: string[] = [];
  for (const [name, tool, args] of CHECKS) {
    const start = Date.now();
    const { code, output } = await runTool(tool, args);
    const seconds = ((Date.now() - start) / 1000).toFixed(1);
    console.log(`${code === 0 ? '✔' : '✘'} ${name.padEnd(10)} ${seconds.padStart(6)} s`);
    if (code !== 0) failures.push(`\n── ${name} (${[tool, ...args].join(' ')}) ──\n${output.trimEnd()}`);
  }
  for (const failure of failures) console.log(failure);
  if (failures.length > 0) {
    console.log(
      `\n${failures.length} of ${CHECKS.length} checks failed. Formatting is mended by: npx prettier --write .`,
    );
    process.exitCode = 1;
  }
}

void main();
