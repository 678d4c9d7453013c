import { describe, expect, it } from '@jest/globals';
import { createProgram } from '../../../src/cli/program.ts';
import { environmentVariable, type FlagKey, FLAGS } from '../../../src/config/flags.ts';
import { MODE_FLAGS } from '../../../src/config/modes.ts';

const modes = Object.entries(MODE_FLAGS) as [string, readonly FlagKey[]][];

describe('the command line', () => {
  it.each(modes)(
    '%s has exactly the flags it uses, each with help, default and environment variable',
    (mode, keys) => {
      const command = createProgram().commands.find((each) => each.name() === mode);
      const options = command?.options.map(({ long, description, defaultValue, envVar }) => ({
        long,
        description,
        defaultValue: String(defaultValue),
        envVar,
      }));
      expect(options).toEqual(
        keys.map((key) => ({
          long: `--${FLAGS[key].name}`,
          description: FLAGS[key].help,
          defaultValue: FLAGS[key].default,
          envVar: environmentVariable(FLAGS[key].name),
        })),
      );
    },
  );

  it('wraps the help of every mode to the terminal, but for the longest variables', () => {
    for (const command of createProgram().commands) {
      const lines = command
        .configureHelp({ ...command.configureHelp(), helpWidth: 80 })
        .helpInformation()
        .split('\n');
      expect(lines.filter((line) => line.length > 90)).toEqual([]);
    }
  });

  it.each([
    [
      'a bad value',
      ['node', '--sweep-interval-seconds', 'soon'],
      /--sweep-interval-seconds.*CSI_NTFS_SWEEP_INTERVAL_SECONDS.*seconds/,
    ],
    ['a relative path', ['controller', '--pool-dir', 'pool'], /--pool-dir.*absolute path/],
    ['an unknown host layer', ['doctor', '--host', 'bsd'], /--host.*linux/],
    ['an era that never was', ['proxy', '--era', '1.1'], /--era.*expected one of auto, 1\.2, 1\.3/],
    [
      'versions that never were',
      ['proxy', '--api-versions', '1.0,2.0'],
      /--api-versions \(or CSI_NTFS_API_VERSIONS\): "2\.0" is no release.* 1\.3, .*v1alpha1/,
    ],
    ['versions that the demo cannot offer', ['demo', '--api-version', 'v9'], /--api-version.*"v9".*use all/],
    [
      'one of several working directories',
      ['proxy', '--working-dir', 'b', '--working-dir', 'C:\\a', '--host', 'bsd'],
      /--working-dir.*Windows path.*got "b"/,
    ],
    ['what follows a flag that may stand alone', ['proxy', '--compat', '--host', 'bsd'], /--host.*got "bsd"/],
  ])('refuses %s and names the flag', async (_id, args, says) => {
    await expect(createProgram().parseAsync(args, { from: 'user' })).rejects.toThrow(says);
  });
});
