import { StorageError } from '../core/errors.ts';
import type { ApiGroup, ApiVersion } from '../proxyapi/api-versions.ts';
import type { PipeCallError } from './pipe-transport.ts';
import { serverText } from './server-text.ts';

/** What was tried, for the message. */
export interface FailedCall {
  readonly group: ApiGroup;
  readonly version: ApiVersion;
  readonly rpc: string;
  readonly args: readonly unknown[];
  readonly isRead: boolean;
  readonly timeoutMs: number;
  /** Those of the arguments that no message may show; `undefined` for a call that has none (law 9). */
  readonly secrets: readonly string[] | undefined;
}

/**
 * A failed call in the driver's words. The server's text is handed on to a person and decides nothing (law 5): CSI
 * Proxy answers every failure with one code and a text that changed between releases.
 */
export function failureOf(error: PipeCallError, call: FailedCall): StorageError {
  const tried = `${call.rpc}${subjectOf(call)} through CSI Proxy (${call.group} ${call.version})`;
  const said = serverText(error.message, call.secrets ?? []);
  // What grpc-js throws has the server's text in it, and that may have a secret in it.
  const options = call.secrets === undefined ? { cause: error } : {};
  switch (error.fault) {
    case 'answered':
      return new StorageError('internal', `${tried} failed: ${said}; see also the log of csiproxy`, options);
    case 'unimplemented':
      return new StorageError('unimplemented', `${tried}: the server does not know this rpc`, options);
    case 'timed-out': {
      const text = `${tried} got no answer within ${call.timeoutMs / 1000} s: look how busy the node is`;
      return new StorageError('deadline-exceeded', text, options);
    }
    case 'cancelled':
      return new StorageError('cancelled', `${tried} was given up: the caller cancelled`, options);
    case 'unsent':
      return new StorageError('unavailable', `${tried} could not be sent: CSI Proxy went away`, options);
    case 'lost': {
      const outcome = call.isRead ? '' : '; whether it was done is not known: ask for the state';
      return new StorageError('unavailable', `${tried} lost its connection (${said})${outcome}`, options);
    }
  }
}

/** The disk, volume and paths that a call is about. */
function subjectOf({ args, secrets }: FailedCall): string {
  if (secrets !== undefined) return '';
  const plain = args.filter((arg) => typeof arg === 'string' || typeof arg === 'number');
  return plain.length === 0 ? '' : ` of ${plain.join(', ')}`;
}
