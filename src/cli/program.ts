import { Command, InvalidArgumentError, Option } from 'commander';
import { type DemoOptions, runDemo } from '../app/demo/run-demo.ts';
import { runDoctor } from '../app/doctor/run-doctor.ts';
import { serveProxy } from '../app/serve-proxy.ts';
import { serve } from '../app/serve.ts';
import { commit, version } from '../config/build-info.ts';
import { messageOf } from '../core/errors.ts';
import {
  environmentVariable,
  type Flag,
  type FlagKey,
  FLAGS,
  type FlagValues,
  placeholder,
} from '../config/flags.ts';
import { MODE_FLAGS } from '../config/modes.ts';
import { usageError } from './exit.ts';

/** The longest flag leaves this much of a terminal of 80 columns to its text; below that commander wraps nothing. */
const MIN_HELP_WIDTH = 30;

/** The command line: one command a mode, each with only the flags it uses. */
export function createProgram(): Command {
  const program = new Command('csi-driver-ntfs')
    .description('CSI driver for NTFS block volumes on Windows nodes.')
    .version(`${version} (${commit})`, '--version', 'print version and commit')
    .helpCommand(false)
    .configureHelp({ minWidthToWrap: MIN_HELP_WIDTH })
    .showHelpAfterError('Run it again with --help to see what it takes.')
    .exitOverride();

  serverCommand(program, 'controller', 'serve the Identity and Controller services', (config) =>
    serve({ mode: 'controller', config }),
  );
  serverCommand(program, 'node', 'serve the Identity and Node services', (config) =>
    serve({ mode: 'node', config }),
  );
  serverCommand(program, 'all', 'serve all three services in one process', (config) =>
    serve({ mode: 'all', config }),
  );

  serverCommand(program, 'proxy', 'serve the API of CSI Proxy, every version of it', serveProxy);

  const doctor = program
    .command('doctor')
    .description('say what this node can do, one line each with the mend');
  withFlags(doctor, MODE_FLAGS.doctor).action(async () => {
    process.exitCode = await runDoctor(flagValues(doctor, MODE_FLAGS.doctor), process.stdout);
  });

  program
    .command('demo')
    .description('walk one volume through its whole life on this machine and leave nothing behind')
    .addOption(
      new Option('--host <layer>', 'linux, simulated, or auto: linux as root, else simulated')
        .choices(['auto', 'linux', 'simulated'])
        .default('auto'),
    )
    .addOption(
      new Option(
        '--pool <kind>',
        'xfs (an image with reflink), plain (a folder), or auto: xfs where it mounts',
      )
        .choices(['auto', 'xfs', 'plain'])
        .default('auto'),
    )
    .addOption(
      new Option(
        '--api-version <list>',
        'what the CSI Proxy of the demo offers: a release (1.1), a version (v1beta1), several with commas, or all',
      )
        .default('all')
        .argParser(apiVersionsArgument),
    )
    .action(async (options: DemoOptions) => {
      process.exitCode = await runDemo(options, process.stdout);
    });

  program
    .command('version')
    .description('print version, commit and Node.js release')
    .action(() => {
      process.stdout.write(`csi-driver-ntfs ${version} (commit ${commit}, node ${process.version})\n`);
    });
  return program;
}

/** As `--api-versions` of the mode proxy takes them. */
function apiVersionsArgument(value: string): string {
  try {
    return FLAGS.apiVersions.parse(value);
  } catch (error) {
    throw new InvalidArgumentError(messageOf(error));
  }
}

type ServerMode = 'controller' | 'node' | 'all' | 'proxy';

function serverCommand<Mode extends ServerMode>(
  program: Command,
  mode: Mode,
  description: string,
  run: (values: FlagValues<(typeof MODE_FLAGS)[Mode][number]>) => Promise<void>,
): void {
  const command = program.command(mode).description(description);
  const keys: readonly (typeof MODE_FLAGS)[Mode][number][] = MODE_FLAGS[mode];
  withFlags(command, keys).action(() => run(flagValues(command, keys)));
}

function withFlags(command: Command, keys: readonly FlagKey[]): Command {
  for (const key of keys) {
    const flag: Flag<unknown> = FLAGS[key];
    const option = new Option(`--${flag.name} ${placeholder(flag)}`, flag.help)
      .default(flag.default, flag.defaultText)
      .env(environmentVariable(flag.name));
    if (flag.preset !== undefined) option.preset(flag.preset);
    const { separator } = flag;
    if (separator !== undefined)
      option.argParser((text, former: string) => (former === '' ? text : `${former}${separator}${text}`));
    command.addOption(option);
  }
  return command;
}

/** Compiles texts from flags and environment to values once; nothing below the CLI reads either again. */
function flagValues<Key extends FlagKey>(command: Command, keys: readonly Key[]): FlagValues<Key> {
  const texts = command.opts<Record<FlagKey, string>>();
  const entries = keys.map((key) => [key, parsed(FLAGS[key], texts[key])] as const);
  return Object.freeze(Object.fromEntries(entries)) as FlagValues<Key>;
}

function parsed(flag: Flag<unknown>, text: string): unknown {
  try {
    return flag.parse(text);
  } catch (error) {
    throw usageError(`--${flag.name} (or ${environmentVariable(flag.name)}): ${messageOf(error)}`);
  }
}
