import { describe, expect, it } from '@jest/globals';
import { CommanderError } from 'commander';
import { reportFailure, usageError } from '../../../src/cli/exit.ts';
import { StorageError } from '../../../src/core/errors.ts';

function reported(error: unknown): { readonly code: number; readonly text: string } {
  const lines: string[] = [];
  const code = reportFailure(error, (line) => lines.push(line));
  return { code, text: lines.join('\n') };
}

describe('reportFailure', () => {
  it('gives 0 for help and version, which commander reports as errors', () => {
    expect(reported(new CommanderError(0, 'commander.helpDisplayed', '(outputHelp)'))).toEqual({
      code: 0,
      text: '',
    });
  });

  it('gives 2 for a wrong call and points to the help', () => {
    const { code, text } = reported(usageError('--zone: expected a name'));
    expect(code).toBe(2);
    expect(text).toMatch(/--zone: expected a name\n.*--help/);
  });

  it('gives 1 for a foreseen failure and prints its message, which ends with the mend', () => {
    const error = new StorageError('failed-precondition', 'pool is in use by process 7; stop it first');
    expect(reported(error)).toEqual({ code: 1, text: 'error: pool is in use by process 7; stop it first' });
  });

  it('gives 2 and points to the help when what is wrong shows only while it starts', () => {
    const error = new StorageError('invalid-argument', '--host proxy would have the proxy serve itself');
    const { code, text } = reported(error);
    expect(code).toBe(2);
    expect(text).toMatch(/^error: --host proxy .*\n.*--help/);
  });

  it('ends an unforeseen failure with what to do next, and prints no stack', () => {
    const { code, text } = reported(new TypeError('x is not a function'));
    expect(code).toBe(1);
    expect(text).toContain('doctor');
    expect(text).not.toContain('    at ');
  });
});
