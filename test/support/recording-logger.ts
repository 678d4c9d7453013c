import type { Logger } from '../../src/core/ports/logger.ts';

export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly fields: object;
  readonly message: string;
}

/** A logger that keeps its lines; its children write to the same list. */
export class RecordingLogger implements Logger {
  readonly lines: LogLine[];
  readonly #bound: object;

  constructor(bound: object = {}, lines: LogLine[] = []) {
    this.#bound = bound;
    this.lines = lines;
  }

  debug(fields: object, message: string): void {
    this.#add('debug', fields, message);
  }

  info(fields: object, message: string): void {
    this.#add('info', fields, message);
  }

  warn(fields: object, message: string): void {
    this.#add('warn', fields, message);
  }

  error(fields: object, message: string): void {
    this.#add('error', fields, message);
  }

  child(fields: Readonly<Record<string, unknown>>): Logger {
    return new RecordingLogger({ ...this.#bound, ...fields }, this.lines);
  }

  #add(level: LogLine['level'], fields: object, message: string): void {
    this.lines.push({ level, fields: { ...this.#bound, ...fields }, message });
  }
}
