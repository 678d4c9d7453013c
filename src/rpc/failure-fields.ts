import { inspect } from 'node:util';
import { messageOf, StorageError } from '../core/errors.ts';
import { CallError } from './call-error.ts';

/**
 * A failure for the log: its message, and as text everything known of what is behind it, stacks included. Either
 * may quote what the call was given, so both go through `scrub` (law 9).
 */
export function failureFields(error: unknown, scrub: (text: string) => string): object {
  const message = scrub(messageOf(error));
  const foreseen = error instanceof StorageError || error instanceof CallError;
  const cause = foreseen ? error.cause : error;
  return cause === undefined ? { error: message } : { error: message, cause: scrub(inspect(cause)) };
}
