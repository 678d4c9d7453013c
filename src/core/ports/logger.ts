/** The part of a structured logger that code below `app` uses; pino satisfies it. Values go in fields, not in the text. */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  child(fields: Readonly<Record<string, unknown>>): Logger;
}
