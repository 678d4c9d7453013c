import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildDriver, runTool } from './lib/run.ts';

/** Everything: unit, property, contract and integration tests, then csi-sanity. Ends with one line of counts. */
async function main(): Promise<void> {
  const reportFile = join(tmpdir(), `jest-${process.pid}.json`);
  await buildDriver();
  const jest = await runTool('jest', ['--json', `--outputFile=${reportFile}`], { show: true });
  const report = JSON.parse(await readFile(reportFile, 'utf8')) as {
    numPassedTests: number;
    numFailedTests: number;
    numRuntimeErrorTestSuites: number;
  };
  await rm(reportFile, { force: true });
  const sanity = await runTool('tsx', ['scripts/sanity.ts'], { show: true });
  const [, sanityPassed = '0', sanityFailed = '0'] =
    /^sanity: (\d+) passed, (\d+) failed$/m.exec(sanity.output) ?? [];

  const passed = report.numPassedTests + Number(sanityPassed);
  const failed = report.numFailedTests + report.numRuntimeErrorTestSuites + Number(sanityFailed);
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = jest.code === 0 && sanity.code === 0 && failed === 0 ? 0 : 1;
}

void main();
