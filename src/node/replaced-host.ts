import { StorageError } from '../core/errors.ts';

/**
 * A host may be replaced by an older one between the question what it can do and the call. No RPC of the node asks for
 * what a host said it cannot do, so `unimplemented` means just that: the same call has another answer in a moment, and
 * the caller must not take it for an RPC that this driver does not have.
 */
export async function asIfAway<Result>(rpc: string, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (!StorageError.is(error, 'unimplemented')) throw error;
    throw new StorageError(
      'unavailable',
      `${rpc} was cut short: what this host can do has changed meanwhile (${error.message}); try again`,
      { cause: error },
    );
  }
}
