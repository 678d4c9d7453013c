import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildDriver, runTool } from './lib/run.ts';

/** Everything: unit, property, contract and integration tests, then csi-sanity and the conformance suite. Ends with one line of counts. */
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
  const suites = [await runSuite('sanity'), await runSuite('conformance')];

  const passed = report.numPassedTests + sum(suites.map((suite) => suite.passed));
  const failed =
    report.numFailedTests + report.numRuntimeErrorTestSuites + sum(suites.map((suite) => suite.failed));
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = jest.code === 0 && suites.every(({ code }) => code === 0) && failed === 0 ? 0 : 1;
}

interface SuiteResult {
  readonly code: number;
  readonly passed: number;
  readonly failed: number;
}

/** A suite that is a script of its own; its last line says how it went. */
async function runSuite(name: 'sanity' | 'conformance'): Promise<SuiteResult> {
  const { code, output } = await runTool('tsx', [`scripts/${name}.ts`], { show: true });
  const [, passed = '0', failed = '0'] =
    new RegExp(`^${name}: (\\d+) passed, (\\d+) failed`, 'm').exec(output) ?? [];
  return { code, passed: Number(passed), failed: Number(failed) };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

void main();
