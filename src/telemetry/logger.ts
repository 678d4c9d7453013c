import { destination as fileDescriptor, pino } from 'pino';
import type { Logger } from '../core/ports/logger.ts';
import { prettyLine } from './pretty-line.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';
export type LogFormat = 'json' | 'pretty';

/** Takes one line of log at a time, with its line feed. */
export interface LogDestination {
  write(line: string): void;
}

export interface LoggerOptions {
  readonly level: LogLevel;
  /** `json`: one object per line, for machines. `pretty`: for a person at a terminal. */
  readonly format: LogFormat;
  /** Default: standard output, written at once, so that nothing is lost when the process ends. */
  readonly destination?: LogDestination;
}

/** The process's logger. Components take a `child({ component })` of it. */
export function createLogger(options: LoggerOptions): Logger {
  const destination = options.destination ?? standardOutput();
  return pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    options.format === 'json' ? destination : prettified(destination),
  );
}

/** A log that cannot be written, as on a full disk, is lost; the work it tells of goes on. */
function standardOutput(): LogDestination {
  const output = fileDescriptor({ dest: 1, sync: true });
  output.on('error', () => undefined);
  return output;
}

function prettified(destination: LogDestination): LogDestination {
  return {
    write: (line) => {
      destination.write(prettyLine(line));
    },
  };
}
