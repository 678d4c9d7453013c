import { reportFailure } from './cli/exit.ts';
import { createProgram } from './cli/program.ts';

async function main(): Promise<void> {
  try {
    await createProgram().parseAsync(process.argv);
  } catch (error) {
    process.exitCode = reportFailure(error, (line) => process.stderr.write(`${line}\n`));
  }
}

void main();
