import { StorageError } from '../core/errors.ts';
import type { ApiGroup } from '../proxyapi/api-versions.ts';
import { wireText } from '../rpc/wire-text.ts';
import type { Era } from './era-host.ts';

export interface FailedRpc {
  readonly group: ApiGroup;
  readonly rpc: string;
  readonly era: Era;
}

/**
 * What a caller reads of a failure. There is one gRPC status for all of them, and the text is another in each era, so
 * that nobody can decide on it (law 5): up to 1.2 most calls are those of a shell, and say so with the output of it.
 * `scrub` takes the secrets of the request out (law 9).
 */
export function failureText(
  error: unknown,
  { group, rpc, era }: FailedRpc,
  scrub: (text: string) => string,
): string {
  if (!(error instanceof StorageError)) {
    return `${rpc} ended in a way that the server did not foresee: its log says more`;
  }
  const text = scrub(error.message);
  const ranShell = era === '1.2' && group !== 'filesystem' && error.code !== 'invalid-argument';
  return wireText(ranShell ? shellText(group, rpc, text) : text);
}

/** A shell breaks its lines in Windows' way. */
const shellText = (group: ApiGroup, rpc: string, text: string): string =>
  `the ${group} command did not succeed. command: ${rpc}, output: ${rpc} : ${text}\r\n\r\n, error: exit status 1`;
