import { setTimeout as wait } from 'node:timers/promises';

/** Waits; returns early, without an error, when the signal aborts. Leaves no timer and no listener behind. */
export async function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  try {
    await wait(milliseconds, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
