import { reportFailure } from './cli/exit.ts';
import { createProgram } from './cli/program.ts';

async function main(): Promise<void> {
  // Whoever read our output may go (`demo | head`); the work goes on and cleans up after itself.
  process.stdout.on('error', () => undefined);
  try {
    await createProgram().parseAsync(process.argv);
  } catch (error) {
    process.exitCode = reportFailure(error, (line) => process.stderr.write(`${line}\n`));
  }
}

void main();
