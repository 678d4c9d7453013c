import { throwIfAborted } from '../core/errors.ts';
import { unlessAborted } from '../util/unless-aborted.ts';

/** Waits for what others may wait for too. Throws `cancelled` when this caller goes first; the rest goes on. */
export async function cancellable<Result>(
  waited: Promise<Result>,
  signal: AbortSignal,
  doing: string,
): Promise<Result> {
  try {
    return await unlessAborted(waited, signal);
  } catch (error) {
    throwIfAborted(signal, doing);
    throw error;
  }
}
