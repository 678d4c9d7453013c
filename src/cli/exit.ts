import { CommanderError } from 'commander';
import { messageOf, StorageError } from '../core/errors.ts';

/** Exit codes: 0 done, 1 it failed, 2 it was called wrongly. */
const FAILED = 1;
const USAGE = 2;

const SEE_HELP = 'Run it again with --help to see what each flag takes.';

/** An error of the command line itself; `exitCodeOf` gives it 2. */
export const usageError = (message: string): CommanderError =>
  new CommanderError(USAGE, 'csi.usage', `error: ${message}`);

/**
 * Says what went wrong, ending with what to do about it, and gives the exit code. Commander has already printed
 * its own errors and the help that goes with them.
 */
export function reportFailure(error: unknown, print: (line: string) => void): number {
  if (error instanceof CommanderError) {
    if (error.code === 'csi.usage') print(`${error.message}\n${SEE_HELP}`);
    return error.exitCode === 0 ? 0 : USAGE;
  }
  if (error instanceof StorageError) {
    print(`error: ${error.message}`);
    if (error.code !== 'invalid-argument') return FAILED;
    print(SEE_HELP);
    return USAGE;
  }
  print(`error: ${messageOf(error)}`);
  print(
    'This was not foreseen. Run `csi-driver-ntfs doctor`; if it finds nothing, report it with --log-level debug.',
  );
  return FAILED;
}
