import { inspect } from 'node:util';
import { messageOf, StorageError } from '../core/errors.ts';
import { CallError } from './call-error.ts';

/** Deeper chains of causes are loops. */
const MAX_CAUSES = 8;

/**
 * A failure for the log: its message, and as text everything known of what is behind it, stacks included. Either
 * may quote what the call was given, so both go through `scrub` (law 9).
 */
export function failureFields(error: unknown, scrub: (text: string) => string): object {
  const message = scrub(messageOf(error));
  const foreseen = error instanceof StorageError || error instanceof CallError;
  const cause = foreseen ? error.cause : error;
  return cause === undefined ? { error: message } : { error: message, cause: scrub(chainText(cause)) };
}

/** Stacks hold their message as it is; `inspect` would quote and fold it, and a secret in it could not be found. */
function chainText(error: unknown, depth = 1): string {
  if (!(error instanceof Error)) return typeof error === 'string' ? error : inspect(error);
  const text = error.stack ?? String(error);
  if (error.cause === undefined || depth === MAX_CAUSES) return text;
  return `${text}\ncaused by: ${chainText(error.cause, depth + 1)}`;
}
