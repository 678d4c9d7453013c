/**
 * Waits for something that goes on without this caller. Rejects with the signal's reason when that comes first; what
 * was waited for is left to itself, and its failure is not unhandled.
 */
export function unlessAborted<Result>(waited: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const go = (): void => {
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- the reason is the caller's own
      reject(signal.reason);
    };
    if (signal.aborted) go();
    signal.addEventListener('abort', go, { once: true });
    void waited.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', go);
    });
  });
}
