import { StorageError } from '../../core/errors.ts';
import type { AnswerHalf } from './version-codec.ts';

/**
 * The `error` of responses before v1beta2. A server that sets it fails the call too, so it is never seen; should one
 * answer OK with it, that is no success. The text stays out of the message: it may hold what the request held (law 9).
 */
export function throwOnError(rpc: string, error: string): void {
  if (error === '') return;
  throw new StorageError(
    'internal',
    `CSI Proxy answered ${rpc} with an error: see its log for what went wrong`,
  );
}

/** The half of an rpc that answers nothing but this field. */
export const answersError = (rpc: string): AnswerHalf<void, { readonly error: string }> => ({
  encodeResponse: () => ({ error: '' }),
  decodeResponse: ({ error }) => {
    throwOnError(rpc, error);
  },
});
